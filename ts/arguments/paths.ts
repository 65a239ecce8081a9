import { posix } from "node:path";
import { fileURLToPath } from "node:url";

// pi reads these as plain spaces, before anything else.
const UNICODE_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/;

const LONGEST = 8192; // characters: twice what systems take

/** Whether a path holds parts of a model's own call format. No file is named like that. */
export function holdsCallFormat(path: string): boolean {
	return path.length <= LONGEST && LEAKED.test(path);
}

const LEAKED = /<\|[a-z_]+\|>|\bto=functions\.|<\/?arg_(?:key|value)>|<\/?(?:minimax:)?tool_call>|<\/?(?:parameter|invoke|function)\b[^>]*>/;

/**
 * A path without what a model puts around it. For every path the result names the file that pi resolves the path to,
 * but for line breaks and quotes at both ends, links in Markdown and closing tags, which no file name has. `~` is left to the tool.
 */
export function cleanPath(path: string): string {
	if (path.length > LONGEST) return path;
	let clean = path;
	for (;;) {
		const next = cleanOnce(clean);
		if (next === clean) return clean;
		clean = next;
	}
}

function cleanOnce(path: string): string {
	const bare = path
		.replace(/^[\r\n]+|[\r\n]+$/g, "")
		.replace(/(?:<\/arg_value>+)+$/, "")
		.replace(/^(["`])([^"`]+)\1$/, "$2")
		.replace(/^\[([^\]]+)\]\((?:https?:\/\/)?([^)]+?)\/?\)$/, (link, label: string, target: string) => (label === target ? label : link));
	if (bare !== path) return bare === "" ? path : bare;
	// pi takes one "@" off, and only one: a second one belongs to the name.
	if (path.startsWith("@") && path.length > 1 && path[1] !== "@") return path.slice(1);
	if (path.startsWith("file://")) return fromUrl(path);
	return path;
}

function fromUrl(url: string): string {
	if (UNICODE_SPACES.test(url)) return url;
	try {
		const path = fileURLToPath(url);
		return UNICODE_SPACES.test(path) ? url : path;
	} catch {
		return url; // another host, or a broken escape: pi says so
	}
}

/** Whether two paths are the same, as far as their text tells. */
export function samePath(a: string, b: string): boolean {
	return a === b || posix.normalize(a) === posix.normalize(b);
}
