// The list of pairs: as text, as one pair, as pairs without a list, under other names, or for several files.
import { applyTable } from "./apply.ts";
import type { Call } from "./call.ts";
import { flattened, meaningOf } from "./keys.ts";
import { looksStructured, parseStructure } from "./lenient-json.ts";
import { samePath } from "./paths.ts";
import { refuse, show } from "./refuse.ts";
import { isSame } from "./same.ts";
import { type Arguments, isRecord, type Table } from "./types.ts";

/** Pairs that were sent without a list, by the number in their names. */
export type Loose = Map<string, Record<string, unknown>>;
type Pairs = NonNullable<Table["pairs"]>;

/** Brings the list of pairs into its form. */
export function applyPairs(call: Call, pairs: Pairs, loose: Loose): void {
	const sent = call.values.get(pairs.field);
	const isSent = sent !== undefined;
	const notes = call.changed.length;
	const list = isSent ? listOf(call, pairs, sent) : [];
	if (!Array.isArray(list)) {
		call.changed.length = notes;
		if (loose.size > 0) refuse(call.tool, `${pairs.field} ${show(list)} and ${namesOf(loose)}`, `send ${pairs.field} as a list of objects`);
		return;
	}
	const items = list.map((item, index) => itemOf(call, pairs, item, `${pairs.field}[${index}].`));
	for (const [number, pair] of [...loose].toSorted(([a], [b]) => Number(a) - Number(b))) addLoose(call, pairs, items, pair, number);
	const shared = items.map((item) => takeShared(item, pairs));
	shareOne(call, pairs, shared);
	if (isSent || items.length > 0) call.values.set(pairs.field, items);
}

const DEEPEST = 8; // wrappers

/** The entries of whatever holds the pairs; the value itself if it holds none. */
function listOf(call: Call, pairs: Pairs, value: unknown, depth = 0): unknown {
	const { field, item } = pairs;
	if (Array.isArray(value) && value.length === 1 && Array.isArray(value[0])) return listOf(call, pairs, noteNested(call, field, value[0]), depth + 1);
	if (Array.isArray(value) || depth > DEEPEST) return value;
	if (typeof value === "string") {
		const inner = parseStructure(value);
		if (inner === undefined) return looksStructured(value) ? refuse(call.tool, `${field} as text that is not JSON`, `send ${field} as a list of objects`) : value;
		call.changed.push(`${field}: JSON text → list`);
		return listOf(call, pairs, inner, depth + 1);
	}
	if (!isRecord(value)) return value;
	const keys = Object.keys(value);
	const [key = ""] = keys;
	if (keys.some((name) => isPartOf(item, name, value[name]))) {
		call.changed.push(`${field}: one object → list`);
		return [value];
	}
	if (keys.length === 0) {
		call.changed.push(`${field}: {} → list`);
		return [];
	}
	const wrapped = value[key];
	if (keys.length > 1 || typeof wrapped !== "object" || wrapped === null) return value;
	call.changed.push(`${field}.${key} → unwrapped`);
	return listOf(call, pairs, wrapped, depth + 1);
}

function noteNested<T>(call: Call, field: string, list: T): T {
	call.changed.push(`${field}: list in a list → list`);
	return list;
}

function isPartOf(item: Table, name: string, value: unknown): boolean {
	const meaning = meaningOf(item, name, value);
	return meaning?.is === "field" || (meaning?.is === "row" && "to" in meaning.row);
}

function itemOf(call: Call, { item }: Pairs, value: unknown, where: string): unknown {
	const inner = typeof value === "string" ? parseStructure(value) : value;
	if (!isRecord(inner)) return value;
	if (inner !== value) call.changed.push(`${where.slice(0, -1)}: JSON text → object`);
	return Object.fromEntries(applyTable(call.tool, where, item, inner, call.changed).values);
}

/** Adds a pair that stood beside the list, where a complete one is told from a left-over. */
function addLoose(call: Call, pairs: Pairs, items: unknown[], pair: Readonly<Record<string, unknown>>, number: string): void {
	const names = Object.keys(pair);
	const plain = number === "" ? pair : Object.fromEntries(names.map((name) => [name.replace(/_?\d+$/, ""), pair[name]]));
	const texts = names.map((name) => pair[name]);
	const hasList = items.length > 0;
	// Models fill fields they do not need with null or the empty text.
	if (hasList && texts.every((text) => text === null || text === "")) {
		call.changed.push(`${names.join(" and ")} dropped`);
		return;
	}
	const notes = call.changed.length;
	const item = itemOf(call, pairs, plain, "");
	const isComplete = isRecord(item) && Object.keys(pairs.item.fields).every((name) => pairs.item.fields[name]?.required !== true || Object.hasOwn(item, name));
	if (hasList && !isComplete) {
		call.changed.length = notes;
		for (const name of names) call.values.set(name, pair[name]);
		return;
	}
	call.changed.push(`${names.join(" and ")} → ${pairs.field}`);
	if (!items.some((other) => isSame(other, item))) items.push(item);
}

/** Takes the field that all pairs must share out of a pair. */
function takeShared(item: unknown, { once }: Pairs): unknown {
	if (!isRecord(item) || !Object.hasOwn(item, once)) return undefined;
	const value = item[once];
	delete (item as Record<string, unknown>)[once]; // `itemOf` made this object
	return value;
}

function shareOne(call: Call, { once, field }: Pairs, shared: readonly unknown[]): void {
	for (const value of shared) {
		if (value === undefined) continue;
		const sent = call.values.get(once);
		if (sent === undefined || sent === "") {
			call.values.set(once, value);
			call.changed.push(`${field}[].${once} → ${once}`);
		} else if (typeof sent !== "string" || typeof value !== "string" || !samePath(sent, value)) {
			refuse(call.tool, `${field} for ${show(sent)} and ${show(value)}`, `one call changes one file, so send one call for each ${once}`);
		}
	}
}

function namesOf(loose: Loose): string {
	return [...loose.values()].flatMap((pair) => Object.keys(pair)).map(show).join(", ");
}

/** Rebuilds a list from keys like `edits[0].oldText`. */
export function joinFlattened(call: Call, args: Arguments): Arguments {
	const { pairs } = call.table;
	if (pairs === undefined || Object.hasOwn(args, pairs.field) || !Object.keys(args).some((key) => flattened(key) !== undefined)) return args;
	const items = new Map<number, Record<string, unknown>>();
	const rest: [string, unknown][] = [];
	for (const [key, value] of Object.entries(args)) {
		const flat = flattened(key);
		const meaning = flat === undefined ? undefined : meaningOf(call.table, flat.list, []);
		const isList = (meaning?.is === "field" && meaning.name === pairs.field) || (meaning?.is === "row" && "to" in meaning.row && meaning.row.to === pairs.field);
		if (flat === undefined || !isList) rest.push([key, value]);
		else items.set(flat.index, { ...items.get(flat.index), [flat.key]: value });
	}
	if (items.size === 0) return args;
	call.changed.push(`flattened keys → ${pairs.field}`);
	const list = [...items].toSorted(([a], [b]) => a - b).map(([, item]) => item);
	return Object.fromEntries([...rest, [pairs.field, list]]);
}
