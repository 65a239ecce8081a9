import type { Table } from "./types.ts";

/** One call while it is repaired. */
export interface Call {
	/** Name for messages: the tool's. */
	readonly tool: string;
	/** Where in the call, for messages: empty, or `edits[0].`. */
	readonly where: string;
	readonly table: Table;
	/** The repaired arguments, in the order in which they came. Undefined: the place of a value that is not known yet. */
	readonly values: Map<string, unknown>;
	/** The fields that came under their own names, with their values. */
	readonly own: ReadonlyMap<string, unknown>;
	/** What was repaired, in words. */
	readonly changed: string[];
}
