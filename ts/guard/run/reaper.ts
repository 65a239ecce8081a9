import { type ChildProcess, spawn } from "node:child_process";

/**
 * Reads `+ID` and `-ID` lines; when its input ends, because the process that writes them is gone, it ends the process
 * groups that are left: SIGTERM, then SIGKILL.
 */
const SCRIPT = `
set -f; groups=
while read -r line; do
	id=\${line#?}
	case $line in
	+*) groups="$groups $id" ;;
	-*) rest=; for g in $groups; do [ "$g" = "$id" ] || rest="$rest $g"; done; groups=$rest ;;
	esac
done
for g in $groups; do kill -TERM "-$g"; done 2>/dev/null
[ -z "$groups" ] || sleep 0.5
for g in $groups; do kill -KILL "-$g"; done 2>/dev/null
`;

/**
 * Ends process groups when this process dies, however it dies: a small shell of its own session watches a pipe. It is
 * started with the first group and ends by itself. Not for Windows.
 */
export class Reaper {
	#shell: ChildProcess | undefined;

	/** Watches a group; call the returned function once the group has ended by itself. */
	watch(group: number): () => void {
		const shell = (this.#shell ??= this.#start());
		shell.stdin?.write(`+${group}\n`);
		return () => {
			if (shell.stdin?.writable) shell.stdin.write(`-${group}\n`);
		};
	}

	/** Ends what is left of the watched groups, and the shell. Groups may be watched again afterwards. */
	end(): void {
		this.#shell?.stdin?.end();
		this.#shell = undefined;
	}

	#start(): ChildProcess {
		const shell = spawn("/bin/sh", ["-c", SCRIPT], { cwd: "/", env: { PATH: "/usr/bin:/bin" }, stdio: ["pipe", "ignore", "ignore"], detached: true });
		// It must not keep this process alive, and a reaper that died takes nothing else with it.
		shell.unref();
		(shell.stdin as unknown as { unref?(): void } | null)?.unref?.();
		shell.stdin?.on("error", () => {});
		shell.on("error", () => {});
		shell.once("exit", () => {
			if (this.#shell === shell) this.#shell = undefined;
		});
		return shell;
	}
}
