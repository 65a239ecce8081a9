import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";

/** Shells whose grammar the planner and the handoff know. ksh runs the last stage in itself and has other coprocesses. */
const KNOWN = new Set(["bash", "sh", "dash", "zsh", "ash", "mksh", "busybox"]);

/** What an environment does to a shell before the first word of a command runs. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The shell of an agent: `/bin/bash`, else bash on `PATH`, else `sh`. */
export function findShell(env: Environment): string {
	for (const path of ["/bin/bash", ...(env["PATH"] ?? "").split(delimiter).map((dir) => join(dir, "bash"))]) {
		try {
			accessSync(path, constants.X_OK);
			return path;
		} catch {
			// Not there: try the next one.
		}
	}
	return "sh";
}

/** The arguments that make `shell` run `text`. */
export function shellArguments(shell: string, text: string): string[] {
	return basename(shell) === "busybox" ? ["sh", "-c", text] : ["-c", text];
}

/** Whether `shell` is bash, which keeps `PIPESTATUS`. */
export function isBash(shell: string): boolean {
	return basename(shell) === "bash";
}

/** Why a command must not be rewritten for this shell and environment, or `undefined`. */
export function shellObjection(shell: string, env: Environment): "platform" | "shell" | "environment" | undefined {
	if (process.platform === "win32") return "platform";
	if (!KNOWN.has(basename(shell))) return "shell";
	if (env["BASH_ENV"]) return "environment";
	const options = `${env["SHELLOPTS"] ?? ""}:${env["BASHOPTS"] ?? ""}`.split(":");
	if (options.some((option) => ["xtrace", "verbose", "noexec", "nounset", "monitor", "functrace", "errtrace", "lastpipe", "extdebug"].includes(option)))
		return "environment";
	return undefined;
}
