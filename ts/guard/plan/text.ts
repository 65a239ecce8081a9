import type { PassReason } from "./types.ts";

/**
 * UTF-8 bytes. The shell gets the text as one argument, which Linux limits to 128 KiB; the functions that the rewrite adds
 * must still fit.
 */
export const MAX_COMMAND_BYTES = 100 * 1024;

/** Other than a tab or a newline. */
const CONTROL = /[^\P{Cc}\t\n]/u;
const LONE_SURROGATE = /\p{Surrogate}/u;

const MANY_HERE_DOCS = /(?:<<[^\n<]*){17}/;

/** What can be refused by the characters alone, before anything is parsed. Linear. */
export function textReason(command: string): PassReason | undefined {
	if (command.length > MAX_COMMAND_BYTES) return "too-long";
	if (command.length * 3 > MAX_COMMAND_BYTES && Buffer.byteLength(command) > MAX_COMMAND_BYTES) return "too-long";
	// A carriage return is no blank for bash; NUL cannot be passed at all; other controls differ between shells.
	if (CONTROL.test(command)) return "control-character";
	if (LONE_SURROGATE.test(command)) return "lone-surrogate";
	// `bash -c -x` is an option; with functions in front it would become a command.
	const first = command.charCodeAt(0);
	if (first === 45 || first === 43) return "leading-dash";
	if (trailingBackslashes(command, command.length) % 2 === 1) return "trailing-backslash";
	if (command.includes("__sluice")) return "reserved-name";
	// bash takes no more than 16 on a line, and the parser takes quadratic time for them.
	if (MANY_HERE_DOCS.test(command)) return "heredoc";
	return undefined;
}

/** How many backslashes stand directly before `end`. */
export function trailingBackslashes(text: string, end: number): number {
	let count = 0;
	while (count < end && text.charCodeAt(end - 1 - count) === 92) count++;
	return count;
}

const DOUBTS = /\$(?:\\\n|\[|\{(?:\\\n|[ \t\n|<>$(]))|[;&|<>(](?:\\\n)+[;&|<>(]/g;

/**
 * Offsets of `$[`, of `${` before a blank, `|`, `<`, `>`, `$` or `(`, of either with a line continuation in it, and of
 * operators joined by a continuation. There the parser accepts text that bash rejects, unless the place is quoted.
 */
export function doubtfulExpansions(source: string): number[] {
	const found: number[] = [];
	for (const match of source.matchAll(DOUBTS)) {
		if (trailingBackslashes(source, match.index) % 2 === 0) found.push(match.index);
	}
	return found;
}
