import { statSync } from "node:fs";
import { resolve } from "node:path";
import type { Binding } from "../../native.ts";
import { isPlain } from "../../text/plain.ts";
import type { GuardPlan } from "../plan/types.ts";

/** Where the unprojected output of a finished command is. */
export interface KeptLog {
	/** Absent if nothing was kept. */
	readonly path?: string;
	readonly lines: number;
	readonly bytes: number;
	/** Why the file is missing or incomplete. */
	readonly failure?: string;
}

/**
 * The file that a command does nothing but show: `cat FILE | tail -5`. It needs no second copy. Absolute path; absent
 * unless it is a regular file with a size.
 */
export function shownFile(plan: GuardPlan, cwd: string): string | undefined {
	const [window, ...more] = plan.windows;
	if (window?.sourceFile === undefined || more.length > 0 || /[\n;&|(){}]/.test(plan.cleanedCommand)) return undefined;
	const path = resolve(cwd, window.sourceFile);
	// It will be named in a notice: one line of plain characters, or a log of our own.
	if (!isPlain(path)) return undefined;
	try {
		const stat = statSync(path);
		// Files in /proc and /sys are regular, have no size, and read differently each time.
		return stat.isFile() && stat.size > 0 ? path : undefined;
	} catch {
		return undefined;
	}
}

/** What the engine kept, or the file itself where the command only shows one. */
export function keptLog(
	shown: string | undefined,
	capture: Binding.CaptureResult,
	keep: "auto" | "always" | "never",
	exceeds: (size: { bytes: number; lines: number; ms: number }) => boolean,
): KeptLog {
	const [window] = capture.windows;
	if (shown === undefined || !window) {
		return {
			...(capture.logPath === undefined ? {} : { path: capture.logPath }),
			lines: capture.logLines,
			bytes: capture.logBytes,
			...(capture.logFailure === undefined ? {} : { failure: capture.logFailure }),
		};
	}
	const size = { bytes: window.inputBytes, lines: window.inputLines };
	const wanted = keep === "always" || (keep === "auto" && exceeds({ ...size, ms: capture.totalMs }));
	return { ...(wanted ? { path: shown } : {}), ...size };
}
