import { homedir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The parts of pi's settings that its own bash tool gets. */
export interface ShellSettings {
	/** The user's shell, `~` and `file://` resolved as pi does; absent: pi's default. */
	readonly shellPath?: string;
	/** Text that pi puts on a line of its own before every command. */
	readonly commandPrefix?: string;
}

/** Reads `shellPath` and `shellCommandPrefix` from pi's settings. */
export function shellSettings(settings: { shellPath?: string; shellCommandPrefix?: string }): ShellSettings {
	const { shellPath, shellCommandPrefix } = settings;
	return {
		...(shellPath ? { shellPath: expandPath(shellPath) } : {}),
		...(shellCommandPrefix ? { commandPrefix: shellCommandPrefix } : {}),
	};
}

/** A path as a user writes it in pi: `~` and `file://` resolved. */
export function expandPath(path: string): string {
	if (path === "~") return homedir();
	if (path.startsWith("~/")) return join(homedir(), path.slice(2));
	return path.startsWith("file://") ? fileURLToPath(path) : path;
}
