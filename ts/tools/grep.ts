import { stat } from "node:fs/promises";
import { withCancellation } from "../cancellation.ts";
import { schemas } from "../schemas/index.ts";
import { type GrepResult, toRequest, toResult } from "../search/grep.ts";
import { IGNORE, relativeTo } from "./find.ts";
import type { SearchDetails } from "./notices.ts";
import type { FindOperations, GrepOperations } from "./operations.ts";
import { resolveToCwd } from "./paths.ts";
import { type GrepArguments, grepResult, grepTree, toToolError } from "./search-text.ts";
import { throwIfAborted, type ToolDefinition } from "./types.ts";

/** Files of other operations that are held in memory at once. */
const BATCH = 32;

const local: Pick<GrepOperations, "isDirectory"> = { isDirectory: async (path) => (await stat(path)).isDirectory() };

/**
 * The grep tool. Locally the search is native; with other operations the files they list are read and searched in memory,
 * in path order, until the limit is reached.
 */
export function grepTool(cwd: string, operations?: GrepOperations, find?: FindOperations): ToolDefinition<GrepArguments, SearchDetails> {
	return {
		name: "grep",
		label: "grep",
		description:
			"Search file contents for a pattern. Returns matching lines with file paths and line numbers. Respects .gitignore. Output is truncated to 100 matches or 50KB (whichever is hit first). Long lines are truncated to 500 chars.",
		promptSnippet: "Search file contents for patterns (respects .gitignore)",
		parameters: schemas.grep,
		async execute(_toolCallId, args, signal, _onUpdate, ctx) {
			throwIfAborted(signal);
			const path = resolveToCwd(args.path || ".", ctx?.cwd || cwd);
			let isDirectory: boolean;
			try {
				isDirectory = await (operations ?? local).isDirectory(path);
			} catch {
				throw new Error(`Path not found: ${path}`);
			}
			if (!operations) return grepTree(args, path, signal);
			const files = isDirectory ? await listFiles(operations, find, path) : [path];
			try {
				return await grepFiles(operations, args, path, files, isDirectory, signal);
			} catch (error) {
				throw toToolError(error);
			}
		},
	};
}

async function listFiles(ops: GrepOperations, find: FindOperations | undefined, path: string): Promise<string[]> {
	const listed = ops.listFiles ? await ops.listFiles(path) : await find?.glob("**/*", path, { ignore: IGNORE, limit: Number.MAX_SAFE_INTEGER });
	if (listed === undefined) throw new Error("These grep operations cannot list files: give listFiles, or find operations with glob");
	const names = listed.map((file) => relativeTo(path, file)).filter((file) => !file.endsWith("/"));
	return names.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

async function grepFiles(ops: GrepOperations, args: GrepArguments, root: string, files: readonly string[], isDirectory: boolean, signal: AbortSignal | undefined) {
	const limit = Math.max(1, Math.floor(args.limit ?? 100));
	const context = args.context && args.context > 0 ? Math.floor(args.context) : 0;
	const { glob, ...rest } = args;
	const options = { ...rest, ...(isDirectory && glob ? { glob } : {}) };
	const results: GrepResult[] = [];
	let count = 0;
	for (let at = 0; at < files.length && !results.at(-1)?.matchLimitReached; at += BATCH) {
		throwIfAborted(signal);
		const batch = files.slice(at, at + BATCH);
		const contents = await Promise.all(batch.map(async (file) => Buffer.from(await ops.readFile(isDirectory ? `${root}/${file}` : file))));
		const names = isDirectory ? batch : batch.map((file) => file.slice(file.lastIndexOf("/") + 1));
		// Once the limit is reached, one more match anywhere tells that it cut something off.
		const done = count >= limit;
		const request = toRequest({ ...options, limit: done ? 1 : limit - count, context: done ? 0 : context }, root);
		const result = toResult(await withCancellation(signal, (token, engine) => engine.grepContents(request, names, contents, token)));
		if (done) {
			const last = results.at(-1);
			if (last && result.matchCount > 0) last.matchLimitReached = true;
			continue;
		}
		count += result.matchCount;
		results.push(result);
	}
	return grepResult(args, results, []);
}
