/** How one tool's command line is read, as far as the planner needs it. */
interface Grammar {
	/** Letters whose argument is the rest of the word or the next word. */
	readonly argumentLetters: string;
	/** Long options that take the next word unless they have a `=`. GNU tools accept unique beginnings. */
	readonly argumentNames: readonly string[];
	/** Options with which the tool does not filter its stdin, or never ends. */
	readonly refused: RegExp;
	/** Operands before files are named: grep's and rg's pattern. */
	readonly leadingOperands: 0 | 1;
	/** Options that make the leading operand a file as well. */
	readonly patternOptions?: RegExp;
}

const HEAD: Grammar = { argumentLetters: "nc", argumentNames: ["lines", "bytes"], refused: /^$/, leadingOperands: 0 };
const TAIL: Grammar = {
	argumentLetters: "ncs",
	argumentNames: ["lines", "bytes", "sleep-interval", "max-unchanged-stats", "pid"],
	refused: /^(?:-[a-zA-Z]*[fF]|-\d+[bcl]?f|--f|--retry|--pid)/,
	leadingOperands: 0,
};
const GREP: Grammar = {
	argumentLetters: "efmABCdDX",
	argumentNames: "regexp file max-count after-context before-context context directories devices label binary-files".split(" "),
	refused: /^(?:-[a-zA-Z]*[rR]|--(?:dereference-)?recursive|--directories=recurse|--no-ignore|--help|--version)/,
	leadingOperands: 1,
	patternOptions: /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file)\b)/,
};
const RG: Grammar = {
	argumentLetters: "efgtTmABCrjEMd",
	argumentNames: (
		"regexp file glob iglob type type-not type-add type-clear max-count after-context before-context context replace threads " +
		"encoding max-columns max-depth maxdepth max-filesize sort sortr color colors context-separator field-match-separator " +
		"field-context-separator path-separator ignore-file pre pre-glob dfa-size-limit regex-size-limit engine hyperlink-format " +
		"hostname-bin generate"
	).split(" "),
	refused: /^(?:--files$|--type-list$|--generate|--pre\b|--help|--version|-h$|-V$)/,
	leadingOperands: 1,
	patternOptions: /^(?:-[a-zA-Z]*[ef]|--(?:regexp|file)\b)/,
};
const LESS: Grammar = {
	argumentLetters: "bhjkoOpPtTxyzD#",
	argumentNames: ["pattern"],
	refused: /^(?:\+|-[a-zA-Z]*[oOkTt]|--(?:log-file|LOG-FILE|lesskey|tag))/,
	leadingOperands: 0,
};

const GRAMMARS: Readonly<Record<string, Grammar>> = {
	head: HEAD,
	tail: TAIL,
	grep: GREP,
	egrep: GREP,
	fgrep: GREP,
	rg: RG,
	less: LESS,
	more: { argumentLetters: "n", argumentNames: ["lines"], refused: /^\+/, leadingOperands: 0 },
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
		if (grammar.refused.test(word)) return "view-option";
		if (grammar.patternOptions?.test(word)) leading = 0;
		if (takesNextWord(grammar, word)) {
			i++;
			if (grammar === GREP && args[i] === "recurse") return "view-option";
		}
	}
	return operands.slice(leading).some((word) => word !== undefined && word !== "-") ? "view-operand" : undefined;
}

function takesNextWord(grammar: Grammar, word: string): boolean {
	if (word.startsWith("--")) {
		const name = word.slice(2);
		return !name.includes("=") && grammar.argumentNames.some((full) => full === name || (name.length > 2 && full.startsWith(name)));
	}
	for (let i = 1; i < word.length; i++) if (grammar.argumentLetters.includes(word[i] as string)) return i === word.length - 1;
	return false;
}
