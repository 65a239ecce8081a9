// Conversions that touch more than one field, or another one than the name says. They run after the plain ones.
import type { Call } from "./call.ts";
import { inDirectory, withView } from "./command.ts";
import { cleanGlob, globOfType, isWithinType, oneGlob } from "./globs.ts";
import { integerOf, type LineRange, rangeOf } from "./lines.ts";
import { cleanPath } from "./paths.ts";
import { refuse, show } from "./refuse.ts";
import type { Conversion } from "./types.ts";
import { repair } from "./values.ts";

/** A value that waits for the plain fields. */
export interface Waiting {
	readonly key: string;
	readonly value: unknown;
	readonly to: string;
}

/** Values that wait, by their conversion. */
export type WaitingRoom = Map<Conversion, Waiting[]>;

type Derivation = (call: Call, waiting: Waiting, room: WaitingRoom) => void;

/** In the order in which they run. Every conversion that is not here is plain. */
export const DERIVATIONS: ReadonlyMap<Conversion, Derivation> = new Map<Conversion, Derivation>([
	["whole", whole],
	["range", range],
	["last-line", (call, waiting) => lastLine(call, waiting, 0)],
	["last-from-zero", (call, waiting) => lastLine(call, waiting, 1)],
	["skip", skip],
	["file-type", fileType],
	["exclude", exclude],
	["empty", empty],
	["line-end", lineEnd],
	["directory", directory],
	["head", (call, waiting) => view(call, waiting, "head")],
	["tail", (call, waiting) => view(call, waiting, "tail")],
]);

function range(call: Call, waiting: Waiting): void {
	const found = rangeOf(waiting.value);
	if (found === undefined) return keep(call, waiting);
	if (found === "ambiguous") refuseAt(call, waiting, "send the first line as offset and the number of lines as limit");
	setRange(call, waiting, found);
}

function setRange(call: Call, waiting: Waiting, { first, last }: LineRange): void {
	const { lines } = call.table;
	if (lines === undefined) return keep(call, waiting);
	if (first < 1) refuseAt(call, waiting, `line numbers start at 1, so send ${lines.first} and ${lines.count}`);
	const sentFirst = call.values.get(lines.first);
	const sentCount = call.values.get(lines.count);
	const count = last === undefined ? undefined : countOf(call, waiting, first, last);
	const differs = (sentFirst ?? first) !== first || (count !== undefined && (sentCount ?? count) !== count);
	if (sentFirst !== undefined && sentCount !== undefined) return changed(call, waiting, `ignored, ${lines.first} and ${lines.count} were sent`);
	if (differs) refuseAt(call, waiting, `another ${lines.first} or ${lines.count} was sent too; send only these two`);
	call.values.set(lines.first, first);
	if (count !== undefined) call.values.set(lines.count, count);
	changed(call, waiting, `→ ${lines.first} and ${lines.count}`);
}

function lastLine(call: Call, waiting: Waiting, add: 0 | 1): void {
	const sentLast = integerOf(waiting.value);
	const last = sentLast === undefined ? undefined : sentLast + add;
	const { lines } = call.table;
	if (last === undefined || lines === undefined) return keep(call, waiting);
	const sent = call.values.get(lines.first);
	const first = sent ?? 1;
	if (typeof first !== "number") return keep(call, waiting);
	if (sentLast === -1) return changed(call, waiting, "dropped, it means the end");
	if (first < 1) refuseAt(call, waiting, `the first line was ${first}, but line numbers start at 1: send ${lines.first} and ${lines.count}`);
	const count = countOf(call, waiting, first, last);
	const other = call.values.get(lines.count);
	if (other !== undefined && other !== count) refuseAt(call, waiting, `${lines.count} ${show(other)} says otherwise: send one of them`);
	call.values.set(lines.count, count);
	changed(call, waiting, `→ ${lines.count}`);
}

function countOf(call: Call, waiting: Waiting, first: number, last: number): number {
	const count = last - first + 1;
	return count >= 1 ? count : refuseAt(call, waiting, `line ${last} comes before line ${first}: send the first line as offset and the number of lines as limit`);
}

function whole(call: Call, waiting: Waiting, room: WaitingRoom): void {
	const { lines } = call.table;
	const flag = repair(call, { kind: "flag" }, waiting.key, waiting.value);
	if (typeof flag !== "boolean" || lines === undefined) return keep(call, waiting);
	if (flag) {
		for (const field of [lines.first, lines.count]) call.values.set(field, undefined);
		room.delete("range");
		room.delete("last-line");
		room.delete("last-from-zero");
	}
	changed(call, waiting, "dropped");
}

