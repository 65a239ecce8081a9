import type { Call, Candidates } from "./candidates.ts";
import type { CheckedScript } from "./parse.ts";
import { literalArgv } from "./producers.ts";

const SHOWS = /^(?:type|declare|typeset|whence|which|command|functions)$/;

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
		// These may call any function, in another shell too, or print its text.
		if (name === "" || name === "eval" || name === "trap" || (name === "export" && args.includes("-f"))) return direct;
		if (name === "set" && args.some((word) => /^-[a-z]*a|^allexport$/.test(word))) return direct;
		if (SHOWS.test(name) && args.some((word) => word === "" || candidates.functions.has(word))) return direct;
		named.set(name, (named.get(name) ?? 0) + 1);
	}
	const calls = new Map<string, Call[]>();
	for (const call of candidates.calls) {
		if (!candidates.functions.has(call.name)) continue;
		const known = calls.get(call.name);
		if (known) known.push(call);
		else calls.set(call.name, [call]);
	}
	// A call that is not among these stands in a substitution, or is a view's name.
	const seen = (name: string) => (calls.get(name)?.length ?? 0) === (named.get(name) ?? 0);
	for (const name of candidates.functions) if (seen(name)) direct.set(name, true);
	const inPlace = ({ place }: Call) => place.indirect === undefined && (place.owner === undefined || direct.has(place.owner));
	for (let changed = true; changed; ) {
		changed = false;
		for (const name of direct.keys()) {
			if (calls.get(name)?.every(inPlace) ?? true) continue;
			direct.delete(name);
			changed = true;
		}
	}
	for (const name of direct.keys()) direct.set(name, calls.get(name)?.every((call) => call.place.stderr === "inherit") ?? true);
	return direct;
}
