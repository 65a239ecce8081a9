import { FILE_TYPES } from "./file-types.ts";

/** How many characters several globs may come to: each group of braces multiplies them. */
const LONGEST = 100_000;
/** What is before a group of braces, and what is inside. */
const GROUP = /([^{}]*)(?:\{([^{}]*)\})?/y;

/** One glob for several, without braces inside braces (older ripgrep has none); undefined if a brace is left open. */
export function oneGlob(globs: readonly string[]): string | undefined {
	const wholes = rejoin(globs);
	const flat: string[] = [];
	for (const glob of wholes) {
		const parts = unbrace(glob);
		if (parts === undefined) return undefined;
		flat.push(...parts);
	}
	if (wholes.length <= 1) return wholes[0];
	return flat.some((glob) => glob.startsWith("!")) ? undefined : `{${flat.join(",")}}`;
}

/** Puts together what was split at a comma inside braces: `*.{ts` and `js}` are `*.{ts,js}`. */
function rejoin(globs: readonly string[]): string[] {
	const out: string[] = [];
	let pieces: string[] = [];
	let open = 0;
	for (const glob of globs) {
		pieces.push(glob);
		open += depth(glob);
		if (open > 0) continue;
		out.push(pieces.join(","));
		[pieces, open] = [[], 0];
	}
	return pieces.length === 0 ? out : [...out, pieces.join(",")];
}

function depth(glob: string): number {
	let open = 0;
	for (const character of glob) if (character === "{") open++;
		else if (character === "}") open--;
	return open;
}

/** The globs that one glob with one level of braces stands for; undefined also if they are too many. */
function unbrace(glob: string): string[] | undefined {
	let globs = [""];
	for (GROUP.lastIndex = 0; GROUP.lastIndex < glob.length; ) {
		const [found = "", before = "", inside = ""] = GROUP.exec(glob) ?? [];
		const parts = inside.split(",");
		if (found === "" || globs.length * parts.length * glob.length > LONGEST) return undefined;
		globs = globs.flatMap((start) => parts.map((part) => start + before + part));
	}
	return globs;
}

/** A glob as the search tools take it: no `./` in front; `*.ts,*.js` is a list. */
export function cleanGlob(glob: string): string {
	const bare = glob.replace(/^(!?)(?:\.\/)+/, "$1");
	if (!bare.includes(",") || /[{}[\]\\]/.test(bare)) return bare;
	const parts = bare.split(",").map((part) => part.trim());
	return parts.every((part) => /^[^!\s]*\*[^\s]*$/.test(part)) ? (oneGlob(parts) ?? bare) : bare;
}

/**
 * A pattern for file names in which backslashes separate folders, with slashes. Where a backslash could as well be an
 * escape, nothing is changed.
 */
export function slashed(pattern: string): string {
	if (!pattern.includes("\\") || /[/^$+()|]|\\\.|\\$/.test(pattern)) return pattern;
	return /^(?:\*\*|[\w.-]+(?:\\[\w-]+)*)\\(?:\*\*\\|\w\w)/.test(pattern) ? pattern.replaceAll("\\", "/") : pattern;
}

/** A pattern for names that contain a text; a glob stays. */
export function fuzzy(text: string): string {
	if (text === "" || /[*?[\]{}]/.test(text)) return text;
	return text.includes("/") ? `**/*${text}*` : `*${text}*`;
}

/** The glob of one of ripgrep's file types, or of a plain extension that it would not know. */
export function globOfType(type: string): string | undefined {
	const name = type.trim().toLowerCase().replace(/^(?:\*?\.)/, "");
	const globs = FILE_TYPES.get(name) ?? (name === type.replace(/^(?:\*?\.)/, "") && type.startsWith(".") ? [`*.${name}`] : undefined);
	return globs === undefined ? undefined : oneGlob(globs);
}

/** Whether every file that `glob` finds is of the type whose glob is `ofType`. */
export function isWithinType(glob: string, ofType: string): boolean {
	const endings = new Set((unbrace(ofType) ?? []).map((part) => part.slice(part.lastIndexOf(".") + 1)));
	const parts = unbrace(glob);
	return parts !== undefined && parts.every((part) => /\.\w+$/.test(part) && endings.has(part.slice(part.lastIndexOf(".") + 1)));
}
