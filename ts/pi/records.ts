import type { SessionEntry } from "@earendil-works/pi-coding-agent";
import { type PiToolGuardDetails, readPiToolGuardDetails } from "../guard/record.ts";

/** The records among a session's entries, in their order, by the calls they belong to. */
export function recordsIn(entries: readonly SessionEntry[]): { readonly callId: string; readonly record: PiToolGuardDetails }[] {
	return entries.flatMap((entry) => {
		if (entry.type !== "message" || entry.message.role !== "toolResult") return [];
		const record = readPiToolGuardDetails(entry.message.details);
		return record === undefined ? [] : [{ callId: entry.message.toolCallId, record }];
	});
}
