import { existsSync } from "node:fs";
import { basename } from "node:path";

/** The program and arguments that start the pi that this process runs. */
export function piInvocation(args: readonly string[]): { command: string; args: string[] } {
	const script = process.argv[1];
	// In a single-file executable the script is inside of it: no path of the file system, although it may look like one.
	const embedded = script === undefined || /^(?:\/\$bunfs\/|[A-Za-z]:[\\/]~BUN[\\/])/.test(script) || !existsSync(script);
	if (!embedded) return { command: process.execPath, args: [script, ...args] };
	const isRuntime = /^(?:node|bun)(?:\.exe)?$/i.test(basename(process.execPath));
	return { command: isRuntime ? "pi" : process.execPath, args: [...args] };
}
