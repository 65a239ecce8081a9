import { access, readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { schemas } from "../schemas/index.ts";
import { lsDirectory } from "./ls-directory.ts";
import { type LsArguments, lsText } from "./ls-text.ts";
import type { SearchDetails } from "./notices.ts";
import type { LsOperations } from "./operations.ts";
import { resolveToCwd } from "./paths.ts";
import { toToolError } from "./search-text.ts";
import { throwIfAborted, type ToolDefinition } from "./types.ts";

const local: LsOperations = {
	exists: (path) => access(path).then(() => true, () => false),
	stat,
	readdir: (path) => readdir(path),
};

/** The ls tool. Locally folders of any size are listed natively. */
export function lsTool(cwd: string, operations?: LsOperations): ToolDefinition<LsArguments, SearchDetails> {
	const ops = operations ?? local;
	return {
		name: "ls",
		label: "ls",
		description:
			"List directory contents. Returns entries sorted alphabetically, with '/' suffix for directories. Includes dotfiles. Output is truncated to 500 entries or 50KB (whichever is hit first).",
		promptSnippet: "List directory contents",
		parameters: schemas.ls,
		async execute(_toolCallId, args, signal, _onUpdate, ctx) {
			throwIfAborted(signal);
			const path = resolveToCwd(args.path || ".", ctx?.cwd || cwd);
			if (!(await ops.exists(path))) throw new Error(`Path not found: ${path}`);
			throwIfAborted(signal);
			if (!(await ops.stat(path)).isDirectory()) throw new Error(`Not a directory: ${path}`);
			throwIfAborted(signal);
			if (!operations) {
				return lsDirectory(args, path, signal).catch(async (error) => {
					// Node's words for why a folder cannot be read.
					await readNames(local, path);
					throw toToolError(error);
				});
			}
			const entries = (await readNames(ops, path)).map((name) => ({ name }));
			return lsText(entries, args, async ({ name }) => suffix(ops, join(path, name)), signal);
		},
	};
}

async function readNames(ops: LsOperations, path: string): Promise<string[]> {
	try {
		return await ops.readdir(path);
	} catch (error) {
		throw new Error(`Cannot read directory: ${error instanceof Error ? error.message : String(error)}`);
	}
}

async function suffix(ops: LsOperations, path: string): Promise<string | undefined> {
	try {
		return (await ops.stat(path)).isDirectory() ? "/" : "";
	} catch {
		return undefined; // What cannot be examined is left out.
	}
}
