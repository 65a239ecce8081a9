import { isRecord } from "./types.ts";

/** The text of a list of lines, text blocks or strings; undefined if it is not clear how they belong together. */
export function textOfList(list: readonly unknown[]): string | undefined {
	const parts = list.map((part) =>
		isRecord(part) && part["type"] === "text" && typeof part["text"] === "string" ? part["text"] : part,
	);
	if (parts.length === 0 || !parts.every((part) => typeof part === "string")) return undefined;
	// Several parts are one text only if each brings its own line end.
	return parts.slice(0, -1).every((part) => part.endsWith("\n")) ? parts.join("") : undefined;
}

/** Whether a file holds JSON, by its name. */
export function isJsonFile(path: unknown): boolean {
	return typeof path === "string" && /\.(?:json|jsonc|json5|geojson|webmanifest|ipynb)$/i.test(path);
}

/** Whether a code fence may belong to a file, by its name: Markdown, its relatives, and the usual names without an extension. */
export function holdsFences(path: unknown): boolean {
	if (typeof path !== "string") return true;
	const name = path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);
	return (
		/\.(?:md|mdx|mdc|markdown|mdown|mkdn?|mdwn|rmd|qmd|adoc|asciidoc|prompt)$/i.test(name) ||
		/^(?:readme|changelog|changes|contributing|notes|todo|authors|license|security|history)$/i.test(name)
	);
}

const OPENING = /^[ \t]*(`{3,}|~{3,})[ \t]*[^`\r\n]*\r?\n/;
const CLOSING = /\n[ \t]*(`{3,}|~{3,})[ \t]*$/;

/**
 * The text inside a code fence around the whole of it; undefined if there is none, or more than one. Only the two ends
 * are looked at, and the inside only if both are fences.
 */
export function insideFence(text: string): string | undefined {
	const inside = betweenFences(text);
	// A fence in a fence is a document about fences.
	return inside === undefined || betweenFences(inside) !== undefined ? undefined : inside;
}

function betweenFences(text: string): string | undefined {
	let start = 0;
	while (start < text.length && isBlank(text.charCodeAt(start))) start++;
	if (text[start] !== "`" && text[start] !== "~") return undefined;
	let end = text.length;
	while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
	if (text[end - 1] !== text[start]) return undefined;
	const opening = OPENING.exec(text.slice(start, start + 200));
	const closing = CLOSING.exec(text.slice(Math.max(start, end - 200), end));
	const fence = opening?.[1];
	if (opening === null || closing === null || fence === undefined || closing[1] !== fence) return undefined;
	const from = start + opening[0].length;
	const to = end - closing[0].length + 1;
	if (to <= from) return undefined;
	const inside = text.slice(from, to);
	return new RegExp(`^[ \\t]*${fence}`, "m").test(inside) ? undefined : inside;
}

function isBlank(code: number): boolean {
	return code === 32 || (code >= 9 && code <= 13);
}
