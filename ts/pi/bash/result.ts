import type { GuardPlan, PlannedWindow } from "../../guard/plan/types.ts";
import type { PiToolGuardDetails } from "../../guard/record.ts";
import type { RunResult } from "../../guard/run/run.ts";
import type { SluiceSettings } from "../settings.ts";
import { addNotices, type NoticeFacts, type TextShape } from "./notice.ts";
import type { BashResult, GuardedDetails } from "./types.ts";

/** A finished guarded command. */
export interface GuardedRun {
	readonly plan: GuardPlan;
	readonly log: RunResult["log"];
	readonly record: PiToolGuardDetails;
}

/** Puts the record, the log and, where due, the notices into the result that pi's bash tool made. */
export function finishResult(result: BashResult, run: GuardedRun, settings: SluiceSettings): BashResult {
	const truncation = result.details?.truncation;
	const shape = { failed: result.isError === true, cut: truncation?.truncated === true };
	const record = completeRecord(run, result.details?.fullOutputPath);
	return {
		...result,
		content: result.content.map((block) => ("text" in block ? { ...block, text: annotate(block.text, shape, record, run, settings) } : block)),
		details: detailsOf(record, run, result),
		...structured(result, run),
	};
}

/** pi's footer of a cut output, in front of its status line. */
const CUT_MESSAGE = /\n\n\[Showing [^\n]*Full output: ([^\n]+)\]\n\nCommand [^\n]*$/;

/** The error result for a command that pi reports by throwing: a timeout or an abort. */
export function finishFailure(message: string, run: GuardedRun, settings: SluiceSettings): BashResult {
	const piPath = CUT_MESSAGE.exec(message)?.[1];
	// What the view would have printed has not been shown.
	const record = { ...completeRecord(run, piPath), noop: false };
	const text = annotate(message, { failed: true, cut: piPath !== undefined }, record, run, settings);
	return { content: [{ type: "text", text }], details: detailsOf(record, run), isError: true };
}

function annotate(text: string, shape: TextShape, record: PiToolGuardDetails, run: GuardedRun, settings: SluiceSettings): string {
	return addNotices(text, shape, noticeFacts(record, run, shape, settings));
}

function noticeFacts(record: PiToolGuardDetails, { plan, log }: GuardedRun, shape: TextShape, { notices }: SluiceSettings): NoticeFacts {
	const { path, lines, bytes, failure: logFailure } = log;
	const code = record.commandExitCode;
	const named = notices.log && record.slow === true && record.noop !== true && path !== undefined && bytes > 0;
	// The code is that of the last window's command.
	const last = plan.windows.at(-1);
	const hidden = notices.hiddenFailure && !shape.failed && last !== undefined && code !== undefined && isFailure(last, code);
	return {
		...(named ? { log: { path, lines, bytes } } : {}),
		...(logFailure === undefined ? {} : { logError: logFailure }),
		...(hidden ? { hidden: { exitCode: code, views: last.views } } : {}),
	};
}

/** Commands whose status 1 is an answer ("none", "different"), not a failure. */
const ANSWERS_WITH_1 = new Set(["grep", "egrep", "fgrep", "rg", "ag", "ack", "diff", "cmp", "comm", "test", "[", "pgrep", "which", "type", "command", "expr"]);

/** What a shell reports for a command that wrote to a view that had gone. */
const SIGPIPE_STATUS = 141;

function isFailure({ producers }: PlannedWindow, code: number): boolean {
	if (code === 0 || code === SIGPIPE_STATUS) return false;
	const last = producers.at(-1);
	const isGitQuery = last?.[0] === "git" && (last[1] === "grep" || last[1] === "diff");
	return code !== 1 || !(isGitQuery || ANSWERS_WITH_1.has(last?.[0] ?? ""));
}

function completeRecord(run: GuardedRun, piPath: string | undefined): PiToolGuardDetails {
	return piPath === undefined ? run.record : { ...run.record, projectionPath: piPath };
}

function detailsOf(record: PiToolGuardDetails, run: GuardedRun, result?: BashResult): GuardedDetails {
	const log = run.log.path === undefined ? {} : { fullOutputPath: run.log.path };
	return { ...result?.details, ...log, piToolGuard: record };
}

/** pi's structured content is exact. Of a slow command it names the log, unless pi cut the output and names that. */
function structured(result: BashResult, run: GuardedRun): Pick<BashResult, "structuredContent"> {
	const content = result.structuredContent;
	if (typeof content !== "object" || content === null || Array.isArray(content)) return {};
	if (run.record.slow !== true || run.log.path === undefined || "full_output_path" in content) return { structuredContent: content };
	return { structuredContent: { ...content, full_output_path: run.log.path } };
}
