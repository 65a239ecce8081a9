import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { abortError } from "../errors.ts";
import { planCommand } from "./plan/plan.ts";
import { checkRun } from "./options.ts";
import type { PiToolGuardDetails } from "./record.ts";
import { recordOf } from "./run/details.ts";
import { Retention } from "./run/retention.ts";
import { runCommand } from "./run/run.ts";
import { findShell, shellObjection } from "./run/shell.ts";
import { DEFAULTS } from "./defaults.ts";

/** Options of {@link runGuarded}; none is needed. */
export interface GuardOptions {
	/** Working directory. @default the process's */
	readonly cwd?: string;
	/** The whole environment. @default the process's */
	readonly env?: Record<string, string | undefined>;
	/** Path of a shell: bash, sh, dash, zsh, ash, mksh, busybox. Others run the command unguarded. @default `/bin/bash`, else bash on PATH, else sh */
	readonly shell?: string;
	/** Milliseconds after which the whole process tree is ended, more than 0; beyond 24 days: never. @default none */
	readonly timeoutMs?: number;
	/** Ends the whole process tree. */
	readonly signal?: AbortSignal;
	/** Everything that bash would have shown, as it comes, and on which stream. */
	onOutput?(chunk: Uint8Array, stream: "stdout" | "stderr"): void;
	/** From how many milliseconds on a command is slow, so that its log is kept. @default 10000 */
	readonly slowMs?: number;
	/** Folder of the logs. @default the system's temporary folder */
	readonly logDir?: string;
	/** `auto`: of slow commands, and where the unprojected output exceeds 2000 lines or 50 KiB. @default "auto" */
	readonly keepLog?: "auto" | "always" | "never";
	/** Whether a command runs on once its views have seen enough. `auto`: unless it is endless, or cheap and only reads. @default "auto" */
	readonly finish?: "auto" | "always" | "never";
	/** How much longer such a command may run, and how many more bytes it may write. @default 10 minutes, 64 MiB */
	readonly finishLimits?: { readonly ms: number; readonly bytes: number };
	/** How many bytes of each stream the result holds; the last ones are kept. @default 16 MiB */
	readonly maxOutputBytes?: number;
	/** A file descriptor to read stdin from. @default /dev/null */
	readonly stdin?: number;
}

/** What a command printed and how it ended. */
export interface GuardedResult {
	/** What bash would have shown: stdout and stderr in order of arrival. */
	readonly output: Uint8Array;
	readonly stdout: Uint8Array;
	readonly stderr: Uint8Array;
	/** Whether one of the streams is longer than `maxOutputBytes`. */
	readonly truncated: boolean;
	/** bash's; 124 if the command timed out. */
	readonly exitCode: number;
	readonly timedOut: boolean;
	/** The unprojected output, if it was kept. */
	readonly logPath?: string;
	/** Why the log is missing or incomplete. */
	readonly logError?: string;
	/** Absent if nothing was guarded. */
	readonly record?: PiToolGuardDetails;
}

/** The status of a command that timed out, as `timeout` of coreutils has it. */
const TIMED_OUT = 124;
const retention = new Retention();

/**
 * Runs a command once, as `bash -c` would, and returns exactly what bash would have shown; the output before trailing
 * `head`, `tail`, `grep` … is kept as a log. Costs about a millisecond more than a plain spawn.
 * @throws `AbortError` within 50 ms of an abort; SluiceError `INVALID_ARGUMENT` for options that cannot be meant, `SPAWN` if the shell cannot start, `IO` without free
 * descriptors, `NATIVE_UNAVAILABLE` without the engine.
 */
export async function runGuarded(command: string, options: GuardOptions = {}): Promise<GuardedResult> {
	checkRun(command, options);
	const env = options.env ?? process.env;
	const shell = options.shell ?? findShell(env);
	const slowMs = options.slowMs ?? DEFAULTS.slowMs;
	const planned = planCommand(command);
	const plan = planned.action === "guard" && shellObjection(shell, env, planned) === undefined ? planned : undefined;
	const run = await runCommand(command, plan, {
		shell,
		argv0: shell.split("/").at(-1),
		cwd: options.cwd ?? process.cwd(),
		env,
		signal: options.signal,
		timeoutMs: options.timeoutMs,
		stdin: options.stdin,
		onOutput: options.onOutput && ((chunk, stream) => options.onOutput?.(chunk, stream)),
		slowMs,
		keepLog: options.keepLog ?? "auto",
		logDir: options.logDir ?? tmpdir(),
		finish: options.finish ?? "auto",
		finishLimits: options.finishLimits ?? DEFAULTS.finishLimits,
		maxOutputBytes: options.maxOutputBytes ?? DEFAULTS.maxOutputBytes,
	});
	const { capture } = run;
	if (capture.logPath !== undefined) retention.purge(dirname(capture.logPath), DEFAULTS.retentionMs);
	if (run.aborted) throw abortError(options.signal);
	return {
		output: capture.output.bytes,
		stdout: capture.stdout.bytes,
		stderr: capture.stderr.bytes,
		truncated: capture.output.truncated || capture.stdout.truncated || capture.stderr.truncated,
		exitCode: run.exitCode ?? TIMED_OUT,
		timedOut: run.timedOut,
		...(run.log.path === undefined ? {} : { logPath: run.log.path }),
		...(run.log.failure === undefined ? {} : { logError: run.log.failure }),
		...(plan ? { record: recordOf(command, plan, run, slowMs) } : {}),
	};
}
