import { access } from "node:fs/promises";
import { homedir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const UNICODE_SPACES = /[\u00A0\u2000-\u200A\u202F\u205F\u3000]/g;

/** A path as a model writes it - with `~`, `@`, odd spaces or as a `file:` URL - made absolute. */
export function resolveToCwd(path: string, cwd: string): string {
	const spaced = path.replace(UNICODE_SPACES, " ");
	const named = expand(spaced.startsWith("@") ? spaced.slice(1) : spaced);
	return isAbsolute(named) ? resolve(named) : resolve(expand(cwd), named);
}

/** As {@link resolveToCwd}; if there is no such file, a file whose name only looks the same is taken. */
export async function resolveToRead(path: string, cwd: string, exists: (path: string) => Promise<boolean> = existsOnDisk): Promise<string> {
	const resolved = resolveToCwd(path, cwd);
	for (const variant of lookalikes(resolved)) {
		if (await exists(variant)) return variant;
	}
	return resolved;
}

/** Spellings that macOS uses: a narrow space before AM and PM, decomposed letters, curly apostrophes. */
function lookalikes(path: string): Set<string> {
	const curly = (text: string) => text.replace(/'/g, "\u2019");
	const decomposed = path.normalize("NFD");
	return new Set([path, path.replace(/ (AM|PM)\./gi, "\u202F$1."), decomposed, curly(path), curly(decomposed)]);
}

function expand(path: string): string {
	const native = process.platform === "win32" ? fromPosixDrive(path) : path;
	if (native === "~") return homedir();
	if (native.startsWith("~/") || (process.platform === "win32" && native.startsWith("~\\"))) return join(homedir(), native.slice(2));
	return native.startsWith("file://") ? fileURLToPath(native) : native;
}

/** `/c/x`, `/mnt/c/x` and `/cygdrive/c/x` as `C:\x`. */
function fromPosixDrive(path: string): string {
	if (path.startsWith("//") || path.includes("\\")) return path;
	const [, drive, rest] = /^\/(?:mnt\/|cygdrive\/)?([a-z])(?:\/(.*))?$/i.exec(path) ?? [];
	return drive === undefined ? path : `${drive.toUpperCase()}:\\${rest?.replaceAll("/", "\\") ?? ""}`;
}

async function existsOnDisk(path: string): Promise<boolean> {
	return access(path).then(
		() => true,
		() => false,
	);
}
