// First and last lines, and numbers of them.
import type { Call } from "../call.ts";
import { integerOf, type LineRange, rangeOf } from "../lines.ts";
import { show } from "../refuse.ts";
import { repair } from "../values.ts";
import { keep, note, refuseWaiting, type Waiting, type WaitingRoom } from "./waiting.ts";

/** First and last line in one value. */
export function range(call: Call, waiting: Waiting): void {
	const found = rangeOf(waiting.value);
	if (found === undefined) return keep(call, waiting);
	if (found === "ambiguous") refuseWaiting(call, waiting, "send the first line as offset and the number of lines as limit");
	setRange(call, waiting, found);
}

function setRange(call: Call, waiting: Waiting, { first, last }: LineRange): void {
	const { lines } = call.table;
	if (lines === undefined) return keep(call, waiting);
	if (first < 1) refuseWaiting(call, waiting, `line numbers start at 1, so send ${lines.first} and ${lines.count}`);
	const sentFirst = call.values.get(lines.first);
	const sentCount = call.values.get(lines.count);
	const count = last === undefined ? undefined : countOf(call, waiting, first, last);
	const differs = (sentFirst ?? first) !== first || (count !== undefined && (sentCount ?? count) !== count);
	if (sentFirst !== undefined && sentCount !== undefined) return note(call, waiting, `ignored, ${lines.first} and ${lines.count} were sent`);
	if (differs) refuseWaiting(call, waiting, `another ${lines.first} or ${lines.count} was sent too; send only these two`);
	call.values.set(lines.first, first);
	if (count !== undefined) call.values.set(lines.count, count);
	note(call, waiting, `→ ${lines.first} and ${lines.count}`);
}

/** The last line, beside the first. `add` is 1 if it counts from 0. */
export function lastLine(call: Call, waiting: Waiting, add: 0 | 1): void {
	const sentLast = integerOf(waiting.value);
	const last = sentLast === undefined ? undefined : sentLast + add;
	const { lines } = call.table;
	if (last === undefined || lines === undefined) return keep(call, waiting);
	const sent = call.values.get(lines.first);
	const first = sent ?? 1;
	if (typeof first !== "number") return keep(call, waiting);
	if (sentLast === -1) return note(call, waiting, "dropped, it means the end");
	if (first < 1) refuseWaiting(call, waiting, `the first line was ${first}, but line numbers start at 1: send ${lines.first} and ${lines.count}`);
	const count = countOf(call, waiting, first, last);
	const other = call.values.get(lines.count);
	if (other !== undefined && call.own.has(lines.count)) return note(call, waiting, `ignored, ${lines.count} was sent`);
	if (other !== undefined && other !== count) refuseWaiting(call, waiting, `${lines.count} ${show(other)} says otherwise: send one of them`);
	call.values.set(lines.count, count);
	note(call, waiting, `→ ${lines.count}`);
}

function countOf(call: Call, waiting: Waiting, first: number, last: number): number {
	const count = last - first + 1;
	return count >= 1 ? count : refuseWaiting(call, waiting, `line ${last} comes before line ${first}: send the first line as offset and the number of lines as limit`);
}

/** True: neither first line nor number of lines. */
export function whole(call: Call, waiting: Waiting, room: WaitingRoom): void {
	const { lines } = call.table;
	const flag = repair(call, { kind: "flag" }, waiting.key, waiting.value);
	if (typeof flag !== "boolean" || lines === undefined) return keep(call, waiting);
	if (flag) {
		for (const field of [lines.first, lines.count]) call.values.set(field, undefined);
		room.delete("range");
		room.delete("last-line");
		room.delete("last-from-zero");
	}
	note(call, waiting, "dropped");
}

/** Results to leave out at the front: more are asked for, so that the wanted ones are among them. */
export function skip(call: Call, waiting: Waiting): void {
	const count = integerOf(waiting.value);
	if (count === undefined || count < 0) return keep(call, waiting);
	const limit = call.values.get(waiting.to) ?? call.table.fields[waiting.to]?.fallback;
	if (count > 0 && typeof limit === "number") call.values.set(waiting.to, limit + count);
	note(call, waiting, count > 0 ? `→ a larger ${waiting.to}` : "dropped");
}
