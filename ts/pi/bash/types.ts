import type { AgentToolResult, BashToolDetails, createBashToolDefinition } from "@earendil-works/pi-coding-agent";
import type { PiToolGuardDetails } from "../../guard/record.ts";

/** pi's definition of its bash tool. */
export type BashDefinition = ReturnType<typeof createBashToolDefinition>;

/** A result of pi's bash tool. */
export type BashResult = AgentToolResult<BashToolDetails | undefined>;

/** `details` of a guarded result. */
export interface GuardedDetails extends BashToolDetails {
	readonly piToolGuard: PiToolGuardDetails;
}
