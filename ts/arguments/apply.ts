// One table applied to one call: names, then values, then what concerns several fields.
import type { Call } from "./call.ts";
import { DERIVATIONS } from "./derive/index.ts";
import type { WaitingRoom } from "./derive/waiting.ts";
import { meaningOf } from "./keys.ts";
import { applyPairs, joinFlattened, type Loose } from "./pairs.ts";
import { refuse, show } from "./refuse.ts";
import { disagree, isSame, push } from "./same.ts";
import { type Sent, settle } from "./settle.ts";
import type { Arguments, Drop, Table } from "./types.ts";

/** The keys of a call, by what they mean. */
interface Gathered {
	readonly canonical: Map<string, unknown>;
	readonly aliases: Map<string, Sent[]>;
	readonly waiting: WaitingRoom;
	readonly loose: Loose;
}

/** Repairs the keys and values of one object. The object itself is not touched. @throws SluiceError `INVALID_ARGUMENTS` */
export function applyTable(tool: string, where: string, table: Table, args: Arguments, changed: string[]): Call {
	const canonical = new Map<string, unknown>();
	const call: Call = { tool, where, table, values: new Map(), own: canonical, changed };
	const { aliases, waiting, loose } = gather(call, canonical, joinFlattened(call, args));
	for (const name of Object.keys(table.fields)) settle(call, name, aliases.get(name) ?? [], waiting);
	if (waiting.size > 0) derive(call, waiting);
	if (table.pairs !== undefined) applyPairs(call, table.pairs, loose);
	for (const [name, field] of Object.entries(table.fields)) if (field.kind === "line") startAtOne(call, name);
	for (const [key, value] of call.values) if (value === undefined) call.values.delete(key);
	return call;
}

/** Tells the keys apart. Unknown ones keep their place among the values, and every field gets one. */
function gather(call: Call, canonical: Map<string, unknown>, args: Arguments): Gathered {
	const { table, values } = call;
	const gathered: Gathered = { canonical, aliases: new Map(), waiting: new Map(), loose: new Map() };
	for (const [key, value] of Object.entries(args)) {
		if (value === undefined) continue;
		const meaning = meaningOf(table, key, value);
		if (meaning === undefined) values.set(key, value);
		else if (meaning.is === "field") {
			canonical.set(key, value);
			keepPlace(call, key);
		} else if (meaning.is === "part") {
			gathered.loose.set(meaning.number, { ...gathered.loose.get(meaning.number), [key]: value });
			keepPlace(call, table.pairs?.field ?? key);
		} else if ("to" in meaning.row) gatherRename(call, gathered, { key, value, row: meaning.row });
		else if ("drop" in meaning.row) drop(call, meaning.row, key, value);
		else if (value === null || (meaning.row.instead !== undefined && Object.hasOwn(args, meaning.row.instead))) values.set(key, value);
		else refuse(call.tool, `${call.where}${key} ${show(value)}`, meaning.row.refuse);
	}
	if (table.pairs !== undefined && gathered.loose.size > 0) forget(table.pairs.field, gathered);
	return gathered;
}

function gatherRename(call: Call, { aliases, waiting }: Gathered, sent: Sent): void {
	const { key, value, row } = sent;
	keepPlace(call, row.to);
	if (row.as === undefined || !DERIVATIONS.has(row.as)) push(aliases, row.to, sent);
	else if (isNothing(value)) call.changed.push(`${call.where}${key} dropped`);
	else push(waiting, row.as, { key, value, to: row.to });
}

function keepPlace({ values }: Call, field: string): void {
	if (!values.has(field)) values.set(field, undefined);
}

function derive(call: Call, waiting: WaitingRoom): void {
	for (const [conversion, run] of DERIVATIONS) {
		const [first, ...others] = waiting.get(conversion) ?? [];
		if (first === undefined) continue;
		for (const other of others) if (!isSame(first.value, other.value)) disagree(call, first, other);
		run(call, first, waiting);
	}
}

/** With a pair beside it, an empty list is only a field that was filled in. */
function forget(field: string, { canonical, aliases }: Gathered): void {
	const isEmpty = (value: unknown) => value === null || value === "";
	if (isEmpty(canonical.get(field))) canonical.delete(field);
	if (aliases.get(field)?.every(({ value }) => isEmpty(value))) aliases.delete(field);
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

function isNothing(value: unknown): boolean {
	return value === null || value === "" || (Array.isArray(value) && value.length === 0);
}
