import { selectLines } from "../files/read-lines.ts";
import { DEFAULT_MAX_BYTES, DEFAULT_MAX_LINES, formatSize, type TruncationResult } from "../truncate/limits.ts";
import { truncateHead } from "../truncate/truncate.ts";
import { textResult, type ToolResult } from "./types.ts";

/** Arguments of the read tool. */
export interface ReadArguments {
	readonly path: string;
	readonly offset?: number;
	readonly limit?: number;
}

/** What the read tool says about its result. */
export interface ReadDetails {
	truncation?: TruncationResult;
}

/** Selected lines after truncation. */
export interface SelectedLines {
	readonly truncation: TruncationResult;
	/** Lines of the file: one more than its newlines. */
	readonly totalLines: number;
	/** UTF-8 bytes of the first selected line. */
	readonly firstLineBytes: number;
}

const LIMITS = { maxLines: DEFAULT_MAX_LINES, maxBytes: DEFAULT_MAX_BYTES };

/** The first line to read, 0-based. */
export function startLine({ offset }: ReadArguments): number {
	return offset ? Math.max(0, offset - 1) : 0;
}

/** Whether the engine can select these lines; other values follow the rules of array slices, as in pi. */
export function isRange({ offset, limit }: ReadArguments): boolean {
	return (offset === undefined || Number.isInteger(offset)) && (limit === undefined || (Number.isInteger(limit) && limit >= 0));
}

/** Selects lines of a file natively, whatever its size. */
export async function selectFromFile(path: string, args: ReadArguments, signal: AbortSignal | undefined): Promise<SelectedLines> {
	return selectLines(path, startLine(args), args.limit, LIMITS, signal);
}

/** Selects lines of a text in memory. */
export function selectFromText(text: string, args: ReadArguments): SelectedLines {
	const lines = text.split("\n");
	const start = startLine(args);
	const end = args.limit === undefined ? undefined : Math.min(start + args.limit, lines.length);
	const truncation = truncateHead(lines.slice(start, end).join("\n"), LIMITS);
	const firstLineBytes = truncation.firstLineExceedsLimit ? Buffer.byteLength(lines[start] ?? "", "utf-8") : 0;
	return { truncation, totalLines: lines.length, firstLineBytes };
}

/** pi's text for the selected lines, with the notice of how to go on. @throws Error if the offset is past the end */
export function readText(args: ReadArguments, selected: SelectedLines): ToolResult<ReadDetails> {
	const { truncation, totalLines, firstLineBytes } = selected;
	const start = startLine(args);
	if (start >= totalLines) throw new Error(`Offset ${args.offset} is beyond end of file (${totalLines} lines total)`);
	const first = start + 1;
	if (truncation.firstLineExceedsLimit) {
		const sizes = `${formatSize(firstLineBytes)}, exceeds ${formatSize(DEFAULT_MAX_BYTES)} limit`;
		return textResult(`[Line ${first} is ${sizes}. Use bash: sed -n '${first}p' ${args.path} | head -c ${DEFAULT_MAX_BYTES}]`, { truncation });
	}
	if (truncation.truncated) {
		const last = start + truncation.outputLines;
		const limit = truncation.truncatedBy === "bytes" ? ` (${formatSize(DEFAULT_MAX_BYTES)} limit)` : "";
		return textResult(
			`${truncation.content}\n\n[Showing lines ${first}-${last} of ${totalLines}${limit}. Use offset=${last + 1} to continue.]`,
			{ truncation },
		);
	}
	const end = args.limit === undefined ? totalLines : Math.min(start + args.limit, totalLines);
	if (end >= totalLines) return textResult(truncation.content);
	return textResult(`${truncation.content}\n\n[${totalLines - end} more lines in file. Use offset=${end + 1} to continue.]`);
}
