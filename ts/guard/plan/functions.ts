import type { Candidates } from "./candidates.ts";
import type { CheckedScript } from "./parse.ts";
import { literalArgv } from "./producers.ts";

/**
 * The functions of the text whose output always is the command's output: each call is seen, and stands where a window could
 * stand. The value tells whether every call leaves stderr alone.
 */
export function directFunctions(checked: CheckedScript, candidates: Candidates): ReadonlyMap<string, boolean> {
	const direct = new Map<string, boolean>();
	if (candidates.functions.size === 0) return direct;
	const named = new Map<string, number>();
	for (const node of checked.nodes) {
		if (node.type !== "Command") continue;
		const [name, ...args] = literalArgv(node);
		if (name === undefined) continue;
		// These may call anything.
		if (name === "" || name === "eval" || name === "trap" || (name === "export" && args.includes("-f"))) return direct;
		named.set(name, (named.get(name) ?? 0) + 1);
	}
	for (const name of candidates.functions) direct.set(name, true);
	for (let changed = true; changed; ) {
		changed = false;
		for (const name of direct.keys()) {
			const calls = candidates.calls.filter((call) => call.name === name);
			const seen = calls.length === (named.get(name) ?? 0);
			const inPlace = ({ place }: (typeof calls)[number]) =>
				place.indirect === undefined && (place.owner === undefined || direct.has(place.owner));
			if (seen && calls.every(inPlace)) continue;
			direct.delete(name);
			changed = true;
		}
	}
	for (const name of direct.keys()) {
		direct.set(name, candidates.calls.every((call) => call.name !== name || call.place.stderr === "inherit"));
	}
	return direct;
}
