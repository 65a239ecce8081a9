/** Default line limit of truncation, in lines. */
export const DEFAULT_MAX_LINES = 2000;
/** Default byte limit of truncation, in bytes of UTF-8. */
export const DEFAULT_MAX_BYTES = 50 * 1024;
/** Default length of a line in grep's output, in UTF-16 code units. */
export const GREP_MAX_LINE_LENGTH = 500;

/** The two limits; whichever is reached first holds. */
export interface TruncationOptions {
	/** In lines. @default 2000 */
	readonly maxLines?: number;
	/** In bytes of UTF-8. @default 51200 */
	readonly maxBytes?: number;
}

/** Truncated text and what is known about all of it. Field names and rules are pi's. */
export interface TruncationResult {
	/** The text that is left. */
	content: string;
	/** Whether anything was cut. */
	truncated: boolean;
	/** Which limit was reached; `null` if none. */
	truncatedBy: "lines" | "bytes" | null;
	/** Lines of the whole text; a final newline does not begin another line. */
	totalLines: number;
	/** Bytes of the whole text, as UTF-8. */
	totalBytes: number;
	/** Lines of `content`. */
	outputLines: number;
	/** Bytes of `content`, as UTF-8. */
	outputBytes: number;
	/** Whether the last line alone exceeded the byte limit, so that only its end is left (tail only). */
	lastLinePartial: boolean;
	/** Whether the first line alone exceeded the byte limit, so that nothing is left (head only). */
	firstLineExceedsLimit: boolean;
	/** The line limit that was applied. */
	maxLines: number;
	/** The byte limit that was applied. */
	maxBytes: number;
}

/** Totals of a text. */
export interface Totals {
	readonly lines: number;
	readonly bytes: number;
}

/** A size for people: `512B`, `50.0KB`, `1.5MB`. */
export function formatSize(bytes: number): string {
	if (bytes < 1024) return `${bytes}B`;
	if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)}KB`;
	return `${(bytes / (1024 * 1024)).toFixed(1)}MB`;
}
