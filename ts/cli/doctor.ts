import { spawnSync } from "node:child_process";
import { native, nativeFailure } from "../native.ts";
import { runGuarded } from "../guard/run-guarded.ts";
import { findShell } from "../guard/run/shell.ts";
import { VERSION } from "../version.ts";
import { parseArguments } from "./arguments.ts";

const SYNTAX = {
	name: "doctor",
	help: `Usage: sluice doctor

Prints the versions of the package, Node, the native engine, the shell and the views' tools, and whether a guarded run
works. Status 1 if something that Sluice needs does not work.
`,
	options: {},
	words: [0, 0],
	expected: "takes no arguments",
} as const;

/** The tools that the engine stands in for; the guard looks at their versions, too. */
const TOOLS = ["head", "tail", "grep", "rg", "less"];

/** `sluice doctor`: what works on this machine. Status 1 if something that Sluice needs does not. */
export async function doctor(args: readonly string[]): Promise<number> {
	const parsed = parseArguments(args, SYNTAX);
	if (typeof parsed === "number") return parsed;
	const lines: [string, string][] = [
		["pi-sluice", VERSION],
		["node", `${process.version} on ${process.platform} ${process.arch}`],
	];
	let healthy = native.available;
	if (native.available) {
		lines.push(["engine", `${native.version} (${native.target})`]);
		if (process.platform !== "win32") {
			const shell = findShell(process.env);
			lines.push(["shell", shell]);
			const problem = await tryRun();
			lines.push(["guarded run", problem ?? "works"]);
			healthy &&= problem === undefined;
			for (const tool of TOOLS) lines.push([tool, versionOf(tool)]);
		} else lines.push(["guarded run", "not on Windows: commands run unguarded"]);
	} else {
		lines.push(["engine", "not loaded"]);
	}
	for (const [name, value] of lines) process.stdout.write(`${name.padEnd(12)} ${value}\n`);
	const failure = nativeFailure();
	if (failure) process.stdout.write(`\n${failure.message}\n`);
	return healthy ? 0 : 1;
}

/** The first line of what a tool says of itself. */
function versionOf(tool: string): string {
	const { error, stdout } = spawnSync(tool, ["--version"], { encoding: "utf8", stdio: ["ignore", "pipe", "ignore"], timeout: 5000 });
	return error === undefined ? (stdout.split("\n", 1)[0] ?? "") : "not found";
}

async function tryRun(): Promise<string | undefined> {
	try {
		const { stdout, exitCode, record } = await runGuarded("printf 'a\\nb\\n' | tail -n 1", { keepLog: "never", timeoutMs: 10_000 });
		const text = new TextDecoder().decode(stdout);
		if (text === "b\n" && exitCode === 0 && record) return undefined;
		return `printed ${JSON.stringify(text)} with status ${exitCode}`;
	} catch (error) {
		return describe(error);
	}
}

function describe(error: unknown): string {
	if (!(error instanceof Error)) return String(error);
	return error.cause === undefined ? error.message : `${error.message}; ${describe(error.cause)}`;
}
