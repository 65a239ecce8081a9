/** Cuts a text for a sentence, by code points. */
export function clip(text: string, characters: number): string {
	const points = [...text];
	return points.length <= characters ? text : `${points.slice(0, characters - 1).join("")}…`;
}

/** Cuts an uncoloured text to a number of cells. */
export function fit(text: string, width: number, widthOf: (text: string) => number): string {
	if (widthOf(text) <= width) return text;
	const points = [...text];
	while (points.length > 0 && widthOf(points.join("")) > width - 1) points.pop();
	return `${points.join("")}…`;
}

/** Joins parts with ` · ` into as few lines of at most `width` cells as possible; no part is broken. */
export function flow(parts: readonly string[], width: number, widthOf: (text: string) => number): string[] {
	const lines: string[] = [];
	for (const part of parts) {
		const last = lines.at(-1);
		const joined = last === undefined ? part : `${last} · ${part}`;
		if (last !== undefined && widthOf(joined) <= width) lines[lines.length - 1] = joined;
		else lines.push(part);
	}
	return lines;
}
