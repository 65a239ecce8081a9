import type { TruncationOptions, TruncationResult } from "./limits.ts";
import { totalsOf, totalsOfBytes } from "./totals.ts";
import { cutHead, cutTail, fits, limitsOf, reach, whole } from "./window.ts";

/** More bytes than {@link reach}, so that a character cut at the edge lies outside what can be kept. */
const EDGE = 8;

/**
 * Keeps the beginning: whole lines, up to both limits. If the first line alone is over the byte limit, nothing is kept
 * and `firstLineExceedsLimit` is true. Bytes are read as UTF-8, invalid ones as U+FFFD. @returns pi's own result
 */
export function truncateHead(content: string | Uint8Array, options?: TruncationOptions): TruncationResult {
	const limits = limitsOf(options);
	if (typeof content === "string") {
		const totals = totalsOf(content);
		if (fits(totals, limits)) return whole(content, totals, limits);
		const beginning = content.slice(0, reach(limits));
		return cutHead(beginning, beginning.length === content.length, totals, limits, totals.bytes === content.length);
	}
	const totals = totalsOfBytes(content);
	if (fits(totals, limits)) return whole(decode(content), totals, limits);
	const beginning = content.subarray(0, reach(limits) + EDGE);
	return cutHead(decode(beginning), beginning.length === content.length, totals, limits);
}

/**
 * Keeps the end: whole lines, up to both limits. If the last line alone is over the byte limit, its end is kept and
 * `lastLinePartial` is true. Bytes are read as UTF-8, invalid ones as U+FFFD. @returns pi's own result
 */
export function truncateTail(content: string | Uint8Array, options?: TruncationOptions): TruncationResult {
	const limits = limitsOf(options);
	if (typeof content === "string") {
		const totals = totalsOf(content);
		if (fits(totals, limits)) return whole(content, totals, limits);
		// One unit more than a final newline, which is not kept.
		const ending = content.slice(-(reach(limits) + 1));
		return cutTail(ending, ending.length === content.length, totals, limits, totals.bytes === content.length);
	}
	const totals = totalsOfBytes(content);
	if (fits(totals, limits)) return whole(decode(content), totals, limits);
	const ending = content.subarray(-(reach(limits) + EDGE));
	return cutTail(decode(ending), ending.length === content.length, totals, limits);
}

/** Decodes UTF-8 with replacement; a byte order mark is kept. */
export function decode(bytes: Uint8Array): string {
	return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("utf-8");
}
