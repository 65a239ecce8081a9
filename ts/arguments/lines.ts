import { isRecord } from "./types.ts";

const LONGEST = 60; // characters of a number or range

/** First and last line, inclusive. `last` undefined: to the end. */
export interface LineRange {
	readonly first: number;
	readonly last: number | undefined;
}

/** The text of an integer, also `"10.0"`; undefined if it is no number. */
export function integerOf(value: unknown): number | undefined {
	if (typeof value === "number") return value;
	if (typeof value !== "string" || value.length > LONGEST || !/^\s*[+-]?\d+(?:\.0+)?\s*$/.test(value)) return undefined;
	return Number(value);
}

/** Reads `10-20`, `L10-L20`, `10-`, `[10, 20]` or `{"start": 10, "end": 20}`. `"ambiguous"`: it is a range, but not clear which. Undefined: none. */
export function rangeOf(value: unknown): LineRange | "ambiguous" | undefined {
	if (Array.isArray(value)) {
		// A list of one range is that range.
		const list: readonly unknown[] = value.length === 1 && Array.isArray(value[0]) ? value[0] : value;
		if (list.length === 1 && typeof list[0] === "string") return rangeOf(list[0]) ?? "ambiguous";
		const [first, last] = list.map(integerOf);
		return list.length !== 2 || first === undefined || last === undefined ? "ambiguous" : { first, last: last === -1 ? undefined : last };
	}
	if (isRecord(value)) {
		const ends = new Map(Object.entries(value).map(([key, end]) => [key.toLowerCase().replace(/[^a-z]|line|number/g, ""), end]));
		const pair = [["start", "end"], ["from", "to"], ["first", "last"], ["begin", "end"]].find((names) => names.every((name) => ends.has(name)));
		return pair === undefined || ends.size !== 2 ? undefined : rangeOf(pair.map((name) => ends.get(name)));
	}
	if (typeof value !== "string" || value.length > LONGEST) return undefined;
	const text = value.trim();
	if (/^\[\s*-?\d+\s*,\s*-?\d+\s*\]$/.test(text)) return rangeOf(JSON.parse(text));
	const range = /^(?:lines?\s*)?L?(\d+)\s*(?:-|–|\bto\b)\s*L?(\d*)$/i.exec(text);
	if (range !== null) return { first: Number(range[1]), last: range[2] === "" ? undefined : Number(range[2]) };
	return /^L?\d+\s*(?:[-:,–]|\.\.\.?)/i.test(text) ? "ambiguous" : undefined;
}
