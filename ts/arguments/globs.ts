import { FILE_TYPES } from "./file-types.ts";

/** One glob for several, without braces inside braces (older ripgrep has none); undefined if a brace is left open. */
export function oneGlob(globs: readonly string[]): string | undefined {
	const flat: string[] = [];
	for (const glob of rejoin(globs)) {
		const parts = unbrace(glob);
		if (parts === undefined) return undefined;
		flat.push(...parts);
	}
	const [first] = flat;
	const [whole] = rejoin(globs);
	if (first === undefined || whole === undefined) return undefined;
	if (rejoin(globs).length === 1) return whole;
	return flat.some((glob) => glob.startsWith("!")) ? undefined : `{${flat.join(",")}}`;
}

/** Puts together what was split at a comma inside braces: `*.{ts` and `js}` are `*.{ts,js}`. */
function rejoin(globs: readonly string[]): string[] {
	const out: string[] = [];
	let open: string | undefined;
	for (const glob of globs) {
		const whole = open === undefined ? glob : `${open},${glob}`;
		if (depth(whole) > 0) open = whole;
		else {
			out.push(whole);
			open = undefined;
		}
	}
	return open === undefined ? out : [...out, open];
}

function depth(glob: string): number {
	let open = 0;
	for (const character of glob) if (character === "{") open++;
		else if (character === "}") open--;
	return open;
}

/** The globs that one glob with one level of braces stands for. */
function unbrace(glob: string): string[] | undefined {
	if (depth(glob) !== 0) return undefined;
	const match = /^([^{}]*)\{([^{}]*)\}(.*)$/s.exec(glob);
	if (match === null) return /[{}]/.test(glob) ? undefined : [glob];
	const [, before = "", inside = "", after = ""] = match;
	const rest = unbrace(after);
	return rest === undefined ? undefined : inside.split(",").flatMap((part) => rest.map((tail) => before + part + tail));
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
