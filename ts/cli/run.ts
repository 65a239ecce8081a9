import { type GuardOptions, runGuarded } from "../guard/run-guarded.ts";
import { USAGE } from "./usage.ts";

const HELP = `Usage: sluice run [options] [--] '<command>'

Runs the command once. stdout, stderr and the exit status are those of bash -c. Trailing head, tail, grep, … are
projected by the engine while the command runs; if its full output was kept, the log's path is printed on stderr.

  --keep-log=auto|always|never   auto: slow commands, and output beyond 2000 lines or 50 KiB
  --finish=auto|always|never     whether a command runs on once its views have seen enough
  --timeout=SECONDS              end the whole process tree after this time (status 124)
`;

/** `sluice run '<command>'`. */
export async function run(args: readonly string[]): Promise<number> {
	const options: { -readonly [K in keyof GuardOptions]: GuardOptions[K] } = {};
	let at = 0;
	for (; at < args.length && args[at]?.startsWith("--"); at++) {
		const [flag, value = ""] = (args[at] ?? "").split("=", 2);
		if (flag === "--") {
			at++;
			break;
		}
		if (flag === "--keep-log" && isPolicy(value)) options.keepLog = value;
		else if (flag === "--finish" && isPolicy(value)) options.finish = value;
		else if (flag === "--timeout" && Number(value) > 0) options.timeoutMs = Number(value) * 1000;
		else if (flag === "--help") {
			process.stdout.write(HELP);
			return 0;
		} else {
			process.stderr.write(`sluice run: unknown option ${JSON.stringify(args[at])}\n\n${HELP}`);
			return USAGE;
		}
	}
	const command = args[at];
	if (command === undefined || args.length !== at + 1) {
		process.stderr.write(`sluice run: give the command as one argument, in quotes\n\n${HELP}`);
		return USAGE;
	}
	const abort = new AbortController();
	for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.once(signal, () => abort.abort(signal));
	const result = await runGuarded(command, {
		...options,
		stdin: 0,
		maxOutputBytes: 0,
		signal: abort.signal,
		onOutput: (chunk, stream) => void process[stream].write(chunk),
	});
	if (result.logError !== undefined) process.stderr.write(`sluice: the log is incomplete: ${result.logError}\n`);
	if (result.logPath !== undefined) process.stderr.write(`sluice: full output: ${result.logPath}\n`);
	return result.exitCode;
}

function isPolicy(value: string): value is "auto" | "always" | "never" {
	return value === "auto" || value === "always" || value === "never";
}
