/** A word as a POSIX shell reads it back. */
export function quote(word: string): string {
	return /^[A-Za-z0-9_@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

const RESERVED = /^(?:!|\{|\}|\[\[|case|do|done|elif|else|esac|fi|for|function|if|in|select|then|time|until|while)$/;
// An operator, or a word whose sense depends on whether the shell expands it.
const EXPANDS = /^(?:[|&;<>()]+|\d*[<>].*|\$[\w{(].*|~(?:\/.*)?|.*`.*|\*)$/s;

/**
 * The command line of a list of words, as an `argv`; undefined if it may as well be a list of command lines, or counts
 * on expansions. `bash -c` and `bash -lc` give their script.
 */
export function commandOfList(list: readonly unknown[]): string | undefined {
	const words = list.map((word) => (typeof word === "number" ? String(word) : word));
	if (words.length === 0 || !words.every((word) => typeof word === "string")) return undefined;
	const [program = "", option = "", script = ""] = words;
	if (words.length === 1) return program;
	if (words.length === 3 && /^(?:\/(?:usr\/)?(?:local\/)?bin\/)?bash$/.test(program) && /^-l?c$/.test(option)) return script;
	const isProgram = /^[^\s'"\\=$&|;<>(){}*?#~`]+$/.test(program) && !RESERVED.test(program);
	if (!isProgram || words.slice(1).some((word) => EXPANDS.test(word))) return undefined;
	return words.map(quote).join(" ");
}

/** A command that runs in `directory`, or not at all. */
export function inDirectory(directory: string, command: string): string {
	const home = /^~(?:\/(.*))?$/s.exec(directory);
	if (home !== null) return `cd -- ~${home[1] ? `/${quote(home[1])}` : ""} || exit 1; ${command}`;
	// Without "./", CDPATH and `cd -` would have a say.
	const place = /^(?:\/|\.{1,2}(?:\/|$))/.test(directory) ? directory : `./${directory}`;
	return `cd -- ${quote(place)} || exit 1; ${command}`;
}

/** A command of whose output only `lines` lines at one end are shown; undefined if it cannot be put in front of a pipe. */
export function withView(command: string, view: "head" | "tail", lines: number): string | undefined {
	const producer = /^[^;&|<>(){}#\\\n\r`!]+$/.test(command) ? command.trimEnd() : `{ ${command}\n}`;
	if (/<<|\\\s*$/.test(command)) return undefined;
	return `${producer} 2>&1 | ${view} -n ${lines}`;
}
