import { DEFAULT_MAX_BYTES, formatSize, GREP_MAX_LINE_LENGTH, type TruncationResult } from "../truncate/limits.ts";
import { truncateHead } from "../truncate/truncate.ts";
import type { ToolResult } from "./types.ts";
import { textResult } from "./types.ts";

/** What a search tool's result says about itself. */
export interface SearchDetails {
	truncation?: TruncationResult;
	/** The limit, if there are more matches (grep). */
	matchLimitReached?: number;
	/** The limit, if there are more paths (find). */
	resultLimitReached?: number;
	/** The limit, if there are more entries (ls). */
	entryLimitReached?: number;
	linesTruncated?: true;
}

/** A limit as pi reads it: a whole number, at least 1. */
export function effectiveLimit(limit: number | undefined, byDefault: number): number {
	return Math.max(1, Math.floor(limit ?? byDefault));
}

/** A result with its notices, in pi's words and order. */
export function withNotices(text: string, details: SearchDetails, limitNotice: string | undefined, more: readonly string[] = []): ToolResult<SearchDetails> {
	const notices = [];
	if (limitNotice !== undefined) notices.push(limitNotice);
	if (details.truncation) notices.push(`${formatSize(DEFAULT_MAX_BYTES)} limit reached`);
	if (details.linesTruncated) notices.push(`Some lines truncated to ${GREP_MAX_LINE_LENGTH} chars. Use read tool to see full lines`);
	notices.push(...more);
	const shown = notices.length > 0 ? `${text}\n\n[${notices.join(". ")}]` : text;
	return textResult(shown, Object.keys(details).length > 0 ? details : undefined);
}

/** Names or paths, one a line, cut after 50 KB of whole lines. */
export function listText(lines: readonly string[]): { text: string; truncation?: TruncationResult } {
	const truncation = truncateHead(lines.join("\n"), { maxLines: Number.MAX_SAFE_INTEGER });
	truncation.totalLines = lines.length;
	return { text: truncation.content, ...(truncation.truncated ? { truncation } : {}) };
}

/** A notice of what could not be read, so that a result never looks complete when it is not. */
export function unreadableNotice(unreadable: readonly { path: string; message: string }[]): string[] {
	const [first, ...others] = unreadable;
	if (first === undefined) return [];
	const rest = others.length > 0 ? ` and ${others.length} more` : "";
	return [`Could not read ${first.path || "."}: ${first.message}${rest}`];
}
