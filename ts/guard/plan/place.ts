import type { Redirection } from "unbash";
import type { PassReason, PlannedWindow } from "./types.ts";

/** Where the output of a piece of the command goes. */
export interface Place {
	/** Why stdout is not the command's own stdout; absent if it is. */
	readonly indirect?: PassReason;
	readonly stderr: PlannedWindow["stderr"];
	/** The function whose body this is. */
	readonly owner?: string;
}

export const TOP: Place = { stderr: "inherit" };

type Target = "stdout" | "stderr" | "null" | "other";

/** The place of a command with redirections. */
export function redirected(place: Place, redirects: readonly Redirection[], source: string): Place {
	let out: Target = "stdout";
	let err: Target = "stderr";
	for (const redirect of redirects) {
		if (redirect.type !== "Redirect" || redirect.operator.startsWith("<")) continue;
		const descriptor = redirect.descriptor;
		if (descriptor?.type === "FileDescriptorVariable") continue;
		const text = redirect.target === undefined ? "" : source.slice(redirect.target.pos, redirect.target.end);
		const target: Target = redirect.operator === ">&" ? duplicated(text, out, err) : text === "/dev/null" ? "null" : "other";
		const both = redirect.operator.startsWith("&") || (redirect.operator === ">&" && !/^\d+-?$/.test(text));
		if (both) out = err = target;
		else if (descriptor === undefined || descriptor.value === 1) out = target;
		else if (descriptor.value === 2) err = target;
	}
	const stderr = err === "stderr" ? place.stderr : err === "stdout" ? "stdout" : err === "null" ? "null" : "other";
	return out === "stdout" ? { ...place, stderr } : { ...place, stderr, indirect: place.indirect ?? "stdout-redirected" };
}

function duplicated(text: string, out: Target, err: Target): Target {
	if (text === "1") return out;
	return text === "2" ? err : "other";
}
