import { diffLines, FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from "diff";
import { DiffText } from "./diff-text.ts";
import { applyReplacements, type Replacement } from "./match.ts";
import { lineAt, lineStarts } from "./normalize.ts";

/** What the edit tool says about its change. */
export interface EditDetails {
	/** The change with line numbers, for people. */
	diff: string;
	/** The change as a unified patch. */
	patch: string;
	/** Number of the first changed line in the new text, 1-based. */
	firstChangedLine?: number | undefined;
}

/** Unchanged lines around a change that are shown. */
const CONTEXT = 4;
/** Unchanged lines around a change that are compared: time and memory follow the size of the change, not of the file. */
const MARGIN = 32;

/** The change that the replacements make to `before`. */
export function describeEdit(path: string, before: string, after: string, replacements: readonly Replacement[]): EditDetails {
	const shown = new DiffText(Math.max(lineTotal(before), lineTotal(after)), CONTEXT);
	const hunks: StructuredPatchHunk[] = [];
	for (const { oldText, newText, oldLine, newLine } of windows(before, replacements)) {
		shown.add(diffLines(oldText, newText), oldLine + 1, newLine + 1);
		for (const hunk of structuredPatch(path, path, oldText, newText, undefined, undefined, { context: CONTEXT }).hunks) {
			hunks.push({ ...hunk, oldStart: hunk.oldStart + oldLine, newStart: hunk.newStart + newLine });
		}
	}
	const patch = formatPatch({ oldFileName: path, newFileName: path, oldHeader: undefined, newHeader: undefined, hunks }, FILE_HEADERS_ONLY);
	return { diff: shown.text, patch, firstChangedLine: shown.firstChangedLine };
}

/** The lines around the replacements, before and after; the line numbers are 0-based. */
function* windows(before: string, replacements: readonly Replacement[]) {
	const starts = lineStarts(before);
	const lines = starts.length - 1;
	const groups: { first: number; end: number; replacements: Replacement[] }[] = [];
	for (const replacement of replacements) {
		const first = Math.max(0, lineAt(starts, replacement.start) - MARGIN);
		const end = Math.min(lines, lineAt(starts, Math.max(replacement.start, replacement.end - 1)) + 1 + MARGIN);
		const group = groups.at(-1);
		if (group && first <= group.end) {
			group.end = Math.max(group.end, end);
			group.replacements.push(replacement);
		} else groups.push({ first, end, replacements: [replacement] });
	}
	let added = 0;
	for (const { first, end, replacements } of groups) {
		const [from, to] = [starts[first] ?? 0, starts[end] ?? before.length];
		const oldText = before.slice(from, to);
		const newText = applyReplacements(before, replacements, from, to);
		yield { oldText, newText, oldLine: first, newLine: first + added };
		added += lineTotal(newText) - lineTotal(oldText);
	}
}

/** Parts between newlines. */
function lineTotal(text: string): number {
	let count = 1;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
	return count;
}
