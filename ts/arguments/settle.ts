// What becomes of the values that were sent for one field.
import type { Call } from "./call.ts";
import type { WaitingRoom } from "./derive/waiting.ts";
import { fuzzy } from "./globs.ts";
import { integerOf, rangeOf } from "./lines.ts";
import { refuse, show } from "./refuse.ts";
import { disagree, isSame, push } from "./same.ts";
import type { Field, Rename } from "./types.ts";
import { isOmitted, repair } from "./values.ts";

/** A value that came under another name. */
export interface Sent {
	readonly key: string;
	readonly value: unknown;
	readonly row: Rename;
}

/** Decides the value of one field. */
export function settle(call: Call, name: string, sent: readonly Sent[], waiting: WaitingRoom): void {
	const field = call.table.fields[name];
	if (field === undefined) return;
	const own = call.own.get(name);
	const others = sent.filter(({ value }) => !isOmitted(field, value));
	if (call.own.has(name) && (!isOmitted(field, own) || (own === "" && field.required === true && others.length === 0))) {
		for (const { key } of sent) call.changed.push(`${call.where}${key} ignored, ${name} was sent`);
		if (waits(call, field, name, own, waiting)) return;
		const notes = call.changed.length;
		const value = repair(call, field, name, own);
		if (value !== own && call.changed.length === notes) call.changed.push(`${call.where}${name} repaired`);
		if (value === own) call.values.set(name, value);
		else place(call, name, field, name, value);
		return;
	}
	if (others.length === 0) return omit(call, name, field, sent);
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
function omit(call: Call, name: string, field: Field, sent: readonly Sent[]): void {
	const [first] = call.own.has(name) ? [{ key: name, value: call.own.get(name) }] : sent;
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
			// A duration that brings its unit needs no other.
			return typeof number === "number" && Number.isFinite(number) ? number / 1000 : repair(call, field, key, value);
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
