// One table applied to one call: names, then values, then what concerns several fields.
import { isDeepStrictEqual } from "node:util";
import type { Call } from "./call.ts";
import { DERIVATIONS, type WaitingRoom } from "./derive.ts";
import { fuzzy } from "./globs.ts";
import { meaningOf } from "./keys.ts";
import { integerOf, rangeOf } from "./lines.ts";
import { applyPairs, joinFlattened, type Loose } from "./pairs.ts";
import { refuse, show } from "./refuse.ts";
import type { Arguments, Drop, Field, Rename, Table } from "./types.ts";
import { isOmitted, repair } from "./values.ts";

interface Sent {
	readonly key: string;
	readonly value: unknown;
	readonly row: Rename;
}

/** Repairs the keys and values of one object. The object itself is not touched. @throws SluiceError `INVALID_ARGUMENTS` */
export function applyTable(tool: string, where: string, table: Table, args: Arguments, changed: string[]): Call {
	const call: Call = { tool, where, table, values: new Map(), changed };
	const canonical = new Map<string, unknown>();
	const aliases = new Map<string, Sent[]>();
	const waiting: WaitingRoom = new Map();
	const loose: Loose = new Map();
	for (const [key, value] of Object.entries(joinFlattened(call, args))) {
		if (value === undefined) continue;
		const meaning = meaningOf(table, key, value);
		if (meaning === undefined) call.values.set(key, value);
		else if (meaning.is === "field") {
			canonical.set(key, value);
			call.values.set(key, undefined); // keeps the place
		} else if (meaning.is === "part") {
			loose.set(meaning.number, { ...loose.get(meaning.number), [key]: value });
			if (table.pairs !== undefined && !call.values.has(table.pairs.field)) call.values.set(table.pairs.field, undefined);
		} else if ("to" in meaning.row) {
			const { row } = meaning;
			if (!call.values.has(row.to)) call.values.set(row.to, undefined);
			if (row.as !== undefined && DERIVATIONS.has(row.as)) {
				if (!isNothing(value)) push(waiting, row.as, { key, value, to: row.to });
				else changed.push(`${where}${key} dropped`);
			} else push(aliases, row.to, { key, value, row });
		} else if ("drop" in meaning.row) drop(call, meaning.row, key, value);
		else if (value === null || (meaning.row.instead !== undefined && Object.hasOwn(args, meaning.row.instead))) call.values.set(key, value);
		else refuse(tool, `${where}${key} ${show(value)}`, meaning.row.refuse);
	}
	if (table.pairs !== undefined && loose.size > 0) forget(table.pairs.field, canonical, aliases);
	for (const [name, field] of Object.entries(table.fields)) settle(call, name, field, canonical, aliases.get(name) ?? [], waiting);
	for (const [conversion, derive] of waiting.size === 0 ? [] : DERIVATIONS) {
		const values = waiting.get(conversion) ?? [];
		const [first] = values;
		if (first === undefined) continue;
		for (const other of values) if (!isSame(first.value, other.value)) disagree(call, first, other);
		derive(call, first, waiting);
	}
	if (table.pairs !== undefined) applyPairs(call, table.pairs, loose);
	for (const [name, field] of Object.entries(table.fields)) if (field.kind === "line") startAtOne(call, name);
	for (const [key, value] of call.values) if (value === undefined) call.values.delete(key);
	return call;
}

/** With a pair beside it, an empty list is only a field that was filled in. */
function forget(field: string, canonical: Map<string, unknown>, aliases: Map<string, Sent[]>): void {
	const isEmpty = (value: unknown) => value === null || value === "";
	if (isEmpty(canonical.get(field))) canonical.delete(field);
	if (aliases.get(field)?.every(({ value }) => isEmpty(value))) aliases.delete(field);
}

