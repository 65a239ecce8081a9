import { constants } from "node:os";
import { type GuardedResult, runGuarded } from "../guard/run-guarded.ts";
import { parseArguments, refuse } from "./arguments.ts";

/** The longest delay of a timer, in milliseconds. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** What ends the command when it reaches this program. */
const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
const POLICIES = ["auto", "always", "never"] as const;
const SYNTAX = {
	name: "run",
	help: `Usage: sluice run [options] [--] '<command>'

Runs the command once. stdout, stderr and the exit status are those of bash -c. Trailing head, tail, grep, … are
projected by the engine while the command runs; if its full output was kept, the log's path is printed on stderr.

  --keep-log=auto|always|never   auto: slow commands, and output beyond 2000 lines or 50 KiB
  --finish=auto|always|never     whether a command runs on once its views have seen enough
  --timeout=SECONDS              end the whole process tree after this time (status 124)

SIGINT, SIGTERM and SIGHUP end the command's whole process tree, too; the status is 128 and the signal's number.
`,
	options: { "keep-log": { type: "string" }, finish: { type: "string" }, timeout: { type: "string" } },
	words: [1, 1],
	expected: "give the command as one argument, in quotes",
} as const;

/** `sluice run '<command>'`. */
export async function run(args: readonly string[]): Promise<number> {
	const parsed = parseArguments(args, SYNTAX);
	if (typeof parsed === "number") return parsed;
	const { "keep-log": keepLog = "auto", finish = "auto", timeout } = parsed.values;
	if (!isPolicy(keepLog)) return refuse(SYNTAX, `--keep-log is one of ${POLICIES.join(", ")}, not ${JSON.stringify(keepLog)}`);
	if (!isPolicy(finish)) return refuse(SYNTAX, `--finish is one of ${POLICIES.join(", ")}, not ${JSON.stringify(finish)}`);
	const timeoutMs = timeout === undefined ? undefined : Number(timeout) * 1000;
	if (timeoutMs !== undefined && !(timeoutMs > 0 && timeoutMs <= MAX_TIMEOUT_MS)) {
		return refuse(SYNTAX, `--timeout is a number of seconds, not ${JSON.stringify(timeout)}`);
	}
	const [command = ""] = parsed.positionals;
	const abort = new AbortController();
	for (const signal of SIGNALS) process.once(signal, () => abort.abort(signal));
	let result: GuardedResult;
	try {
		result = await runGuarded(command, {
			keepLog,
			finish,
			...(timeoutMs === undefined ? {} : { timeoutMs }),
			stdin: 0,
			maxOutputBytes: 0,
			signal: abort.signal,
			onOutput: (chunk, stream) => void process[stream].write(chunk),
		});
	} catch (error) {
		// The whole tree was told to end, as a terminal would have told it; what it printed is out.
		if (abort.signal.aborted) return 128 + constants.signals[abort.signal.reason as (typeof SIGNALS)[number]];
		throw error;
	}
	if (result.logError !== undefined) process.stderr.write(`sluice: the log is incomplete: ${result.logError}\n`);
	if (result.logPath !== undefined) process.stderr.write(`sluice: full output: ${result.logPath}\n`);
	return result.exitCode;
}

function isPolicy(value: string): value is (typeof POLICIES)[number] {
	return (POLICIES as readonly string[]).includes(value);
}
