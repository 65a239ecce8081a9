import { constants } from "node:fs";
import { access, readFile } from "node:fs/promises";
import { schemas } from "../schemas/index.ts";
import { decode } from "../truncate/truncate.ts";
import { writeFileAtomically } from "./atomic-write.ts";
import { describeEdit, type EditDetails } from "./edit/diff.ts";
import { applyToOriginal } from "./edit/endings.ts";
import { applyReplacements, type Edit, matchEdits } from "./edit/match.ts";
import { toLf } from "./edit/normalize.ts";
import { fileIdentity, inFileOrder } from "./mutation-queue.ts";
import type { EditOperations } from "./operations.ts";
import { resolveToCwd } from "./paths.ts";
import { textResult, throwIfAborted, type ToolDefinition } from "./types.ts";

/** Arguments of the edit tool. */
export interface EditArguments {
	readonly path: string;
	readonly edits: readonly Edit[];
}

const BOM = "\uFEFF";

const local: EditOperations = {
	readFile: (path) => readFile(path),
	writeFile: writeFileAtomically,
	access: (path) => access(path, constants.R_OK | constants.W_OK),
};

/**
 * The edit tool: replaces texts that occur exactly once, all matched against the file as it was. Byte order mark and line
 * endings stay. Edits of one file follow one another; an abort leaves the old file or the new one.
 */
export function editTool(cwd: string, operations?: EditOperations): ToolDefinition<EditArguments, EditDetails> {
	const ops = operations ?? local;
	return {
		name: "edit",
		label: "edit",
		description:
			"Edit a single file using exact text replacement. Every edits[].oldText must match a unique, non-overlapping region of the original file. If two changes affect the same block or nearby lines, merge them into one edit instead of emitting overlapping edits. Do not include large unchanged regions just to connect distant changes.",
		promptSnippet: "Make precise file edits with exact text replacement, including multiple disjoint edits in one call",
		promptGuidelines: [
			"Use edit for targeted changes. Batch changes to one file in a single call.",
			"Each edits[].oldText must exactly and uniquely match the original file. Keep matches short and non-overlapping; merge nearby changes without including large unchanged regions.",
		],
		parameters: schemas.edit,
		async execute(_toolCallId, { path, edits }, signal, _onUpdate, ctx) {
			if (!Array.isArray(edits) || edits.length === 0) {
				throw new Error("Edit tool input is invalid. edits must contain at least one replacement.");
			}
			const absolute = resolveToCwd(path, ctx?.cwd || cwd);
			return inFileOrder(operations ? absolute : fileIdentity(absolute), async () => {
				throwIfAborted(signal);
				await ops.access(absolute).catch((error: unknown) => {
					throwIfAborted(signal);
					const reason = error instanceof Error && "code" in error ? `Error code: ${error.code}` : String(error);
					throw new Error(`Could not edit file: ${path}. ${reason}.`);
				});
				throwIfAborted(signal);
				const text = decode(await ops.readFile(absolute));
				throwIfAborted(signal);
				const { content, details } = edited(text, edits, path);
				throwIfAborted(signal);
				await ops.writeFile(absolute, content, signal);
				throwIfAborted(signal);
				return textResult(`Successfully replaced ${edits.length} block(s) in ${path}.`, details);
			});
		},
	};
}

/** The edited text of a file, and the change. */
function edited(text: string, edits: readonly Edit[], path: string): { content: string; details: EditDetails } {
	const mark = text.startsWith(BOM) ? BOM : "";
	const original = text.slice(mark.length);
	const before = toLf(original);
	const replacements = matchEdits(before, edits, path);
	const after = applyReplacements(before, replacements);
	const details = describeEdit(path, before, after, replacements);
	return { content: mark + (before === original ? after : applyToOriginal(original, replacements)), details };
}
