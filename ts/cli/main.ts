#!/usr/bin/env node
import { USAGE } from "./arguments.ts";
import { doctor } from "./doctor.ts";
import { BROKEN_PIPE } from "./output.ts";
import { plan } from "./plan.ts";
import { run } from "./run.ts";
import { VERSION } from "../version.ts";
import { view } from "./view.ts";

/** A subcommand: takes its arguments, returns the exit status. */
export type Subcommand = (args: readonly string[]) => Promise<number>;

const HELP = `Usage: sluice <command> [arguments]

  sluice run '<command>'          run a shell command once: same output and status as bash -c; trailing
                                  head/tail/grep … are projected and the full output is kept as a log,
                                  whose path is printed on stderr
  sluice view '<views>' [FILE]    project a file or standard input: sluice view 'grep FAIL | tail -5' build.log
  sluice plan '<command>'         print as JSON what would be guarded, or why nothing is
  sluice doctor                   check the native engine, the platform, the shell and the tools
  sluice help | --version
`;

const COMMANDS: Readonly<Record<string, Subcommand>> = { run, view, plan, doctor };

async function main(args: readonly string[]): Promise<number> {
	const [name = "help", ...rest] = args;
	if (name === "help" || name === "--help" || name === "-h") {
		process.stdout.write(HELP);
		return 0;
	}
	if (name === "--version" || name === "-V") {
		process.stdout.write(`${VERSION}\n`);
		return 0;
	}
	const command = Object.hasOwn(COMMANDS, name) ? COMMANDS[name] : undefined;
	if (!command) {
		process.stderr.write(`sluice: unknown command ${JSON.stringify(name)}\n\n${HELP}`);
		return USAGE;
	}
	return await command(rest);
}

// A reader that goes away ends this program as it ends any other; a full disk is said.
process.stdout.on("error", (error: NodeJS.ErrnoException) => {
	if (error.code === "EPIPE") process.exit(BROKEN_PIPE);
	process.stderr.write(`sluice: ${error.message}\n`);
	process.exit(1);
});
try {
	process.exitCode = await main(process.argv.slice(2));
} catch (error) {
	process.stderr.write(`sluice: ${error instanceof Error ? error.message : String(error)}\n`);
	process.exitCode = 1;
}
