import { isDeepStrictEqual } from "node:util";
import type { Call } from "./call.ts";
import { refuse, show } from "./refuse.ts";

/** Whether two values are equal, as far down as can be compared. */
export function isSame(a: unknown, b: unknown): boolean {
	try {
		return a === b || (typeof a === "object" && isDeepStrictEqual(a, b));
	} catch {
		return false; // nested too deeply to compare
	}
}

/** Refuses two values for the same thing. @throws SluiceError `INVALID_ARGUMENTS` */
export function disagree(call: Call, a: { key: string; value: unknown }, b: { key: string; value: unknown }): never {
	return refuse(call.tool, `${call.where}${a.key} ${show(a.value)} and ${call.where}${b.key} ${show(b.value)}`, "they mean the same and differ, so send one of them");
}

/** Adds to a list in a map. */
export function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
	const list = map.get(key);
	if (list === undefined) map.set(key, [value]);
	else list.push(value);
}
