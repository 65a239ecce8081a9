import type { PiToolGuardDetails } from "../guard/record.ts";
import { runGuarded } from "../guard/run-guarded.ts";
import type { BashOperations } from "./operations.ts";

/** What is known about a guarded command once it has ended. */
export interface GuardOutcome {
	logPath?: string;
	record?: PiToolGuardDetails;
}

/** Operations that run one command guarded, and what the guard kept of it. */
export function guardedOperations(): { operations: BashOperations; outcome: GuardOutcome } {
	const outcome: GuardOutcome = {};
	const operations: BashOperations = {
		async exec(command, cwd, { onData, signal, timeout, env }) {
			const result = await runGuarded(command, {
				cwd,
				onOutput: onData,
				// The output is taken as it comes.
				maxOutputBytes: 0,
				...(signal ? { signal } : {}),
				...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
				...(env ? { env } : {}),
			});
			if (result.timedOut) throw new Error(`timeout:${timeout}`);
			if (result.logPath) outcome.logPath = result.logPath;
			if (result.record) outcome.record = result.record;
			return { exitCode: result.exitCode };
		},
	};
	return { operations, outcome };
}
