/** All line breaks as LF. */
export function toLf(text: string): string {
	return text.replace(/\r\n?/g, "\n");
}

/**
 * Text as models tend to write it: without trailing white space, with ASCII quotes, dashes and spaces. Keeps the number of
 * lines. Two texts that differ only in that are taken for the same.
 */
export function toPlain(text: string): string {
	return text
		.normalize("NFKC")
		.split("\n")
		.map((line) => line.trimEnd())
		.join("\n")
		.replace(/[\u2018-\u201B]/g, "'")
		.replace(/[\u201C-\u201F]/g, '"')
		.replace(/[\u2010-\u2015\u2212]/g, "-")
		.replace(/[\u00A0\u2002-\u200A\u202F\u205F\u3000]/g, " ");
}

/** Where each line begins, and the end of the text. A final newline does not begin another line. */
export function lineStarts(text: string): number[] {
	const starts = [];
	for (let at = 0; at < text.length; ) {
		starts.push(at);
		const newline = text.indexOf("\n", at);
		at = newline === -1 ? text.length : newline + 1;
	}
	starts.push(text.length);
	return starts;
}

/** The index of the line that holds the character at `offset`. */
export function lineAt(starts: readonly number[], offset: number): number {
	let low = 0;
	let high = starts.length - 2;
	while (low < high) {
		const middle = (low + high + 1) >> 1;
		if ((starts[middle] ?? 0) <= offset) low = middle;
		else high = middle - 1;
	}
	return Math.max(0, low);
}
