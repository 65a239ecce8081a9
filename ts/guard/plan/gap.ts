/** A here-document's body and closing line: text between statements that belongs to neither. */
export interface Skipped {
	readonly pos: number;
	readonly end: number;
}

/**
 * What stands between two nodes besides blanks, line continuations, comments and here-document bodies: operators and
 * keywords, each run of newlines as one `\n`. A byte the parser lost shows up here.
 */
export function gapTokens(source: string, from: number, to: number, skipped: readonly Skipped[]): string {
	let tokens = "";
	for (let i = from; i < to; ) {
		const code = source.charCodeAt(i);
		if (code === 32 || code === 9) i++;
		else if (code === 92 && source.charCodeAt(i + 1) === 10) i += 2;
		else if (code === 10) {
			if (!tokens.endsWith("\n")) tokens += "\n";
			i = skipBodies(i + 1, skipped);
		} else if (code === 35 && startsComment(source, i)) {
			const newline = source.indexOf("\n", i);
			i = newline < 0 ? to : newline;
		} else {
			tokens += source[i];
			i++;
		}
	}
	return tokens;
}

function skipBodies(at: number, skipped: readonly Skipped[]): number {
	let position = at;
	for (const body of skipped) if (body.pos === position) position = body.end;
	return position;
}

function startsComment(source: string, at: number): boolean {
	return at === 0 || " \t\n;&|()".includes(source[at - 1] as string);
}

/** Offset of the first character that is neither a blank nor part of a line continuation. */
export function skipBlanks(source: string, from: number): number {
	let i = from;
	for (;;) {
		const code = source.charCodeAt(i);
		if (code === 32 || code === 9) i++;
		else if (code === 92 && source.charCodeAt(i + 1) === 10) i += 2;
		else return i;
	}
}
