import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { PiToolGuardDetails } from "../guard/record.ts";
import { schemas } from "../schemas/index.ts";
import { OutputAccumulator, type OutputSnapshot } from "../truncate/accumulator.ts";
import { DEFAULT_MAX_BYTES, formatSize, type TruncationResult } from "../truncate/limits.ts";
import { type GuardOutcome, guardedOperations } from "./bash-local.ts";
import type { BashOperations } from "./operations.ts";
import { throttled } from "./throttle.ts";
import { textResult, throwIfAborted, type ToolDefinition } from "./types.ts";

/** Arguments of the bash tool. */
export interface BashArguments {
	readonly command: string;
	/** In seconds. */
	readonly timeout?: number;
}

/** What the bash tool says about its result. */
export interface BashDetails {
	truncation?: TruncationResult;
	/** The file with all of the output. */
	fullOutputPath?: string;
	/** The record of a guarded command. */
	piToolGuard?: PiToolGuardDetails;
}

/** The bash tool. Locally commands are guarded: run once, with the whole output kept where that is worth it. */
export function bashTool(cwd: string, operations?: BashOperations): ToolDefinition<BashArguments, BashDetails> {
	return {
		name: "bash",
		label: "bash",
		description:
			"Execute a bash command in the current working directory. Returns stdout and stderr. Output is truncated to last 2000 lines or 50KB (whichever is hit first). If truncated, full output is saved to a temp file. Optionally provide a timeout in seconds.",
		promptSnippet: "Execute bash commands (ls, grep, find, etc.)",
		parameters: schemas.bash,
		async execute(_toolCallId, { command, timeout }, signal, onUpdate, ctx) {
			throwIfAborted(signal);
			if (timeout !== undefined && !(Number.isFinite(timeout) && timeout > 0)) {
				throw new Error("Invalid timeout: must be a finite number of seconds");
			}
			const output = new OutputAccumulator({ spillPath: () => join(tmpdir(), `pi-sluice-bash-${randomBytes(8).toString("hex")}.log`) });
			const { operations: ops, outcome } = operations ? { operations, outcome: {} } : guardedOperations();
			const update = throttled(() => onUpdate?.(textResult(output.snapshot().truncation.content, detailsOf(output.snapshot()))));
			try {
				const { exitCode } = await ops.exec(command, ctx?.cwd || cwd, {
					onData(chunk) {
						void output.append(chunk);
						if (onUpdate) update.request();
					},
					...(signal ? { signal } : {}),
					...(timeout === undefined ? {} : { timeout }),
				});
				await output.finish();
				const { text, details } = shown(output.snapshot(), "(no output)", outcome);
				if (exitCode === null) throw new Error(`${text}\n\nCommand terminated without an exit code`);
				if (exitCode === 0) return textResult(text, details);
				return { ...textResult(`${text}\n\nCommand exited with code ${exitCode}`, details), isError: true };
			} catch (error) {
				throw await failure(error, output);
			} finally {
				update.stop();
			}
		},
	};
}

/** An error with the output so far, for a command that was stopped; any other error is itself. */
async function failure(error: unknown, output: OutputAccumulator): Promise<unknown> {
	if (!(error instanceof Error)) return error;
	const seconds = /^timeout:(.*)/.exec(error.message)?.[1];
	const status = seconds === undefined ? undefined : `Command timed out after ${seconds} seconds`;
	const stopped = error.message === "aborted" || error.name === "AbortError" ? "Command aborted" : status;
	if (stopped === undefined) return error;
	await output.finish();
	const { text } = shown(output.snapshot(), "");
	return new Error(text ? `${text}\n\n${stopped}` : stopped, { cause: error });
}

/** pi's text: the end of the output, and where the rest is. */
function shown(
	snapshot: OutputSnapshot,
	empty: string,
	outcome?: GuardOutcome,
): { text: string; details?: BashDetails } {
	const { truncation, lastLineBytes, fullOutputPath, spillError } = snapshot;
	let text = truncation.content || empty;
	const file = spillError ? `Full output could not be saved: ${spillError.message}` : `Full output: ${outcome?.logPath ?? fullOutputPath}`;
	if (truncation.truncated) {
		const first = truncation.totalLines - truncation.outputLines + 1;
		const last = truncation.totalLines;
		const limit = truncation.truncatedBy === "bytes" ? ` (${formatSize(DEFAULT_MAX_BYTES)} limit)` : "";
		const what = truncation.lastLinePartial
			? `Showing last ${formatSize(truncation.outputBytes)} of line ${last} (line is ${formatSize(lastLineBytes)})`
			: `Showing lines ${first}-${last} of ${last}${limit}`;
		text += `\n\n[${what}. ${file}]`;
	} else if (outcome?.logPath) text += `\n\n[${file}]`;
	const details = detailsOf(snapshot, outcome);
	return details ? { text, details } : { text };
}

function detailsOf(snapshot: OutputSnapshot, outcome?: GuardOutcome): BashDetails | undefined {
	const path = outcome?.logPath ?? snapshot.fullOutputPath;
	const details: BashDetails = {
		...(snapshot.truncation.truncated ? { truncation: snapshot.truncation } : {}),
		...(path ? { fullOutputPath: path } : {}),
		...(outcome?.record ? { piToolGuard: outcome.record } : {}),
	};
	return Object.keys(details).length > 0 ? details : undefined;
}
