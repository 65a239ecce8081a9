import type { ToolName } from "../schemas/index.ts";
import { normalizeArguments } from "./normalize.ts";
import { isRecord } from "./types.ts";

/**
 * A `prepareArguments` for a tool of pi: repairs the arguments, then hands them to the one the tool already had.
 *
 * `builtin` is that one, if any; it may change what it is given, for that is never pi's transcript. `onChanged` is told
 * what was repaired, and is not called if nothing was. A refusal is thrown as it is: its message is the model's result.
 */
export function prepareWith<T>(
	tool: ToolName,
	builtin?: (args: unknown) => T,
	onChanged?: (changed: readonly string[]) => void,
): (args: unknown) => T {
	return (raw) => {
		const { args, changed } = isUnreadable(raw) ? { args: {}, changed: [] } : normalizeArguments(tool, raw);
		if (changed.length > 0) onChanged?.(changed);
		return builtin === undefined ? (args as T) : builtin(args);
	};
}

/** pi calls with `{}` when the arguments were no JSON, and then says so better than a refusal could. */
function isUnreadable(raw: unknown): boolean {
	return isRecord(raw) && Object.keys(raw).length === 0;
}
