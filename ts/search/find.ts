import { resolve } from "node:path";
import { withCancellation } from "../cancellation.ts";
import type { Binding } from "../native.ts";

/** What {@link find} looks for, and where. */
export interface FindOptions {
	/**
	 * A glob. With a `/` it matches paths relative to `path` (or absolute ones), without it matches names at any depth. A
	 * pattern without upper-case letters matches in either case.
	 */
	readonly pattern: string;
	/** The directory to search. @default `cwd` */
	readonly path?: string;
	/** Paths to return at most; less than 1 means 1. @default 1000 */
	readonly limit?: number;
	/** What a relative `path` is relative to. @default process.cwd() */
	readonly cwd?: string;
	/** Whether names that begin with a dot are found. @default true */
	readonly hidden?: boolean;
	/** Whether `.gitignore`, `.ignore`, `.fdignore` and git's excludes are obeyed. @default true */
	readonly gitignore?: boolean;
	/** Stops the search. */
	readonly signal?: AbortSignal;
}

/** What {@link find} found. */
export interface FindResult {
	/** Relative to the searched directory, separated by `/`, sorted by their bytes; directories end with `/`. */
	paths: readonly string[];
	/** Whether there are more paths than `limit`. */
	limitReached: boolean;
}

/**
 * Finds files, directories and links by a glob, as `fd --glob --hidden` does: ignore files are obeyed, symbolic links are
 * not followed. Results are sorted and the limit is exact. Directories are remembered (in at most 16 MB, on Linux's local
 * file systems): a later call asks whether each directory and each ignore file is as it was, and reads only what is not.
 * @throws SluiceError `INVALID_PATTERN`, `IO` if `path` is not a directory that can be read; `AbortError`
 */
export async function find(options: FindOptions): Promise<FindResult> {
	return (await findPaths(options)).result;
}

/** {@link find}, with what the tools' notices need. */
export async function findPaths(options: FindOptions): Promise<{ result: FindResult; unreadable: Binding.Unreadable[] }> {
	const windows = process.platform === "win32";
	const request: Binding.FindRequest = {
		pattern: windows ? options.pattern.replaceAll("\\", "/") : options.pattern,
		path: resolve(options.cwd ?? process.cwd(), options.path ?? "."),
		limit: Math.max(1, Math.floor(options.limit ?? 1000)),
		hidden: options.hidden ?? true,
		ignoreFiles: options.gitignore ?? true,
	};
	const reply = await withCancellation(options.signal, (token, engine) => engine.findPaths(request, token));
	const paths = reply.paths.toString("utf-8").split("\0");
	paths.pop();
	return { result: { paths, limitReached: reply.limitReached }, unreadable: reply.messages };
}