function skip(call: Call, waiting: Waiting): void {
	const count = integerOf(waiting.value);
	if (count === undefined || count < 0) return keep(call, waiting);
	const limit = call.values.get(waiting.to) ?? call.table.fields[waiting.to]?.fallback;
	if (count > 0 && typeof limit === "number") call.values.set(waiting.to, limit + count);
	changed(call, waiting, count > 0 ? `→ a larger ${waiting.to}` : "dropped");
}

function fileType(call: Call, waiting: Waiting): void {
	const types = typeof waiting.value === "string" ? waiting.value.split(",") : waiting.value;
	if (!Array.isArray(types) || types.length === 0 || !types.every((type) => typeof type === "string")) return keep(call, waiting);
	const globs = types.map(globOfType);
	const glob = globs.every((each) => each !== undefined) ? oneGlob(globs) : undefined;
	if (glob === undefined) return refuseAt(call, waiting, `send ${waiting.to} instead, for example *.ts`);
	const sent = call.values.get(waiting.to);
	if (typeof sent === "string" && !isWithinType(sent, glob)) refuseAt(call, waiting, `${waiting.to} ${show(sent)} was sent too: send ${waiting.to} alone`);
	if (sent === undefined) call.values.set(waiting.to, glob);
	changed(call, waiting, `→ ${waiting.to}`);
}

function exclude(call: Call, waiting: Waiting): void {
	const globs = Array.isArray(waiting.value) ? waiting.value : [waiting.value];
	if (globs.length === 0) return changed(call, waiting, "dropped");
	if (!globs.every((glob) => typeof glob === "string")) return keep(call, waiting);
	const glob = oneGlob(globs.map((each) => cleanGlob(each).replace(/^!/, "")));
	const sent = call.values.get(waiting.to);
	if (glob === undefined || sent !== undefined)
		refuseAt(call, waiting, `${waiting.to} holds one glob, either of files to search or, with ! in front, of files to leave out: send one`);
	call.values.set(waiting.to, `!${glob}`);
	changed(call, waiting, `→ ${waiting.to}`);
}

function empty(call: Call, waiting: Waiting): void {
	const flag = repair(call, { kind: "flag" }, waiting.key, waiting.value);
	if (typeof flag !== "boolean") return keep(call, waiting);
	if (flag && call.values.get(waiting.to) === undefined) call.values.set(waiting.to, "");
	changed(call, waiting, flag ? `→ ${waiting.to}` : "dropped");
}

function lineEnd(call: Call, waiting: Waiting): void {
	const flag = repair(call, { kind: "flag" }, waiting.key, waiting.value);
	const text = call.values.get(waiting.to);
	if (typeof flag !== "boolean" || typeof text !== "string") return keep(call, waiting);
	const isMissing = flag && text !== "" && !text.endsWith("\n");
	if (isMissing) call.values.set(waiting.to, `${text}\n`);
	changed(call, waiting, isMissing ? `→ ${waiting.to}` : "dropped");
}

function directory(call: Call, waiting: Waiting): void {
	const command = call.values.get(waiting.to);
	if (typeof waiting.value !== "string" || typeof command !== "string") return keep(call, waiting);
	const place = cleanPath(waiting.value);
	if (place === "." || place === "./") return changed(call, waiting, "dropped");
	call.values.set(waiting.to, inDirectory(place, command));
	changed(call, waiting, "→ cd");
}

function view(call: Call, waiting: Waiting, name: "head" | "tail"): void {
	const lines = integerOf(waiting.value);
	const command = call.values.get(waiting.to);
	if (lines === undefined || !Number.isInteger(lines) || lines < 0 || typeof command !== "string") return keep(call, waiting);
	if (lines === 0) return changed(call, waiting, "dropped");
	const viewed = withView(command, name, lines);
	if (viewed === undefined) refuseAt(call, waiting, `put | ${name} -n ${lines} into ${waiting.to} where it belongs`);
	call.values.set(waiting.to, viewed);
	changed(call, waiting, `→ | ${name}`);
}

function keep(call: Call, { key, value }: Waiting): void {
	call.values.set(key, value);
}

function changed(call: Call, { key }: Waiting, what: string): void {
	call.changed.push(`${call.where}${key} ${what}`);
}

function refuseAt(call: Call, { key, value }: Waiting, send: string): never {
	return refuse(call.tool, `${call.where}${key} ${show(value)}`, send);
}
