// Drives pi in RPC mode: prompts, commands, aborts, several in one session.
import type { PiOptions } from "./home.ts";
import { startPi, type PiEvent, type PiProcess } from "./process.ts";
import type { Turn } from "./model.ts";

/** A pi that takes commands. */
export interface PiDriver extends PiProcess {
	/** Sends a command and resolves with its response. */
	send(command: { type: string; [key: string]: unknown }): Promise<PiEvent>;
	/** Sends a prompt and waits until the agent has settled. */
	prompt(message: string, ms?: number): Promise<void>;
	/** Closes standard input, which ends pi, and cleans up. */
	close(): Promise<void>;
}

/** Starts pi in RPC mode. */
export async function drivePi(script: readonly Turn[], options: PiOptions = {}): Promise<PiDriver> {
	const pi = await startPi(script, options, "rpc");
	let sent = 0;
	const send = (command: { type: string; [key: string]: unknown }) => {
		const id = `c${++sent}`;
		pi.child.stdin!.write(`${JSON.stringify({ id, ...command })}\n`);
		return pi.waitFor((event) => event.type === "response" && event["id"] === id);
	};
	return {
		...pi,
		send,
		async prompt(message, ms) {
			const from = pi.events.length;
			const response = await send({ type: "prompt", message });
			if (response["data"]?.disposition !== "started") return;
			await pi.waitFor((event) => event.type === "agent_settled", ms, from);
		},
		async close() {
			pi.child.stdin!.end();
			const timer = setTimeout(() => pi.child.kill("SIGKILL"), 5_000);
			await pi.ended;
			clearTimeout(timer);
			await pi.dispose();
		},
	};
}
