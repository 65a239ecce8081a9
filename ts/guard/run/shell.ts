import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { basename, delimiter, join } from "node:path";
import type { GuardPlan } from "../plan/types.ts";

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

/** Why a command must not be rewritten for this shell and environment, or `undefined`. Without a plan: any command. */
export function shellObjection(
	shell: string,
	env: Environment,
	plan?: Pick<GuardPlan, "bash4" | "timed" | "pipeFail">,
): "platform" | "shell" | "environment" | undefined {
	if (process.platform === "win32") return "platform";
	const name = basename(shell);
	if (!KNOWN.has(name)) return "shell";
	if (env["BASH_ENV"]) return "environment";
	const options = `${env["SHELLOPTS"] ?? ""}:${env["BASHOPTS"] ?? ""}`.split(":");
	if (options.some((option) => ["xtrace", "verbose", "noexec", "nounset", "monitor", "functrace", "errtrace", "lastpipe", "extdebug"].includes(option)))
		return "environment";
	if (plan?.timed && name === "zsh") return "shell";
	// Only bash tells in a variable that it is on.
	if (plan?.pipeFail && name !== "bash") return "shell";
	return plan?.bash4 && (name === "bash" || name === "sh") && isOldBash(shell) ? "shell" : undefined;
}

const oldBash = new Map<string, boolean>();

/** Whether `shell` is bash before 4, as on macOS. Starts it once per path; only asked for commands that it cannot read. */
function isOldBash(shell: string): boolean {
	let old = oldBash.get(shell);
	if (old === undefined) {
		const { stdout } = spawnSync(shell, ["-c", "echo $BASH_VERSION"], { stdio: ["ignore", "pipe", "ignore"], encoding: "utf8", env: {} });
		old = /^[1-3]\./.test(stdout ?? "");
		oldBash.set(shell, old);
	}
	return old;
}
