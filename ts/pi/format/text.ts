/** More than the UTF-16 units of most characters: a family of four has 11, in two cells. */
const UNITS_PER_CELL = 16;

/** Cuts a text for a sentence, by code points. */
export function clip(text: string, characters: number): string {
	const points = [...text];
	return points.length <= characters ? text : `${points.slice(0, characters - 1).join("")}…`;
}

/** Cuts an uncoloured text to a number of cells. However long it is, only what can be shown of it is measured. */
export function fit(text: string, width: number, widthOf: (text: string) => number): string {
	const start = text.slice(0, UNITS_PER_CELL * (width + 1));
	if (start.length === text.length && widthOf(text) <= width) return text;
	const points = [...start];
	let [fitting, tooMany] = [0, points.length + 1];
	while (tooMany - fitting > 1) {
		const middle = (fitting + tooMany) >> 1;
		if (widthOf(points.slice(0, middle).join("")) < width) fitting = middle;
		else tooMany = middle;
	}
	return `${points.slice(0, fitting).join("")}…`;
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
