// Flags about a text, and what stands beside a command.
import type { Call } from "../call.ts";
import { inDirectory, withView } from "../command.ts";
import { integerOf } from "../lines.ts";
import { cleanPath } from "../paths.ts";
import { repair } from "../values.ts";
import { keep, note, refuseWaiting, type Waiting } from "./waiting.ts";

/** True: the empty text, if no text was sent. */
export function empty(call: Call, waiting: Waiting): void {
	const flag = repair(call, { kind: "flag" }, waiting.key, waiting.value);
	if (typeof flag !== "boolean") return keep(call, waiting);
	if (flag && call.values.get(waiting.to) === undefined) call.values.set(waiting.to, "");
	note(call, waiting, flag ? `→ ${waiting.to}` : "dropped");
}

/** True: the text ends in a line break. */
export function lineEnd(call: Call, waiting: Waiting): void {
	const flag = repair(call, { kind: "flag" }, waiting.key, waiting.value);
	const text = call.values.get(waiting.to);
	if (typeof flag !== "boolean" || typeof text !== "string") return keep(call, waiting);
	const isMissing = flag && text !== "" && !text.endsWith("\n");
	if (isMissing) call.values.set(waiting.to, `${text}\n`);
	note(call, waiting, isMissing ? `→ ${waiting.to}` : "dropped");
}

/** The folder in which a command runs. */
export function directory(call: Call, waiting: Waiting): void {
	const command = call.values.get(waiting.to);
	if (typeof waiting.value !== "string" || typeof command !== "string") return keep(call, waiting);
	const place = cleanPath(waiting.value);
	if (place === "." || place === "./") return note(call, waiting, "dropped");
	call.values.set(waiting.to, inDirectory(place, command));
	note(call, waiting, "→ cd");
}

/** The number of lines wanted from one end of the output. */
export function view(call: Call, waiting: Waiting, name: "head" | "tail"): void {
	const lines = integerOf(waiting.value);
	const command = call.values.get(waiting.to);
	if (lines === undefined || !Number.isInteger(lines) || lines < 0 || typeof command !== "string") return keep(call, waiting);
	if (lines === 0) return note(call, waiting, "dropped");
	const viewed = withView(command, name, lines);
	if (viewed === undefined) refuseWaiting(call, waiting, `put | ${name} -n ${lines} into ${waiting.to} where it belongs`);
	call.values.set(waiting.to, viewed);
	note(call, waiting, `→ | ${name}`);
}
