import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, type Totals, type TruncationOptions, type TruncationResult } from "./limits.ts";

/** Both limits, with the defaults filled in. */
export interface Limits {
	readonly maxLines: number;
	readonly maxBytes: number;
}

/** The limits of `options`, with the defaults filled in. */
export function limitsOf(options: TruncationOptions | undefined): Limits {
	return { maxLines: options?.maxLines ?? DEFAULT_MAX_LINES, maxBytes: options?.maxBytes ?? DEFAULT_MAX_BYTES };
}

/** Whether a text with these totals is left whole. */
export function fits(totals: Totals, limits: Limits): boolean {
	return totals.lines <= limits.maxLines && totals.bytes <= limits.maxBytes;
}

/** The result for a text that is left whole. */
export function whole(content: string, totals: Totals, limits: Limits): TruncationResult {
	return result(content, totals, limits, null, totals.lines, totals.bytes, {});
}

/** The longest part of a text, in code units or bytes, that a byte limit can leave, and one unit more. */
export function reach(limits: Limits): number {
	return limits.maxBytes >= 0 ? limits.maxBytes + 1 : Number.POSITIVE_INFINITY;
}

/**
 * Keeps the first whole lines. `beginning` is the text or at least the first {@link reach} units of it, and `isAll`
 * says which; `totals` are those of the whole text, which does not fit. `ascii` saves finding out.
 */
export function cutHead(beginning: string, isAll: boolean, totals: Totals, limits: Limits, ascii = isAscii(beginning)): TruncationResult {
	const { maxLines, maxBytes } = limits;
	// Without the newline that ends the text; a line that does not end here is longer than what is left of the limit.
	const end = isAll && beginning.endsWith("\n") ? beginning.length - 1 : beginning.length;
	const size = sizer(beginning, ascii);
	let kept = 0;
	let keptLines = 0;
	let bytes = 0;
	let by: "lines" | "bytes" = "lines";
	while (keptLines < totals.lines && keptLines < maxLines) {
		const start = keptLines === 0 ? 0 : kept + 1;
		const newline = beginning.indexOf("\n", start);
		const stop = newline === -1 || newline > end ? end : newline;
		const needed = newline === -1 && !isAll ? Number.POSITIVE_INFINITY : size(start, stop) + (keptLines > 0 ? 1 : 0);
		if (bytes + needed > maxBytes) {
			by = "bytes";
			break;
		}
		bytes += needed;
		kept = stop;
		keptLines++;
	}
	const firstTooLong = keptLines === 0 && (by === "bytes" || firstLineExceeds(beginning, isAll, maxBytes, size));
	if (firstTooLong) return result("", totals, limits, "bytes", 0, 0, { firstLineExceedsLimit: true });
	if (keptLines >= maxLines && bytes <= maxBytes) by = "lines";
	return result(beginning.slice(0, kept), totals, limits, by, keptLines, bytes, {});
}

/** As {@link cutHead} for the last lines. `ending` is the end of the text; of a line that alone is too long, its end is kept. */
export function cutTail(ending: string, isAll: boolean, totals: Totals, limits: Limits, ascii = isAscii(ending)): TruncationResult {
	const { maxLines, maxBytes } = limits;
	const end = ending.endsWith("\n") ? ending.length - 1 : ending.length;
	const size = sizer(ending, ascii);
	let kept = end;
	let keptLines = 0;
	let bytes = 0;
	let by: "lines" | "bytes" = "lines";
	while (keptLines < totals.lines && keptLines < maxLines) {
		const stop = keptLines === 0 ? end : kept - 1;
		// lastIndexOf takes a negative position as 0.
		const newline = stop === 0 ? -1 : ending.lastIndexOf("\n", stop - 1);
		const start = newline + 1;
		const needed = newline === -1 && !isAll ? Number.POSITIVE_INFINITY : size(start, stop) + (keptLines > 0 ? 1 : 0);
		if (bytes + needed > maxBytes) {
			if (keptLines === 0) {
				const partial = lastBytes(ending.slice(start, stop), maxBytes);
				const partialBytes = Buffer.byteLength(partial, "utf-8");
				const byLines = 1 >= maxLines && partialBytes <= maxBytes;
				return result(partial, totals, limits, byLines ? "lines" : "bytes", 1, partialBytes, { lastLinePartial: true });
			}
			by = "bytes";
			break;
		}
		bytes += needed;
		kept = start;
		keptLines++;
	}
	if (keptLines >= maxLines && bytes <= maxBytes) by = "lines";
	return result(ending.slice(kept, end), totals, limits, by, keptLines, bytes, {});
}

function firstLineExceeds(beginning: string, isAll: boolean, maxBytes: number, size: Size): boolean {
	const newline = beginning.indexOf("\n");
	if (newline === -1 && !isAll) return true;
	return size(0, newline === -1 ? beginning.length : newline) > maxBytes;
}

/** UTF-8 length of a part of a text. */
type Size = (start: number, end: number) => number;

function sizer(text: string, ascii: boolean): Size {
	return ascii ? (start, end) => end - start : (start, end) => Buffer.byteLength(text.slice(start, end), "utf-8");
}

function isAscii(text: string): boolean {
	return Buffer.byteLength(text, "utf-8") === text.length;
}

/** The longest end of `line` that is whole characters and at most `maxBytes` bytes. */
function lastBytes(line: string, maxBytes: number): string {
	const bytes = Buffer.from(line, "utf-8");
	if (bytes.length <= maxBytes) return line;
	let start = bytes.length - maxBytes;
	while (start < bytes.length && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++;
	return bytes.subarray(start).toString("utf-8");
}

function result(
	content: string,
	totals: Totals,
	limits: Limits,
	truncatedBy: "lines" | "bytes" | null,
	outputLines: number,
	outputBytes: number,
	flags: { lastLinePartial?: boolean; firstLineExceedsLimit?: boolean },
): TruncationResult {
	return {
		content,
		truncated: truncatedBy !== null,
		truncatedBy,
		totalLines: totals.lines,
		totalBytes: totals.bytes,
		outputLines,
		outputBytes,
		lastLinePartial: flags.lastLinePartial ?? false,
		firstLineExceedsLimit: flags.firstLineExceedsLimit ?? false,
		maxLines: limits.maxLines,
		maxBytes: limits.maxBytes,
	};
}
