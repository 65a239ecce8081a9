import { isRecord, type Rename, type Row, type Table } from "./types.ts";

/** What a key of a call stands for. */
export type Meaning =
	| { readonly is: "field"; readonly name: string }
	| { readonly is: "row"; readonly row: Row }
	/** A key of a single pair that was sent without its list. `number`: the suffix of `old_str_1`. */
	| { readonly is: "part"; readonly number: string };

interface Names {
	readonly exact: ReadonlyMap<string, readonly Meaning[]>;
	readonly folded: ReadonlyMap<string, readonly Meaning[]>;
}

const LONGEST = 64; // characters: no name is longer, and nothing longer is folded
const known = new WeakMap<Table, Names>();

/** What a key means in a table: by its exact spelling, and only if that is unknown by its letters and digits. */
export function meaningOf(table: Table, key: string, value: unknown): Meaning | undefined {
	if (key.length > LONGEST) return undefined;
	const names = namesOf(table);
	const exact = pick(names.exact.get(key), value);
	if (exact !== undefined) return exact;
	const item = table.pairs?.item;
	if (item !== undefined && isPart(pick(namesOf(item).exact.get(key), value))) return UNNUMBERED;
	const folded = pick(names.folded.get(fold(key)), value) ?? (item === undefined ? undefined : partOf(item, key, value));
	if (folded !== undefined || !key.includes("<")) return folded;
	const bare = untagged(key);
	const meaning = bare === key ? undefined : meaningOf(table, bare, value);
	return meaning?.is === "field" ? { is: "row", row: { alias: key, to: meaning.name, source: "spelling" } } : meaning;
}

/** A key without the tags that models of the GLM family leak: `bash<arg_key>command`, `path</arg_key>`. */
function untagged(key: string): string {
	return /^(?:[^<>]*<arg_key>)*\s*([\w.-]+)\s*(?:<\/arg_key>)*$/.exec(key)?.[1] ?? key;
}

const UNNUMBERED: Meaning = { is: "part", number: "" };

/** A key without case and separators. Empty for one letter: `-c` and `-C` are different options. */
export function fold(key: string): string {
	const letters = key.toLowerCase().replace(/[^a-z0-9]+/g, "");
	return letters.length > 1 ? letters : "";
}

/** Takes `edits[0].oldText` apart; undefined for any other key. */
export function flattened(key: string): { readonly list: string; readonly index: number; readonly key: string } | undefined {
	const match = key.length > LONGEST || !/[[.]/.test(key) ? null : /^(\w+)(?:\[(\d{1,4})\]|\.(\d{1,4}))(?:\.(\w+)|\[["']?(\w+)["']?\])$/.exec(key);
	if (match === null) return undefined;
	return { list: match[1] ?? "", index: Number(match[2] ?? match[3]), key: match[4] ?? match[5] ?? "" };
}

function partOf(item: Table, key: string, value: unknown): Meaning | undefined {
	const plain = meaningOf(item, key, value);
	if (isPart(plain)) return UNNUMBERED;
	const numbered = /^(.*?)_?(\d{1,3})$/.exec(key);
	if (numbered === null) return undefined;
	const base = meaningOf(item, numbered[1] ?? "", value);
	if (base?.is === "row" && "drop" in base.row) return base;
	return isPart(base) ? { is: "part", number: numbered[2] ?? "" } : undefined;
}

function isPart(meaning: Meaning | undefined): boolean {
	return meaning?.is === "field" || (meaning?.is === "row" && "to" in meaning.row);
}

function pick(meanings: readonly Meaning[] | undefined, value: unknown): Meaning | undefined {
	return meanings?.find((meaning) => meaning.is !== "row" || meaning.row.when === undefined || holds(meaning.row.when, value));
}

function holds(when: NonNullable<Row["when"]>, value: unknown): boolean {
	if (when === "list") return Array.isArray(value);
	return when === "object" ? isRecord(value) && Object.keys(value).length > 0 : typeof value === when;
}

function namesOf(table: Table): Names {
	const names = known.get(table) ?? build(table);
	known.set(table, names);
	return names;
}

function build(table: Table): Names {
	const exact = new Map<string, Meaning[]>();
	const folded = new Map<string, Meaning[]>();
	const add = (map: Map<string, Meaning[]>, key: string, meaning: Meaning) => {
		if (key !== "") map.set(key, [...(map.get(key) ?? []), meaning]);
	};
	for (const name of Object.keys(table.fields)) {
		add(exact, name, { is: "field", name });
		const spelling: Rename = { alias: name, to: name, source: "spelling" };
		add(folded, fold(name), { is: "row", row: spelling });
	}
	for (const row of table.rows) {
		add(exact, row.alias, { is: "row", row });
		add(folded, fold(row.alias), { is: "row", row });
	}
	return { exact, folded };
}
