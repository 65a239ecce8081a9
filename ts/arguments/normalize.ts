import { SluiceError } from "../errors.ts";
import type { ToolName } from "../schemas/index.ts";
import { applyTable } from "./apply.ts";
import { refuse, show } from "./refuse.ts";
import { tables } from "./tables/index.ts";
import { type Arguments, isRecord, type Table } from "./types.ts";
import { DEEPEST, unwrap } from "./unwrap.ts";

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
	let inner = unwrap(tool, table, args, changed);
	// A wrapper may have stood among remarks that were left out: then there is another round.
	for (let round = 0; isRecord(inner) && round < DEEPEST; round++) {
		const own: Arguments = Object.fromEntries(applyTable(tool, "", table, inner, changed).values);
		if (Object.keys(own).length === 0) refuseEmpty(tool, table, Object.keys(inner));
		inner = unwrap(tool, table, own, changed);
		if (inner === own) break;
	}
	return { args: inner, changed };
}

/** Nothing is left, and a validator would name one field where all are missing. */
function refuseEmpty(tool: string, table: Table, sent: readonly string[]): void {
	const required = Object.keys(table.fields).filter((name) => table.fields[name]?.required === true);
	if (required.length > 0) refuse(tool, sent.length === 0 ? "empty arguments: {}" : `nothing but ${show(sent)}`, `send ${required.join(" and ")}`);
}
