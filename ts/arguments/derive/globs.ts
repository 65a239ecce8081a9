// Globs of files to search, and of files to leave out.
import type { Call } from "../call.ts";
import { cleanGlob, globOfType, isWithinType, oneGlob } from "../globs.ts";
import { show } from "../refuse.ts";
import { keep, note, refuseWaiting, type Waiting } from "./waiting.ts";

/** One or more of ripgrep's file types. */
export function fileType(call: Call, waiting: Waiting): void {
	const types = typeof waiting.value === "string" ? waiting.value.split(",") : waiting.value;
	if (!Array.isArray(types) || types.length === 0 || !types.every((type) => typeof type === "string")) return keep(call, waiting);
	const globs = types.map(globOfType);
	const glob = globs.every((each) => each !== undefined) ? oneGlob(globs) : undefined;
	if (glob === undefined) return refuseWaiting(call, waiting, `send ${waiting.to} instead, for example *.ts`);
	const sent = call.values.get(waiting.to);
	if (typeof sent === "string" && !isWithinType(sent, glob)) refuseWaiting(call, waiting, `${waiting.to} ${show(sent)} was sent too: send ${waiting.to} alone`);
	if (sent === undefined) call.values.set(waiting.to, glob);
	note(call, waiting, `→ ${waiting.to}`);
}

/** Globs of files to leave out, where the field takes one glob. */
export function exclude(call: Call, waiting: Waiting): void {
	const globs = Array.isArray(waiting.value) ? waiting.value : [waiting.value];
	if (globs.length === 0) return note(call, waiting, "dropped");
	if (!globs.every((glob) => typeof glob === "string")) return keep(call, waiting);
	const glob = oneGlob(globs.map((each) => cleanGlob(each).replace(/^!/, "")));
	const sent = call.values.get(waiting.to);
	if (glob === undefined || sent !== undefined)
		refuseWaiting(call, waiting, `${waiting.to} holds one glob, either of files to search or, with ! in front, of files to leave out: send one`);
	call.values.set(waiting.to, `!${glob}`);
	note(call, waiting, `→ ${waiting.to}`);
}
