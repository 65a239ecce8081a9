import { resolve } from "node:path";
import { withCancellation } from "../cancellation.ts";
import type { Binding } from "../native.ts";
import { GREP_MAX_LINE_LENGTH, type TruncationResult } from "../truncate/limits.ts";
import { truncateHead } from "../truncate/truncate.ts";

/** What {@link grep} searches for, and where. */
export interface GrepOptions {
	/** A regular expression in the syntax of Rust's `regex` crate (as ripgrep), matched within lines. */
	readonly pattern: string;
	/** The file or directory to search. @default `cwd` */
	readonly path?: string;
	/** A glob that files must match, relative to `path`; without `/` it matches names; `!` excludes. */
	readonly glob?: string;
	/** Whether letters match in either case. @default false */
	readonly ignoreCase?: boolean;
	/** Whether the pattern is plain text. @default false */
	readonly literal?: boolean;
	/** Lines of context before and after each match. @default 0 */
	readonly context?: number;
	/** Matches to return at most; less than 1 means 1. @default 100 */
	readonly limit?: number;
	/** What a relative `path` is relative to. @default process.cwd() */
	readonly cwd?: string;
	/** Whether names that begin with a dot are searched. @default true */
	readonly hidden?: boolean;
	/** Whether `.gitignore`, `.ignore`, `.rgignore` and git's excludes are obeyed. @default true */
	readonly gitignore?: boolean;
	/** Where lines are cut, in UTF-16 code units. @default 500 */
	readonly maxLineLength?: number;
	/** Stops the search. */
	readonly signal?: AbortSignal;
}

/** A line that matches, or that is near one. */
export interface GrepLine {
	/** Relative to the searched directory, with `/`; a file that was named has its own name. */
	path: string;
	/** 1-based. */
	lineNumber: number;
	/** Without its line ending, cut at `maxLineLength`. */
	text: string;
	/** False for context. */
	isMatch: boolean;
}

/** What {@link grep} found. */
export interface GrepResult {
	/** As pi's tool prints it, without notices: at most 50 KB of `path:line: text` and `path-line- text`. */
	text: string;
	/** All lines in path order: at most `limit` matches and their context. Made on first use. */
	readonly matches: readonly GrepLine[];
	/** Matches, at most `limit`. */
	matchCount: number;
	/** Whether there are more matches than `limit`. */
	matchLimitReached: boolean;
	/** Whether a line was cut at `maxLineLength`. */
	linesTruncated: boolean;
	/** What was cut from `text`, if it was over 50 KB. */
	truncation?: TruncationResult;
	/**
	 * Files that are binary (a NUL byte ended their search), and files and directories that could not be read. A file with
	 * a line of more than 256 MB is one of the latter: a line is held whole.
	 */
	skipped: { binary: number; unreadable: number };
}

/**
 * Searches a file or a tree for a pattern. Results are in path order and the limit is exact. The rules are ripgrep's with
 * `--hidden`: ignore files are obeyed (git's inside repositories only), symbolic links are not followed, binary files
 * are skipped, UTF-16 with a byte order mark is decoded.
 * @throws SluiceError `INVALID_PATTERN` (pattern or glob), `IO` if `path` cannot be read; `AbortError`
 */
export async function grep(options: GrepOptions): Promise<GrepResult> {
	return (await search(options)).result;
}

/** {@link grep}, with what the tools' notices need. */
export async function search(options: GrepOptions): Promise<{ result: GrepResult; unreadable: Binding.Unreadable[] }> {
	const request = toRequest(options, resolve(options.cwd ?? process.cwd(), options.path ?? "."));
	const reply = await withCancellation(options.signal, (token, engine) => engine.grep(request, token));
	return { result: toResult(reply), unreadable: reply.messages };
}

/** The options with the defaults filled in, as the engine takes them. */
export function toRequest(options: GrepOptions, path: string): Binding.GrepRequest {
	return {
		pattern: options.pattern,
		path,
		ignoreCase: options.ignoreCase ?? false,
		literal: options.literal ?? false,
		context: options.context ?? 0,
		limit: Math.max(1, Math.floor(options.limit ?? 100)),
		maxLineLength: options.maxLineLength ?? GREP_MAX_LINE_LENGTH,
		hidden: options.hidden ?? true,
		ignoreFiles: options.gitignore ?? true,
		...(options.glob ? { glob: options.glob } : {}),
	};
}

/** The engine's reply as a result. */
export function toResult(reply: Binding.GrepReply): GrepResult {
	const rows = reply.lines.length / 2;
	const joined = reply.text.subarray(0, Math.max(0, reply.text.length - 1));
	const truncation = truncateHead(joined, { maxLines: Number.MAX_SAFE_INTEGER });
	truncation.totalLines = rows;
	let matches: GrepLine[] | undefined;
	return {
		text: truncation.content,
		get matches() {
			matches ??= Array.from({ length: rows }, (_, row) => lineAt(reply, row));
			return matches;
		},
		matchCount: reply.matchCount,
		matchLimitReached: reply.limitReached,
		linesTruncated: reply.linesCut,
		...(truncation.truncated ? { truncation } : {}),
		skipped: { binary: reply.binary, unreadable: reply.unreadable },
	};
}

function lineAt({ text, lines }: Binding.GrepReply, row: number): GrepLine {
	const start = lines[2 * row] ?? 0;
	const pathEnd = start + (lines[2 * row + 1] ?? 0);
	const end = (lines[2 * row + 2] ?? text.length) - 1;
	const mark = text[pathEnd] ?? 0;
	const numberEnd = text.indexOf(mark, pathEnd + 1);
	return {
		path: text.toString("utf-8", start, pathEnd),
		lineNumber: Number(text.toString("latin1", pathEnd + 1, numberEnd)),
		text: text.toString("utf-8", numberEnd + 2, end),
		isMatch: mark === 0x3a,
	};
}
