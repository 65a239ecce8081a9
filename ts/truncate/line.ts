import { GREP_MAX_LINE_LENGTH } from "./limits.ts";

/** Cuts a line after `maxChars` UTF-16 code units, never inside a surrogate pair, and marks the cut. @returns pi's own result */
export function truncateLine(line: string, maxChars: number = GREP_MAX_LINE_LENGTH): { text: string; wasTruncated: boolean } {
	if (line.length <= maxChars) return { text: line, wasTruncated: false };
	return { text: `${firstUnits(line, Math.max(0, maxChars))}... [truncated]`, wasTruncated: true };
}

function firstUnits(text: string, count: number): string {
	const splitsPair = (text.charCodeAt(count - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(count) & 0xfc00) === 0xdc00;
	return text.slice(0, splitsPair ? count - 1 : count);
}