/** Decides the value of one field. */
function settle(call: Call, name: string, field: Field, canonical: ReadonlyMap<string, unknown>, sent: readonly Sent[], waiting: WaitingRoom): void {
	const own = canonical.get(name);
	const others = sent.filter(({ value }) => !isOmitted(field, value));
	if (canonical.has(name) && (!isOmitted(field, own) || (own === "" && field.required === true && others.length === 0))) {
		for (const { key } of sent) call.changed.push(`${call.where}${key} ignored, ${name} was sent`);
		if (waits(call, field, name, own, waiting)) return;
		const notes = call.changed.length;
		const value = repair(call, field, name, own);
		if (value !== own && call.changed.length === notes) call.changed.push(`${call.where}${name} repaired`);
		if (value === own) call.values.set(name, value);
		else place(call, name, field, name, value);
		return;
	}
	if (others.length === 0) return omit(call, name, field, canonical, sent);
	const values = others
		.filter((other) => !waits(call, field, other.key, other.value, waiting))
		.map((other) => ({ key: other.key, value: convert(call, field, other), as: other.row.as }));
	const [first, ...rest] = values;
	if (first === undefined) return;
	for (const other of rest) if (other.as !== "widest" && !isSame(first.value, other.value)) disagree(call, first, other);
	const numbers = values.map(({ value }) => value).filter((value) => typeof value === "number");
	const value = first.as === "widest" && numbers.length === values.length ? Math.max(...numbers) : first.value;
	if (value !== undefined) place(call, name, field, first.key, value);
	for (const { key } of values) call.changed.push(`${call.where}${key} → ${name}`);
}

/** A field for which nothing was sent but nulls or empty texts. */
function omit(call: Call, name: string, field: Field, canonical: ReadonlyMap<string, unknown>, sent: readonly Sent[]): void {
	const [first] = canonical.has(name) ? [{ key: name, value: canonical.get(name) }] : sent;
	if (first === undefined) return;
	place(call, name, field, first.key, first.value);
	call.changed.push(field.required === true ? `${call.where}${first.key} → ${name}` : `${call.where}${first.key} dropped`);
}

/** Sets a field, unless its value says that there is none. A validator would take a null for the text "null". */
function place(call: Call, name: string, field: Field, key: string, value: unknown): void {
	if (value === null && field.required === true) refuse(call.tool, `${call.where}${key} null`, field.send ?? `send ${name}`);
	if (field.required === true || !isOmitted(field, value)) call.values.set(name, value);
}

/** A line range where one number belongs concerns two fields. */
function waits(call: Call, field: Field, key: string, value: unknown, waiting: WaitingRoom): boolean {
	if (call.table.lines === undefined || (field.kind !== "line" && field.kind !== "count")) return false;
	if (typeof value === "number" || rangeOf(value) === undefined) return false;
	push(waiting, "range", { key, value, to: call.table.lines.first });
	return true;
}

function convert(call: Call, field: Field, { key, value, row }: Sent): unknown {
	switch (row.as) {
		case "not": {
			const flag = repair(call, field, key, value);
			return typeof flag === "boolean" ? !flag : flag;
		}
		case "milliseconds": {
			const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
			return typeof number === "number" && Number.isFinite(number) ? number / 1000 : value;
		}
		case "one":
			return Array.isArray(value) && value.length > 1 ? refuse(call.tool, `${key} ${show(value)}`, `send one ${row.to}, and one call for each`) : repair(call, field, key, value);
		case "from-zero": {
			const line = integerOf(value);
			return line === undefined ? value : line + 1;
		}
		case "total": {
			const count = integerOf(value);
			return count === 0 || count === -1 ? undefined : (count ?? value);
		}
		case "fuzzy":
			return typeof value === "string" ? fuzzy(value) : repair(call, field, key, value);
		default:
			return repair(call, field, key, value);
	}
}

function drop(call: Call, row: Drop, key: string, value: unknown): void {
	const plain = typeof value === "string" ? value.trim().toLowerCase() : value;
	if (row.unless?.some((bad) => bad === plain || String(bad) === plain)) refuse(call.tool, `${call.where}${key} ${show(value)}`, row.send ?? "leave it out");
	call.changed.push(`${call.where}${key} dropped`);
}

function startAtOne(call: Call, name: string): void {
	const line = call.values.get(name);
	if (typeof line !== "number" || line >= 1) return;
	if (line < 0) refuse(call.tool, `${name} ${line}`, "send a line number from 1 on; to see the end of a file use tail in bash");
	call.values.set(name, 1);
	call.changed.push(`${name} 0 → 1`);
}

/** Whether two values are equal, as far down as can be compared. */
export function isSame(a: unknown, b: unknown): boolean {
	try {
		return a === b || (typeof a === "object" && isDeepStrictEqual(a, b));
	} catch {
		return false; // nested too deeply to compare
	}
}

function disagree(call: Call, a: { key: string; value: unknown }, b: { key: string; value: unknown }): never {
	return refuse(call.tool, `${call.where}${a.key} ${show(a.value)} and ${call.where}${b.key} ${show(b.value)}`, "they mean the same and differ, so send one of them");
}

function isNothing(value: unknown): boolean {
	return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
	const list = map.get(key);
	if (list === undefined) map.set(key, [value]);
	else list.push(value);
}
