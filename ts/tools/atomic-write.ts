import { randomBytes } from "node:crypto";
import { access, constants, type FileHandle, lstat, open, realpath, rename, stat, unlink, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { throwIfAborted } from "./types.ts";

/**
 * Writes a text file so that it is the old or the new one at any time: to a temporary file beside it, then renamed.
 * Symbolic links stay links, and the mode and the owner are kept. A file with several names, a device, or a file in a
 * folder that cannot be written is written in place, since a new file could not take its place. An abort before the
 * rename leaves the old file.
 */
export async function writeFileAtomically(path: string, content: string | Uint8Array, signal?: AbortSignal): Promise<void> {
	const target = await replaceable(path);
	if (target === undefined) return writeFile(path, content);
	const temporary = join(dirname(target.path), `.${basename(target.path).slice(0, 100)}.${randomBytes(6).toString("hex")}.tmp`);
	let handle: FileHandle;
	try {
		handle = await open(temporary, "wx", target.mode ?? 0o666);
	} catch {
		// The folder takes no new file; whatever is wrong, writing in place succeeds or says so.
		return writeFile(path, content);
	}
	try {
		try {
			await handle.writeFile(content);
			if (target.mode !== undefined) await handle.chmod(target.mode);
			if (target.owner) await handle.chown(target.owner.uid, target.owner.gid);
		} finally {
			await handle.close();
		}
		throwIfAborted(signal);
		await rename(temporary, target.path);
	} catch (error) {
		await unlink(temporary).catch(() => {});
		throw error;
	}
}

interface Target {
	readonly path: string;
	/** Absent for a new file. */
	readonly mode?: number;
	/** Present if it is not ours. */
	readonly owner?: { readonly uid: number; readonly gid: number };
}

/** The file that a new one can take the place of; undefined if it has to be written in place. */
async function replaceable(path: string): Promise<Target | undefined> {
	const stats = await stat(path).catch(() => undefined);
	if (stats === undefined) {
		// A dangling link makes a new file where it points to.
		return (await lstat(path).catch(() => undefined)) === undefined ? { path } : undefined;
	}
	if (!stats.isFile() || stats.nlink > 1) return undefined;
	const writable = await access(path, constants.W_OK).then(
		() => true,
		() => false,
	);
	if (!writable) return undefined;
	const uid = process.geteuid?.();
	const foreign = uid !== undefined && (stats.uid !== uid || stats.gid !== process.getegid?.());
	// Only root can give a file away.
	if (foreign && uid !== 0) return undefined;
	const owner = foreign ? { owner: { uid: stats.uid, gid: stats.gid } } : {};
	return { path: await realpath(path), mode: stats.mode & 0o7777, ...owner };
}
