import { statSync } from "node:fs";
import { basename } from "node:path";
import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import type { PiToolGuardDetails } from "../../guard/record.ts";
import { recordsIn } from "../records.ts";
import type { Session } from "../session.ts";

/** One guarded run. */
export interface RunSummary {
	readonly command: string;
	readonly ms: number;
}

/** A log that still exists. */
export interface LogSummary {
	readonly path: string;
	/** Bytes. */
	readonly size: number;
	readonly command: string;
}

/** What was guarded in a session. Plain data: it is kept as a session entry and drawn again on resume. */
export interface Summary {
	/** Guarding is on. */
	readonly on: boolean;
	readonly commands: number;
	readonly slow: number;
	/** Runs whose view changed nothing. */
	readonly noops: number;
	/** Calls whose arguments were repaired, of any tool, since the session was opened. */
	readonly repaired: number;
	/** Commands whose failure the view hid. */
	readonly hiddenFailures: number;
	readonly inputLines: number;
	readonly outputLines: number;
	readonly inputBytes: number;
	readonly outputBytes: number;
	/** Longest first. */
	readonly longest: readonly RunSummary[];
	/** Newest first; only files that exist. */
	readonly logs: readonly LogSummary[];
}

const LONGEST = 5;
const LOGS = 10;

/** Sums up the records of the session's branch, and those of nested calls, which the branch does not hold. */
export function summarize(ctx: ExtensionContext, session: Session): Summary {
	const kept = recordsIn(ctx.sessionManager.getBranch()).map(({ record }) => record);
	return summarizeRecords([...kept, ...session.nested], { on: session.enabled, repaired: session.repaired });
}

/** Sums up records, oldest first. */
export function summarizeRecords(records: readonly PiToolGuardDetails[], { on, repaired }: { on: boolean; repaired: number }): Summary {
	const sum = (value: (record: PiToolGuardDetails) => number | undefined) => records.reduce((total, record) => total + (value(record) ?? 0), 0);
	const runs = records.map((record) => ({ command: record.originalCommand, ms: record.timing?.totalMs ?? 0 }));
	return {
		on,
		repaired,
		commands: records.length,
		slow: records.filter((record) => record.slow).length,
		noops: records.filter((record) => record.noop).length,
		hiddenFailures: records.filter((record) => (record.commandExitCode ?? 0) !== 0).length,
		inputLines: sum((record) => record.projection?.inputLines),
		outputLines: sum((record) => record.projection?.outputLines),
		inputBytes: sum((record) => record.projection?.inputBytes),
		outputBytes: sum((record) => record.projection?.outputBytes),
		longest: runs.sort((a, b) => b.ms - a.ms).slice(0, LONGEST),
		logs: records.toReversed().flatMap(existingLog).slice(0, LOGS),
	};
}

/** The name of a log. A source with another one is a file that a command only showed. */
const LOG_NAME = /^pi-bash-guard-[0-9a-f]{16}\.log$/;

function existingLog(record: PiToolGuardDetails): LogSummary[] {
	if (record.sourcePath === undefined || !LOG_NAME.test(basename(record.sourcePath))) return [];
	const file = statSync(record.sourcePath, { throwIfNoEntry: false });
	return file === undefined ? [] : [{ path: record.sourcePath, size: file.size, command: record.originalCommand }];
}
