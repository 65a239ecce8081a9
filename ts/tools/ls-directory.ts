import { withCancellation } from "../cancellation.ts";
import { type LsArguments, lsText } from "./ls-text.ts";
import type { SearchDetails } from "./notices.ts";
import type { ToolResult } from "./types.ts";

const SUFFIX = ["", "/", undefined] as const;

/** Lists `path` (absolute) natively; the result is the one of pi's ls tool. @throws SluiceError `IO` */
export async function lsDirectory(args: LsArguments, path: string, signal: AbortSignal | undefined): Promise<ToolResult<SearchDetails>> {
	const listing = await withCancellation(signal, (token, engine) => engine.listDirectory(path, token));
	const names = listing.names.toString("utf-8").split("\0");
	names.pop();
	const entries = names.map((name, index) => ({ name, target: listing.targets[index] ?? 2 }));
	return lsText(entries, args, (entry) => SUFFIX[entry.target as 0 | 1 | 2], signal);
}
