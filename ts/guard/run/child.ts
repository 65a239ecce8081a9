import { type ChildProcess, spawn } from "node:child_process";
import { constants as osConstants } from "node:os";
import type { Binding } from "../../native.ts";
import { SluiceError } from "../../errors.ts";
import { type Environment, shellArguments } from "./shell.ts";

/** How long a process group has between SIGTERM and SIGKILL, in milliseconds. */
const GRACE_MS = 500;

/** A shell that runs a command in a process group of its own, with the engine's pipes. */
export interface Child {
	/** The group's id. */
	readonly pid: number;
	/** Resolves with the shell's status as a shell would report it: 128 + n after signal n. */
	readonly exited: Promise<number>;
	/** SIGTERM to the whole group, SIGKILL after half a second; resolves when the shell is gone. */
	kill(): Promise<void>;
}

/**
 * Starts `shell -c text` with stdin from /dev/null. SIGPIPE and all other signals have their default action.
 * @throws SluiceError `SPAWN` if the shell or the working directory does not exist, or the environment cannot be passed.
 */
export async function startChild(
	shell: string,
	text: string,
	fds: Binding.CaptureFds,
	options: { readonly cwd: string; readonly env: Environment; readonly argv0?: string | undefined; readonly stdin?: number | undefined },
): Promise<Child> {
	const { stdout, stderr, data, announce, reply } = fds;
	const failed = (cause: Error) => new SluiceError("SPAWN", `cannot run ${shell} in ${options.cwd}: ${cause.message}`, { cause });
	let child: ChildProcess;
	try {
		child = spawn(shell, shellArguments(shell, text), {
			...(options.argv0 === undefined ? {} : { argv0: options.argv0 }),
			cwd: options.cwd,
			env: options.env as NodeJS.ProcessEnv,
			stdio: [options.stdin ?? "ignore", stdout, stderr, "ignore", "ignore", "ignore", "ignore", data, announce, reply],
			// A session of its own, as pi's shell has: the whole tree can be ended, and no terminal is in reach.
			detached: true,
		});
	} catch (error) {
		// Some failures are thrown, others are events.
		throw failed(error as Error);
	}
	const exited = new Promise<number>((resolve) => {
		child.once("exit", (code, signal) => resolve(code ?? 128 + signalNumber(signal)));
	});
	await new Promise<void>((resolve, reject) => {
		child.once("spawn", resolve);
		child.once("error", (cause) => reject(failed(cause)));
	});
	return { pid: child.pid as number, exited, kill: () => killGroup(child, exited) };
}

async function killGroup(child: ChildProcess, exited: Promise<unknown>): Promise<void> {
	const signalGroup = (signal: NodeJS.Signals) => {
		try {
			process.kill(-(child.pid as number), signal);
		} catch {
			// The group is gone already.
		}
	};
	signalGroup("SIGTERM");
	const hard = setTimeout(() => signalGroup("SIGKILL"), GRACE_MS);
	hard.unref();
	await exited;
	clearTimeout(hard);
	// Members that ignored SIGTERM outlive the shell.
	signalGroup("SIGKILL");
}

function signalNumber(signal: NodeJS.Signals | null): number {
	return signal === null ? 0 : (osConstants.signals[signal] ?? 0);
}
