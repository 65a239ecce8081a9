import { setTimeout as after } from "node:timers/promises";
import { abortError } from "../../errors.ts";
import type { Binding } from "../../native.ts";
import type { Child } from "./child.ts";
import type { RunOptions, RunResult } from "./run.ts";

/** How long what a killed command had written may still arrive, in milliseconds. */
const REST_MS = 200;
/** The longest delay that a timer knows, in milliseconds. */
const LONGEST_MS = 2 ** 31 - 1;
/** How long an aborted run waits for what the engine has, in milliseconds. */
const PATIENCE_MS = 1000;

/** Waits for a started command, its timeout or its abort, and for what the engine makes of it. */
export async function supervise(
	child: Child,
	capture: Binding.Capture,
	ended: Promise<Binding.CaptureResult>,
	options: RunOptions,
): Promise<Omit<RunResult, "log">> {
	const release = options.onGroup?.(child.pid);
	let timedOut = false;
	let aborted = false;
	const timer =
		options.timeoutMs === undefined || options.timeoutMs > LONGEST_MS
			? undefined
			: setTimeout(() => {
					timedOut = true;
					// A process that has left the group (setsid) may write for ever: it is not waited for.
					void child
						.kill()
						.then(() => after(REST_MS, undefined, { ref: false }))
						.then(() => capture.stop());
				}, options.timeoutMs);
	let giveUp: (reason: Error) => void;
	const givenUp = new Promise<never>((_resolve, reject) => {
		giveUp = reject;
	});
	const abort = () => {
		aborted = true;
		// The engine may be deep in a pattern that takes long; it ends by itself.
		setTimeout(() => giveUp(abortError(options.signal)), PATIENCE_MS).unref();
		// The caller does not wait for the processes to go; the engine ends with what there is.
		void child.kill();
		capture.stop();
	};
	options.signal?.addEventListener("abort", abort, { once: true });
	if (options.signal?.aborted) abort();
	let status: number | null = null;
	const exited = child.exited.then((code) => {
		status = code;
		capture.exited();
	});
	void exited.finally(() => release?.());
	try {
		const result = await Promise.race([ended, givenUp]);
		if (!aborted) await exited;
		return { exitCode: timedOut || aborted ? null : status, timedOut, aborted, capture: result };
	} catch (error) {
		void child.kill();
		throw error;
	} finally {
		clearTimeout(timer);
		capture.close();
		options.signal?.removeEventListener("abort", abort);
	}
}
