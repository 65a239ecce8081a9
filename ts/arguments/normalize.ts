import { SluiceError } from "../errors.ts";
import type { ToolName } from "../schemas/index.ts";
import { applyTable } from "./apply.ts";
import { refuse } from "./refuse.ts";
import { tables } from "./tables/index.ts";
import { isRecord } from "./types.ts";
import { unwrap } from "./unwrap.ts";

/** Arguments after repair. */
export interface NormalizedArguments {
	/** Ready for validation: a new object, whose texts are those of the input. What was not understood is still there. */
	readonly args: unknown;
	/** What was repaired, in words, for example `file_path → path`. Empty: nothing was. */
	readonly changed: string[];
}

/**
 * Brings the arguments that a model sent for a tool into the tool's own form: other names and shapes, numbers as text,
 * ranges, wrappers. The input is never changed, and the result of a result is itself. A field's own name wins over
 * every other; unknown keys and shapes stay as they are, for the validator to report. Costs a few microseconds, and
 * reads no large text more than once.
 *
 * @throws SluiceError `INVALID_ARGUMENTS` with one sentence for the model, where names disagree, where a conversion
 * would be a guess, or where the call would do something that was not asked for.
 */
export function normalizeArguments(tool: ToolName, args: unknown): NormalizedArguments {
	const table = Object.hasOwn(tables, tool) ? tables[tool] : undefined;
	if (table === undefined) throw new SluiceError("UNKNOWN_TOOL", `there is no tool named ${String(tool)}`);
	const changed: string[] = [];
	const inner = unwrap(tool, table, args, changed);
	if (!isRecord(inner)) return { args: inner, changed };
	const required = Object.entries(table.fields).filter(([, field]) => field.required === true);
	if (required.length > 0 && Object.keys(inner).length === 0)
		refuse(tool, "empty arguments: {}", `send ${required.map(([name]) => name).join(" and ")}`);
	const { values } = applyTable(tool, "", table, inner, changed);
	return { args: Object.fromEntries(values), changed };
}
