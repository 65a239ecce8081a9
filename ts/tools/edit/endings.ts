import type { Replacement } from "./match.ts";

/**
 * Applies replacements that were found in the text with LF line breaks to the text itself. What is not replaced keeps its
 * bytes; new lines get the line ending of the line where they begin.
 */
export function applyToOriginal(original: string, replacements: readonly Replacement[]): string {
	const toOriginal = offsetMapper(original);
	let result = "";
	const append = (part: string) => {
		// A kept CR and a new LF would become one line break: the LF makes the CR a line break of its own.
		result += result.endsWith("\r") && part.startsWith("\n") ? `\n${part}` : part;
	};
	let at = 0;
	for (const { start, end, text } of replacements) {
		const from = toOriginal(start);
		append(original.slice(at, from));
		append(text.replaceAll("\n", endingAt(original, from)));
		at = toOriginal(end);
	}
	append(original.slice(at));
	return result;
}

/** Maps offsets in the text with LF line breaks, in ascending order, to offsets in the original: CRLF is one longer. */
function offsetMapper(original: string): (offset: number) => number {
	let passed = 0;
	let next = original.indexOf("\r\n");
	return (offset) => {
		for (; next !== -1 && next - passed < offset; next = original.indexOf("\r\n", next + 2)) passed++;
		return offset + passed;
	};
}

/** The line ending of the line at `offset`; of the line before if it has none. CR alone counts where there is no LF at all. */
function endingAt(text: string, offset: number): string {
	const after = text.indexOf("\n", offset);
	const newline = after === -1 ? text.lastIndexOf("\n", offset) : after;
	if (newline === -1) return text.includes("\r") ? "\r" : "\n";
	return text[newline - 1] === "\r" ? "\r\n" : "\n";
}
