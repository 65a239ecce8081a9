import { isAbsolute, relative, sep } from "node:path";
import { schemas } from "../schemas/index.ts";
import { effectiveLimit, listText, type SearchDetails, withNotices } from "./notices.ts";
import type { FindOperations } from "./operations.ts";
import { resolveToCwd } from "./paths.ts";
import { type FindArguments, findTree } from "./search-text.ts";
import { textResult, throwIfAborted, type ToolDefinition, type ToolResult } from "./types.ts";

/** What other operations than the local ones are told to leave out. */
export const IGNORE = ["**/node_modules/**", "**/.git/**"];

/** The find tool. Locally the search is native; other operations bring their own `glob`. */
export function findTool(cwd: string, operations?: FindOperations): ToolDefinition<FindArguments, SearchDetails> {
	return {
		name: "find",
		label: "find",
		description:
			"Search for files by glob pattern. Returns matching file paths relative to the search directory. Respects .gitignore. Output is truncated to 1000 results or 50KB (whichever is hit first).",
		promptSnippet: "Find files by glob pattern (respects .gitignore)",
		parameters: schemas.find,
		async execute(_toolCallId, args, signal, _onUpdate, ctx) {
			throwIfAborted(signal);
			const path = resolveToCwd(args.path || ".", ctx?.cwd || cwd);
			return operations ? findWith(operations, args, path, signal) : findTree(args, path, signal);
		},
	};
}

async function findWith(ops: FindOperations, args: FindArguments, path: string, signal: AbortSignal | undefined): Promise<ToolResult<SearchDetails>> {
	const limit = effectiveLimit(args.limit, 1000);
	if (!(await ops.exists(path))) throw new Error(`Path not found: ${path}`);
	throwIfAborted(signal);
	// One more than the limit tells whether there are more.
	const found = await ops.glob(args.pattern, path, { ignore: IGNORE, limit: limit + 1 });
	throwIfAborted(signal);
	if (found.length === 0) return textResult("No files found matching pattern");
	const { text, truncation } = listText(found.slice(0, limit).map((result) => relativeTo(path, result)));
	const details: SearchDetails = {};
	if (found.length > limit) details.resultLimitReached = limit;
	if (truncation) details.truncation = truncation;
	return withNotices(text, details, found.length > limit ? `${limit} results limit reached` : undefined);
}

/** A result relative to the folder, with `/`; a final `/` stays. */
export function relativeTo(folder: string, path: string): string {
	const posix = (isAbsolute(path) ? relative(folder, path) : path).split(sep).join("/");
	return (path.endsWith("/") || path.endsWith(sep)) && !posix.endsWith("/") ? `${posix}/` : posix;
}
