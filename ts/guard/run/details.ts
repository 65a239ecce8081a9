import type { GuardTiming, PiToolGuardDetails } from "../record.ts";
import type { GuardPlan } from "../plan/types.ts";
import type { RunResult } from "./run.ts";

/** The interoperation record of a finished run. */
export function recordOf(command: string, plan: GuardPlan, run: RunResult, slowMs: number): PiToolGuardDetails {
	const { capture } = run;
	const sum = (key: "inputLines" | "inputBytes" | "outputLines" | "outputBytes") =>
		capture.windows.reduce((total, window) => total + window[key], 0);
	const measured = capture.windows.some((window) => window.logged);
	const commandExitCode = hiddenExitCode(run);
	return {
		version: 1,
		originalCommand: command,
		cleanedCommand: plan.cleanedCommand,
		removed: plan.windows.flatMap((window) => window.removed),
		removedPipeline: plan.windows.map((window) => window.views).join("; "),
		outcome: "projection-applied",
		...(run.log.path === undefined ? {} : { sourcePath: run.log.path }),
		timing: timingOf(capture.totalMs, capture.viewMs),
		...(measured
			? {
					projection: {
						inputLines: sum("inputLines"),
						inputBytes: sum("inputBytes"),
						outputLines: sum("outputLines"),
						outputBytes: sum("outputBytes"),
					},
					noop: sum("inputBytes") === sum("outputBytes") && sum("inputLines") === sum("outputLines"),
				}
			: {}),
		slow: capture.totalMs >= slowMs,
		...(commandExitCode === undefined ? {} : { commandExitCode }),
	};
}

/** Whole milliseconds that add up. */
function timingOf(total: number, view: number): GuardTiming {
	const totalMs = Math.round(total);
	const extractorMs = Math.min(totalMs, Math.round(view));
	return { commandMs: totalMs - extractorMs, extractorMs, totalMs };
}

/**
 * The status of the command before its views, if it failed and the views hid it. Known where bash reported the last
 * pipeline's statuses and the last window is that pipeline; a producer that was stopped on purpose has not failed.
 */
function hiddenExitCode({ capture, timedOut, aborted }: RunResult): number | undefined {
	const statuses = capture.pipeStatus;
	const last = capture.lastWindow === undefined ? undefined : capture.windows[capture.lastWindow];
	if (timedOut || aborted || !statuses || !last || last.stopped || capture.lastWindow !== capture.windows.length - 1) return undefined;
	// The views are one stage, the last one; the stage before it is the command's own last.
	const producer = statuses.at(-2);
	return producer === undefined || producer === 0 ? undefined : producer;
}
