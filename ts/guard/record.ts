/** Key of a tool result's `details` that carries the record. */
export const RECORD_KEY = "piToolGuard";

/** Wall-clock time of a guarded command, in milliseconds. */
export interface GuardTiming {
	/** The command without its views. */
	readonly commandMs: number;
	/** The projection, as far as it was not hidden behind the command. */
	readonly extractorMs: number;
	/** The whole guarded run. */
	readonly totalMs: number;
}

/** Size before and after the projection, summed over the windows of the command. */
export interface GuardProjection {
	readonly inputLines: number;
	readonly inputBytes: number;
	readonly outputLines: number;
	readonly outputBytes: number;
}

/** The interoperation record of a guarded command, `details.piToolGuard`: additive and versioned. */
export interface PiToolGuardDetails {
	readonly version: 1;
	/** What the model wrote: `npm test | tail -20`. */
	readonly originalCommand: string;
	/** The command without its views: `npm test`. */
	readonly cleanedCommand: string;
	/** The views' names, in text order: `["tail"]`. */
	readonly removed: readonly string[];
	/** The views as written: `tail -20`. Several windows are separated by `; `. */
	readonly removedPipeline: string;
	/** Whether the result shows the requested view or, because that was impossible, everything. */
	readonly outcome: "projection-applied" | "full-output";
	/** The kept log: everything that the command printed before its views. */
	readonly sourcePath?: string;
	readonly timing?: GuardTiming;
	/** Absent if it could not be measured. */
	readonly projection?: GuardProjection;
	/** The projection changed nothing. */
	readonly noop?: boolean;
	/** The command ran for the slow threshold (10 s) or longer. */
	readonly slow?: boolean;
	/** Exit status of the command before its views, where it is known and not 0. */
	readonly commandExitCode?: number;
	/** The host's own file with the whole projection, where the host cut what it showed of it. */
	readonly projectionPath?: string;
}

/**
 * The record in a tool result's `details`, or `undefined` if there is none, its version is unknown, or it does not have
 * the documented shape. Unknown extra fields are kept.
 */
export function readPiToolGuardDetails(details: unknown): PiToolGuardDetails | undefined {
	if (!isObject(details)) return undefined;
	const record = details[RECORD_KEY];
	if (!isObject(record) || record["version"] !== 1) return undefined;
	const valid =
		["originalCommand", "cleanedCommand", "removedPipeline"].every((key) => typeof record[key] === "string") &&
		Array.isArray(record["removed"]) &&
		record["removed"].every((name) => typeof name === "string") &&
		(record["outcome"] === "projection-applied" || record["outcome"] === "full-output") &&
		["sourcePath", "projectionPath"].every((key) => isOptional(record[key], "string")) &&
		["noop", "slow"].every((key) => isOptional(record[key], "boolean")) &&
		isOptional(record["commandExitCode"], "number") &&
		hasNumbers(record["timing"], ["commandMs", "extractorMs", "totalMs"]) &&
		hasNumbers(record["projection"], ["inputLines", "inputBytes", "outputLines", "outputBytes"]);
	return valid ? (record as unknown as PiToolGuardDetails) : undefined;
}

function isObject(value: unknown): value is Record<string, unknown> {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isOptional(value: unknown, type: "string" | "boolean" | "number"): boolean {
	return value === undefined || typeof value === type;
}

function hasNumbers(value: unknown, keys: readonly string[]): boolean {
	if (value === undefined) return true;
	return isObject(value) && keys.every((key) => Number.isFinite(value[key]) && (value[key] as number) >= 0);
}
