// Runs pi once over a script and reports each call: what the model received, and what pi's events say about it.
import type { PiOptions } from "./home.ts";
import { receivedResults, type MessagesRequest, type ReceivedResult, type ScriptedCall, type Turn } from "./model.ts";
import { startPi, type PiEvent, type PiProcess } from "./process.ts";

/** One scripted call after the run. */
export interface CallReport {
	readonly id: string;
	readonly call: ScriptedCall;
	/** As the model received it; absent if the run ended before. */
	readonly received: ReceivedResult;
	readonly isError: boolean;
	// oxlint-disable-next-line typescript/no-explicit-any -- whatever the tool put there
	readonly details: any;
	// oxlint-disable-next-line typescript/no-explicit-any -- whatever the tool put there
	readonly structured: any;
	/** The result message as pi keeps it in the session. */
	readonly message: PiEvent;
	/** Live updates, in order. */
	readonly updates: readonly PiEvent[];
	/** pi's own measure; absent if the tool did not run. */
	readonly durationMs: number | undefined;
}

/** A finished run. */
export interface RunReport {
	readonly calls: readonly CallReport[];
	readonly events: readonly PiEvent[];
	readonly requests: readonly MessagesRequest[];
	readonly stderr: string;
	readonly code: number | null;
	readonly systemPrompt: string;
	readonly declared: NonNullable<MessagesRequest["tools"]>;
}

/** Runs the script in JSON mode. `inspect` sees the home before it is removed. */
export async function runPi(script: readonly Turn[], options: PiOptions = {}, inspect?: (report: RunReport, pi: PiProcess) => void | Promise<void>): Promise<RunReport> {
	const pi = await startPi(script, options, "json", "go");
	try {
		const { code } = await pi.ended;
		const report = reportRun(pi, code);
		await inspect?.(report, pi);
		return report;
	} finally {
		await pi.dispose();
	}
}

/** What the events and requests so far say about the calls. */
export function reportRun(pi: PiProcess, code: number | null): RunReport {
	const received = receivedResults(pi.model.requests);
	const calls = pi.model.calls.map(({ id, call }): CallReport => {
		const mine = pi.events.filter((event) => event["toolCallId"] === id);
		const end = mine.find((event) => event.type === "tool_execution_end");
		const message = pi.events.find((event) => event.type === "message_end" && event["message"].toolCallId === id);
		return {
			id,
			call,
			received: received.get(id) ?? { text: `(not received; pi said: ${pi.stderr()})`, blocks: 0, isError: false },
			isError: end?.["isError"] === true,
			details: end?.["result"].details,
			structured: end?.["result"].structuredContent,
			message: message?.["message"],
			updates: mine.filter((event) => event.type === "tool_execution_update"),
			durationMs: end?.["durationMs"],
		};
	});
	const first = pi.model.requests[0];
	const system = first?.system ?? "";
	return {
		calls,
		events: pi.events,
		requests: pi.model.requests,
		stderr: pi.stderr(),
		code,
		systemPrompt: typeof system === "string" ? system : system.map((block) => block.text ?? "").join("\n"),
		declared: first?.tools ?? [],
	};
}

/** A bash call. */
export function bash(command: string, timeout?: number): ScriptedCall {
	return { name: "bash", arguments: { command, ...(timeout === undefined ? {} : { timeout }) } };
}
