import { withCancellation } from "../cancellation.ts";
import { SluiceError } from "../errors.ts";
import type { TruncationOptions, TruncationResult } from "./limits.ts";
import { lineCount } from "./totals.ts";
import { decode } from "./truncate.ts";
import { cutHead, cutTail, fits, limitsOf, reach, whole } from "./window.ts";

/**
 * {@link truncateHead} or {@link truncateTail} of a file of any size; only the kept end is held in memory. Reads the
 * whole file once for the totals, unless it is unchanged since a read before. @throws SluiceError `IO`,
 * `INVALID_ARGUMENT`
 */
export async function truncateFile(
	path: string,
	options: TruncationOptions & { readonly keep: "head" | "tail"; readonly signal?: AbortSignal },
): Promise<TruncationResult> {
	if (options.keep !== "head" && options.keep !== "tail") throw new SluiceError("INVALID_ARGUMENT", `keep is head or tail, not ${options.keep as string}`);
	const limits = limitsOf(options);
	const head = options.keep === "head";
	const file = await withCancellation(options.signal, (token, engine) => engine.readFileEnd(path, head, reach(limits), token));
	const totals = { lines: lineCount(file.newlines, file.endsWithNewline, file.utf8Bytes), bytes: file.utf8Bytes };
	const text = decode(file.bytes);
	if (fits(totals, limits)) return whole(text, totals, limits);
	return head ? cutHead(text, file.complete, totals, limits) : cutTail(text, file.complete, totals, limits);
}
