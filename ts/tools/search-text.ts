import { SluiceError } from "../errors.ts";
import { findPaths } from "../search/find.ts";
import { type GrepResult, search } from "../search/grep.ts";
import type { TruncationResult } from "../truncate/limits.ts";
import { effectiveLimit, listText, type SearchDetails, unreadableNotice, withNotices } from "./notices.ts";
import { aborted, textResult, type ToolResult } from "./types.ts";

/** Arguments of the grep tool. */
export interface GrepArguments {
	readonly pattern: string;
	readonly path?: string;
	readonly glob?: string;
	readonly ignoreCase?: boolean;
	readonly literal?: boolean;
	readonly context?: number;
	readonly limit?: number;
}

/** Arguments of the find tool. */
export interface FindArguments {
	readonly pattern: string;
	readonly path?: string;
	readonly limit?: number;
}

/** Searches `path` (absolute) natively; the result is the one of pi's grep tool. */
export async function grepTree(args: GrepArguments, path: string, signal: AbortSignal | undefined): Promise<ToolResult<SearchDetails>> {
	const limit = effectiveLimit(args.limit, 100);
	const context = args.context && args.context > 0 ? Math.floor(args.context) : 0;
	const { result, unreadable } = await search({ ...args, path, context, limit, ...(signal ? { signal } : {}) }).catch((error) => {
		throw toToolError(error);
	});
	return grepResult(args, [result], unreadable);
}

/** The result of pi's grep tool for what was found, given in parts that follow one another. */
export function grepResult(args: GrepArguments, parts: readonly GrepResult[], unreadable: readonly { path: string; message: string }[]): ToolResult<SearchDetails> {
	if (!parts.some((part) => part.matchCount > 0)) {
		// Nothing was found, but not everything was searched: as with ripgrep, that is a failure.
		if (unreadable.length > 0) throw new Error(unreadable.map(({ path, message }) => `rg: ./${path}: ${message}`).join("\n"));
		return textResult("No matches found");
	}
	const limit = effectiveLimit(args.limit, 100);
	const details: SearchDetails = {};
	const limitReached = parts.some((part) => part.matchLimitReached);
	if (limitReached) details.matchLimitReached = limit;
	const { text, truncation } = joined(parts);
	if (truncation) details.truncation = truncation;
	if (parts.some((part) => part.linesTruncated)) details.linesTruncated = true;
	const notice = limitReached ? `${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern` : undefined;
	return withNotices(text, details, notice, unreadableNotice(unreadable));
}

function joined(parts: readonly GrepResult[]): { text: string; truncation?: TruncationResult } {
	const [only] = parts;
	if (only && parts.length === 1) return { text: only.text, ...(only.truncation ? { truncation: only.truncation } : {}) };
	return listText(parts.flatMap(({ matches }) => matches.map(({ path, lineNumber, text, isMatch }) => (isMatch ? `${path}:${lineNumber}: ${text}` : `${path}-${lineNumber}- ${text}`))));
}

/** Finds paths under `path` (absolute) natively; the result is the one of pi's find tool, sorted. */
export async function findTree(args: FindArguments, path: string, signal: AbortSignal | undefined): Promise<ToolResult<SearchDetails>> {
	const limit = effectiveLimit(args.limit, 1000);
	const { result } = await findPaths({ pattern: args.pattern, path, limit, ...(signal ? { signal } : {}) }).catch((error) => {
		if (error instanceof SluiceError && error.code === "IO") {
			throw new Error(`[fd error]: Search path '${path}' is not a directory.\n[fd error]: No valid search paths given.`);
		}
		if (error instanceof SluiceError && error.code === "INVALID_PATTERN") throw new Error(`[fd error]: ${error.message}`);
		throw toToolError(error);
	});
	if (result.paths.length === 0) return textResult("No files found matching pattern");
	const { text, truncation } = listText(result.paths);
	const details: SearchDetails = {};
	if (result.limitReached) details.resultLimitReached = limit;
	if (truncation) details.truncation = truncation;
	const notice = result.limitReached ? `${limit} results limit reached. Use limit=${limit * 2} for more, or refine pattern` : undefined;
	return withNotices(text, details, notice);
}

/** Errors as a tool reports them: pi's words for an abort, and otherwise the engine's message. */
export function toToolError(error: unknown): unknown {
	return error instanceof Error && error.name === "AbortError" ? aborted() : error;
}
