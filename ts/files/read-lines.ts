import { withCancellation } from "../cancellation.ts";
import { SluiceError } from "../errors.ts";
import type { Totals, TruncationOptions, TruncationResult } from "../truncate/limits.ts";
import { decode } from "../truncate/truncate.ts";
import { cutHead, fits, type Limits, limitsOf, reach, whole } from "../truncate/window.ts";

/** Which lines {@link readLines} reads. */
export interface ReadLinesOptions extends TruncationOptions {
	/** First line, 1-based. @default 1 */
	readonly offset?: number;
	/** Lines from there on. @default all */
	readonly limit?: number;
	/** Stops the read. */
	readonly signal?: AbortSignal;
}

/** A window of lines of a file. */
export interface ReadLinesResult {
	/** The lines, joined by newlines, after truncation. */
	text: string;
	/** Number of the first line of `text`, 1-based. */
	startLine: number;
	/** Number of the last line of `text`; one less than `startLine` if there is none. */
	endLine: number;
	/** Lines of the file as pi counts them: one more than its newlines, so a final newline begins an empty last line. */
	totalLines: number;
	/** What was cut, if the selected lines were over a limit. */
	truncation?: TruncationResult;
	/** The `offset` to go on with (after a line that alone is over the byte limit); absent at the end of the file. */
	nextOffset?: number;
}

/** A selection of lines after truncation, and what is known about the file. */
export interface LineSelection {
	readonly truncation: TruncationResult;
	readonly totalLines: number;
	/** Bytes of the first selected line, as UTF-8. */
	readonly firstLineBytes: number;
	/** Selected lines that exist. */
	readonly selectedLines: number;
}

/**
 * Reads lines of a file of any size. The first read of a large file scans it once; while it is unchanged, later reads
 * take well under a millisecond. Bytes are read as UTF-8, invalid ones as U+FFFD.
 * @throws SluiceError `IO` (also for folders, FIFOs, and a file that shrinks meanwhile), `INVALID_ARGUMENT` for an offset
 * past the end
 */
export async function readLines(path: string, options: ReadLinesOptions = {}): Promise<ReadLinesResult> {
	const { offset = 1, limit, signal } = options;
	if (!Number.isInteger(offset) || offset < 0) throw new SluiceError("INVALID_ARGUMENT", `offset must be a line number: ${offset}`);
	if (limit !== undefined && !(limit >= 0)) throw new SluiceError("INVALID_ARGUMENT", `limit must be a count of lines: ${limit}`);
	const start = Math.max(0, offset - 1);
	const { truncation, totalLines, selectedLines } = await selectLines(path, start, limit, limitsOf(options), signal);
	if (start >= totalLines) throw new SluiceError("INVALID_ARGUMENT", `Offset ${offset} is beyond end of file (${totalLines} lines total)`);
	const shown = truncation.truncated ? truncation.outputLines : selectedLines;
	const endLine = start + shown;
	// A first line over the byte limit cannot be shown by any offset: go on after it.
	const nextLine = endLine + (truncation.firstLineExceedsLimit ? 2 : 1);
	return {
		text: truncation.content,
		startLine: start + 1,
		endLine,
		totalLines,
		...(truncation.truncated ? { truncation } : {}),
		...(nextLine <= totalLines ? { nextOffset: nextLine } : {}),
	};
}

/** Lines `start` (0-based) and following, truncated from the head. */
export async function selectLines(
	path: string,
	start: number,
	limit: number | undefined,
	limits: Limits,
	signal: AbortSignal | undefined,
): Promise<LineSelection> {
	const maxBytes = reach(limits);
	const maxLines = limits.maxLines >= 0 ? limits.maxLines + 1 : Number.POSITIVE_INFINITY;
	const selection = { start, maxLines, maxBytes, ...(limit === undefined ? {} : { limit }) };
	const window = await withCancellation(signal, (token, engine) => engine.readLineWindow(path, selection, token));
	const totals: Totals = {
		lines: window.selectedBytes === 0 ? 0 : window.selectedLines - (window.lastLineEmpty ? 1 : 0),
		bytes: window.selectedBytes,
	};
	const text = decode(window.bytes);
	const truncation = fits(totals, limits) ? whole(text, totals, limits) : cutHead(text, window.complete, totals, limits);
	return {
		truncation,
		totalLines: window.totalLines,
		firstLineBytes: window.firstLineBytes,
		selectedLines: window.selectedLines,
	};
}
