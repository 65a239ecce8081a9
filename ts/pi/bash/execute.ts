import { access } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { type BashOperations, createBashToolDefinition, createLocalBashOperations, getShellConfig } from "@earendil-works/pi-coding-agent";
import type { GuardPlan } from "../../guard/plan/types.ts";
import { recordOf } from "../../guard/run/details.ts";
import { Reaper } from "../../guard/run/reaper.ts";
import { Retention } from "../../guard/run/retention.ts";
import { runCommand } from "../../guard/run/run.ts";
import { shellObjection } from "../../guard/run/shell.ts";
import type { SluiceSettings } from "../settings.ts";
import type { ShellSettings } from "../shell.ts";
import { KeptLogs } from "./kept-logs.ts";
import { LivePreview } from "./preview.ts";
import { finishFailure, finishResult, type GuardedRun } from "./result.ts";
import type { BashDefinition, BashResult } from "./types.ts";

const retention = new Retention();
const keptLogs = new KeptLogs();
const reaper = new Reaper();

type Execute = BashDefinition["execute"];

/** What a guarded call needs to know about its session. */
export interface GuardedCallOptions {
	readonly cwd: string;
	readonly shell: ShellSettings;
	readonly settings: SluiceSettings;
}

/** Longest timeout that pi accepts, in milliseconds. */
const MAX_TIMEOUT_MS = 2_147_483_647;

/**
 * Runs a planned command inside pi's own bash tool: pi keeps its timeout, abort, truncation, live updates and structured
 * content, and gets the bytes that bash would have printed. The result carries the record, also as an error.
 */
export async function executeGuarded(plan: GuardPlan, options: GuardedCallOptions, ...[id, params, signal, onUpdate, ctx]: Parameters<Execute>): Promise<BashResult> {
	const preview = new LivePreview(onUpdate);
	let run: GuardedRun | undefined;
	const operations: BashOperations = {
		async exec(command, cwd, call) {
			const { onData, signal, timeout, env } = call;
			const { shell, args } = getShellConfig(options.shell.shellPath);
			// What pi refuses to run is refused by pi, with its own words.
			const refused = signal?.aborted === true || !isTimeout(timeout) || !(await exists(cwd));
			const unsuited = args[0] !== "-c" || shellObjection(shell, env ?? process.env, plan) !== undefined;
			const asPi = () => createLocalBashOperations(options.shell).exec(command, cwd, call);
			if (refused || unsuited) return asPi();
			let started = false;
			const running = runCommand(params.command, plan, {
				shell,
				cwd,
				env: env ?? process.env,
				signal,
				timeoutMs: timeout === undefined ? undefined : timeout * 1000,
				prefix: options.shell.commandPrefix === undefined ? undefined : `${options.shell.commandPrefix}\n`,
				onGroup: (group) => {
					started = true;
					return reaper.watch(group);
				},
				onOutput: (chunk) => preview.settle(() => onData(Buffer.from(chunk))),
				onPreview: (text) => preview.show(text),
				...runSettings(options.settings),
			});
			const ended = await running.catch((error: unknown) => {
				if (started || signal?.aborted === true) throw error;
			});
			// Nothing has run: out of descriptors, or the shell cannot be started. pi tries by itself, or says why not.
			if (ended === undefined) return asPi();
			const { logPath } = ended.capture;
			if (logPath !== undefined) keepLog(logPath, options.settings.logRetentionHours * 3_600_000);
			run = { plan, log: ended.log, record: recordOf(params.command, plan, ended, options.settings.slowMs) };
			if (ended.timedOut) throw new Error(`timeout:${timeout}`);
			if (ended.aborted) throw new Error("aborted");
			return { exitCode: ended.exitCode };
		},
	};
	const definition = createBashToolDefinition(options.cwd, { ...options.shell, operations });
	try {
		const result = await definition.execute(id, params, signal, preview.onUpdate, ctx);
		return run === undefined ? result : finishResult(result, run, options.settings);
	} catch (error) {
		// Timeout and abort: pi would keep only the message.
		if (run === undefined || !(error instanceof Error)) throw error;
		return finishFailure(error.message, run, options.settings);
	} finally {
		preview.end();
	}
}

/** Ends every guarded command that still runs, with its process tree. */
export function endRuns(): void {
	reaper.end();
}

function keepLog(path: string, retentionMs: number): void {
	keptLogs.add(path, retentionMs);
	retention.purge(dirname(path), retentionMs);
}

function runSettings(settings: SluiceSettings) {
	return {
		slowMs: settings.slowMs,
		keepLog: settings.keepLog,
		logDir: tmpdir(),
		finish: settings.finish,
		finishLimits: { bytes: settings.finishMaxBytes, ms: settings.finishMaxMs },
		maxOutputBytes: 0,
	};
}

function isTimeout(seconds: number | undefined): boolean {
	return seconds === undefined || (Number.isFinite(seconds) && seconds > 0 && seconds * 1000 <= MAX_TIMEOUT_MS);
}

async function exists(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}
