/** How one tool's command line is read, as far as the planner needs it. */
interface Grammar {
	/** Letters whose argument is the rest of the word or the next word. */
	readonly argumentLetters: string;
	/** Long options that take the next word unless they have a `=`. GNU tools accept unique beginnings. */
	readonly argumentNames: readonly string[];
	/** Letters with which the tool does not filter its stdin, or never ends. */
	readonly refusedLetters: string;
	/** The same for whole words. */
	readonly refused: RegExp;
	/** Operands before files are named: grep's and rg's pattern. */
	readonly leadingOperands: 0 | 1;
}

const HEAD: Grammar = { argumentLetters: "nc", argumentNames: ["lines", "bytes"], refusedLetters: "", refused: /^$/, leadingOperands: 0 };
const TAIL: Grammar = {
	argumentLetters: "ncs",
	argumentNames: ["lines", "bytes", "sleep-interval", "max-unchanged-stats", "pid"],
	refusedLetters: "fF",
	refused: /^(?:-\d+[bcl]?f|--f|--retry|--pid)/,
	leadingOperands: 0,
};
const GREP: Grammar = {
	argumentLetters: "efmABCdDX",
	argumentNames: "regexp file max-count after-context before-context context directories devices label binary-files".split(" "),
	refusedLetters: "rR",
	refused: /^--(?:rec|dereference-r|directories=recurse|help|version)/,
	leadingOperands: 1,
};
const RG: Grammar = {
	argumentLetters: "efgtTmABCrjEMd",
	argumentNames: (
		"regexp file glob iglob type type-not type-add type-clear max-count after-context before-context context replace threads " +
		"encoding max-columns max-depth maxdepth max-filesize sort sortr color colors context-separator field-match-separator " +
		"field-context-separator path-separator ignore-file pre pre-glob dfa-size-limit regex-size-limit engine hyperlink-format " +
		"hostname-bin generate"
	).split(" "),
	refusedLetters: "hV",
	refused: /^--(?:files$|type-list$|generate|pre\b|help|version)/,
	leadingOperands: 1,
};
const LESS: Grammar = {
	argumentLetters: "bhjkoOpPtTxyzD#",
	argumentNames: ["pattern"],
	refusedLetters: "oOkTt",
	refused: /^(?:\+|--(?:log-file|LOG-FILE|lesskey|tag))/,
	leadingOperands: 0,
};
const MORE: Grammar = { argumentLetters: "n", argumentNames: ["lines"], refusedLetters: "", refused: /^\+/, leadingOperands: 0 };

const GRAMMARS: Readonly<Record<string, Grammar>> = {
	head: HEAD,
	tail: TAIL,
	grep: GREP,
	egrep: GREP,
	fgrep: GREP,
	rg: RG,
	less: LESS,
	more: MORE,
};

/** Whether a command of this name filters its stdin: `head tail grep egrep fgrep rg less more`. */
export function isViewName(name: string): boolean {
	return Object.hasOwn(GRAMMARS, name);
}

/**
 * Why a view with these arguments does not filter its stdin, if it does not. `undefined` in `args` is a word that the shell
 * expands; what it is shows at run time.
 */
export function argumentReason(name: string, args: readonly (string | undefined)[]): "view-operand" | "view-option" | undefined {
	const grammar = GRAMMARS[name] as Grammar;
	const operands: (string | undefined)[] = [];
	let leading: number = grammar.leadingOperands;
	for (let i = 0; i < args.length; i++) {
		const word = args[i];
		if (word === "--") {
			operands.push(...args.slice(i + 1));
			break;
		}
		if (word === undefined || word === "-" || !/^[-+]/.test(word) || (word[0] === "+" && !grammar.refused.test(word))) {
			operands.push(word);
			continue;
		}
		const option = readOption(grammar, word);
		if (option.refused) return "view-option";
		if (option.pattern) leading = 0;
		if (option.takesNext) {
			i++;
			if (grammar === GREP && args[i] === "recurse") return "view-option";
		}
	}
	return operands.slice(leading).some((word) => word !== undefined && word !== "-") ? "view-operand" : undefined;
}

/** What one option word means for the operands. `pattern`: grep's pattern is given by it. */
function readOption(grammar: Grammar, word: string): { refused: boolean; pattern: boolean; takesNext: boolean } {
	if (grammar.refused.test(word)) return { refused: true, pattern: false, takesNext: false };
	const searches = grammar.leadingOperands === 1;
	if (word.startsWith("--")) {
		const name = word.slice(2).split("=", 1)[0] as string;
		const full = grammar.argumentNames.find((known) => known === name || (name.length > 2 && known.startsWith(name)));
		return { refused: false, pattern: searches && (full === "regexp" || full === "file"), takesNext: full !== undefined && !word.includes("=") };
	}
	for (let i = 1; i < word.length; i++) {
		const letter = word[i] as string;
		if (grammar.refusedLetters.includes(letter)) return { refused: true, pattern: false, takesNext: false };
		if (!grammar.argumentLetters.includes(letter)) continue;
		return { refused: false, pattern: searches && (letter === "e" || letter === "f"), takesNext: i === word.length - 1 };
	}
	return { refused: false, pattern: false, takesNext: false };
}
