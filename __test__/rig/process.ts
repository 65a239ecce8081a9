// One pi process in JSON or RPC mode: its events, line by line.
import { spawn, type ChildProcess } from "node:child_process";
import { createInterface } from "node:readline";
import { configureHome, createHome, NODE, piArguments, piEnvironment, type PiHome, type PiOptions } from "./home.ts";
import { startScriptedModel, type ScriptedModel, type Turn } from "./model.ts";

/** An event or response of pi. */
export interface PiEvent {
	readonly type: string;
	// oxlint-disable-next-line typescript/no-explicit-any -- the shape depends on the type
	readonly [key: string]: any;
}

/** A running pi with its model. */
export interface PiProcess {
	readonly child: ChildProcess;
	readonly home: PiHome;
	readonly model: ScriptedModel;
	readonly events: readonly PiEvent[];
	/** Resolves with the first event (from index `from` on) that matches; rejects when pi ends first or after `ms`. */
	waitFor(match: (event: PiEvent) => boolean, ms?: number, from?: number): Promise<PiEvent>;
	stderr(): string;
	/** Resolves when pi has ended and its output is read. */
	readonly ended: Promise<{ code: number | null; signal: NodeJS.Signals | null }>;
	/** Ends the model and removes the home, unless it was handed in. */
	dispose(): Promise<void>;
}

/** Starts pi in its own process group. */
export async function startPi(script: readonly Turn[], options: PiOptions, mode: "json" | "rpc", prompt?: string): Promise<PiProcess> {
	const model = await startScriptedModel(script);
	const home = options.home ?? createHome();
	configureHome(home, model.url, options.settings);
	const args = [...piArguments(options, mode), ...(prompt === undefined ? [] : ["--", prompt])];
	const child = spawn(NODE, args, {
		cwd: options.cwd ?? home.work,
		env: piEnvironment(home, options.env),
		stdio: [mode === "rpc" ? "pipe" : "ignore", "pipe", "pipe"],
		detached: true,
	});
	const events: PiEvent[] = [];
	const listeners = new Set<(event: PiEvent) => void>();
	createInterface({ input: child.stdout! }).on("line", (line) => {
		if (!line.startsWith("{")) return;
		const event = JSON.parse(line) as PiEvent;
		events.push(event);
		for (const listener of listeners) listener(event);
	});
	let stderr = "";
	child.stderr!.setEncoding("utf8").on("data", (text: string) => (stderr += text));
	const ended = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
		child.on("close", (code, signal) => resolve({ code, signal })),
	);
	const waitFor = (match: (event: PiEvent) => boolean, ms = 30_000, from = 0) =>
		new Promise<PiEvent>((resolve, reject) => {
			const seen = events.slice(from).find(match);
			if (seen !== undefined) return resolve(seen);
			const fail = (why: string) => {
				stop();
				reject(new Error(`pi: ${why}\n${stderr}`));
			};
			const timer = setTimeout(() => fail(`no such event within ${ms} ms`), ms);
			const listener = (event: PiEvent) => {
				if (!match(event)) return;
				stop();
				resolve(event);
			};
			const stop = () => {
				clearTimeout(timer);
				listeners.delete(listener);
			};
			listeners.add(listener);
			void ended.then(() => fail("ended first"));
		});
	const dispose = async () => {
		if (child.exitCode === null && child.signalCode === null) child.kill("SIGKILL");
		await ended;
		await model.close();
		if (options.home === undefined) home.remove();
	};
	return { child, home, model, events, waitFor, stderr: () => stderr, ended, dispose };
}
