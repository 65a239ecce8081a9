import { randomBytes } from "node:crypto";
import { abortError } from "../../errors.ts";
import type { Binding } from "../../native.ts";
import type { GuardPlan } from "../plan/types.ts";
import { LOG_MEMORY, openCapture } from "./capture.ts";
import { type Child, startChild } from "./child.ts";
import { captureWindows, type FinishPolicy } from "./finish.ts";
import { rewrite } from "./prelude.ts";
import { type Environment, isBash } from "./shell.ts";
import { type KeptLog, keptLog, shownFile } from "./source.ts";
import { supervise } from "./supervise.ts";

/** How a command is run. Every time is in milliseconds. */
export interface RunOptions {
	readonly shell: string;
	/** The shell's own name for itself, which its messages start with. @default the path in `shell` */
	readonly argv0?: string | undefined;
	readonly cwd: string;
	readonly env: Environment;
	readonly signal?: AbortSignal | undefined;
	readonly timeoutMs?: number | undefined;
	/** Text that runs before the command, its newline included. */
	readonly prefix?: string | undefined;
	/** A file descriptor to read stdin from. @default /dev/null */
	readonly stdin?: number | undefined;
	/** What bash would have shown, in order, and on which stream. */
	readonly onOutput?: ((chunk: Uint8Array, stream: "stdout" | "stderr") => void) | undefined;
	/** The running window's projection so far, not yet placed; for live views only. */
	readonly onPreview?: ((bytes: Uint8Array) => void) | undefined;
	/** Told the process group while it exists, so that it can be ended if this process dies. */
	readonly onGroup?: ((pid: number) => () => void) | undefined;
	readonly slowMs: number;
	readonly keepLog: "auto" | "always" | "never";
	readonly logDir: string;
	readonly finish: FinishPolicy;
	/** How much longer a producer may run once its views have seen enough, and how many more bytes it may write. */
	readonly finishLimits: { readonly ms: number; readonly bytes: number };
	readonly maxOutputBytes: number;
	/** Windows are relayed by a process, as where the engine cannot read the shell's own pipes. */
	readonly relay?: boolean | undefined;
}

/** How a command ended. */
export interface RunResult {
	/** The shell's status; `null` if it was aborted or timed out before it had one. */
	readonly exitCode: number | null;
	readonly timedOut: boolean;
	readonly aborted: boolean;
	readonly capture: Binding.CaptureResult;
	/** The unprojected output, if it was kept. */
	readonly log: KeptLog;
}

/**
 * Runs `command` once in the user's shell; with a plan, its windows are handed to the engine. A timeout or an abort ends
 * the whole process group and resolves with what there was. @throws `AbortError` if the signal is aborted already,
 * SluiceError `SPAWN` if the shell cannot start, `IO` if the process is out of descriptors.
 */
export async function runCommand(command: string, plan: GuardPlan | undefined, options: RunOptions): Promise<RunResult> {
	if (options.signal?.aborted) throw abortError(options.signal);
	const nonce = randomBytes(12).toString("hex");
	// A prefix may have gone elsewhere, or made something else of `cat`.
	const shown = plan && options.prefix === undefined ? shownFile(plan, options.cwd) : undefined;
	const keepLog = !plan || shown !== undefined ? "never" : options.keepLog;
	const { capture, ended } = openCapture(nonce, plan ? captureWindows(plan, options.finish) : [], { ...options, keepLog });
	let child: Child;
	try {
		const { fds } = capture;
		const text = plan
			? rewrite(command, plan, { nonce, ...stdoutOf(fds), relay: options.relay === true, reportStatus: isBash(options.shell) && endsInWindow(command, plan) }, options.prefix)
			: (options.prefix ?? "") + command;
		child = await startChild(options.shell, text, fds, options);
	} catch (error) {
		capture.close();
		throw error;
	}
	capture.start();
	const end = await supervise(child, capture, ended, options);
	const log = keptLog(shown, end.capture, options.keepLog, ({ bytes, lines, ms }) => ms >= options.slowMs || bytes > LOG_MEMORY.bytes || lines > LOG_MEMORY.lines);
	return { ...end, log };
}

/** Only Linux lets a shell compare its stdout with a pipe of this process. */
function stdoutOf(fds: Binding.CaptureFds): { ownStdout?: number } {
	return process.platform === "linux" ? { ownStdout: fds.ownStdout } : {};
}

/** Whether the last thing that the command runs is a window, so that `PIPESTATUS` at its end is the window's. */
function endsInWindow(command: string, plan: GuardPlan): boolean {
	const last = plan.windows.at(-1);
	return last !== undefined && !plan.pipeStatus && command.slice(last.end).trim() === "" && !/\btrap\b/.test(command);
}
