import { lineAt, lineStarts, toLf, toPlain } from "./normalize.ts";

/** One edit, as the model asks for it. */
export interface Edit {
	readonly oldText: string;
	readonly newText: string;
}

/** A part of a text and what replaces it. Offsets are UTF-16 code units. */
export interface Replacement {
	readonly start: number;
	readonly end: number;
	readonly text: string;
}

interface Match extends Replacement {
	readonly edit: number;
}

/**
 * Finds each edit's text in `content` (with LF line breaks), where it must occur exactly once, and returns the replacements
 * in order. All are matched against the same content. If an edit only matches after {@link toPlain}, the lines that
 * edits touch are rewritten in plain form; all others stay as they are.
 * @throws Error in pi's words: empty, missing, repeated or overlapping texts, or no change
 */
export function matchEdits(content: string, edits: readonly Edit[], path: string): Replacement[] {
	const wanted = edits.map(({ oldText, newText }) => ({ oldText: toLf(oldText), newText: toLf(newText) }));
	const one = wanted.length === 1;
	wanted.forEach(({ oldText }, index) => {
		if (oldText === "") throw new Error(`${one ? "oldText" : `edits[${index}].oldText`} must not be empty in ${path}.`);
	});
	const plain = toPlain(content);
	const inexact = wanted.some(({ oldText }) => !content.includes(oldText) && plain.includes(toPlain(oldText)));
	const base = inexact ? plain : content;
	// Plain text may change again: full compatibility forms can yield characters that are themselves made plain.
	const plainBase = inexact ? toPlain(base) : plain;
	const matches = wanted.map(({ oldText, newText }, edit): Match => {
		const found = locate(base, plainBase, oldText);
		if (found === undefined) {
			throw new Error(
				one
					? `Could not find the exact text in ${path}. The old text must match exactly including all whitespace and newlines.`
					: `Could not find edits[${edit}] in ${path}. The oldText must match exactly including all whitespace and newlines.`,
			);
		}
		// Texts that only look different are no less ambiguous.
		const occurrences = plainBase.split(toPlain(oldText)).length - 1;
		if (occurrences > 1) {
			throw new Error(
				one
					? `Found ${occurrences} occurrences of the text in ${path}. The text must be unique. Please provide more context to make it unique.`
					: `Found ${occurrences} occurrences of edits[${edit}] in ${path}. Each oldText must be unique. Please provide more context to make it unique.`,
			);
		}
		return { ...found, text: newText, edit };
	});
	matches.sort((a, b) => a.start - b.start);
	matches.forEach((match, index) => {
		const next = matches[index + 1];
		if (next !== undefined && match.end > next.start) {
			throw new Error(`edits[${match.edit}] and edits[${next.edit}] overlap in ${path}. Merge them into one edit or target disjoint regions.`);
		}
	});
	const replacements = inexact ? widenToLines(content, base, matches) : matches.map(({ start, end, text }) => ({ start, end, text }));
	if (applyReplacements(content, replacements) === content) {
		throw new Error(
			one
				? `No changes made to ${path}. The replacement produced identical content. This might indicate an issue with special characters or the text not existing as expected.`
				: `No changes made to ${path}. The replacements produced identical content.`,
		);
	}
	return replacements;
}

/** The text with its replacements, which are in order and disjoint. */
export function applyReplacements(text: string, replacements: readonly Replacement[], from = 0, to = text.length): string {
	let result = "";
	let at = from;
	for (const { start, end, text: replacement } of replacements) {
		result += text.slice(at, start) + replacement;
		at = end;
	}
	return result + text.slice(at, to);
}

function locate(base: string, plainBase: string, oldText: string): { start: number; end: number } | undefined {
	const exact = base.indexOf(oldText);
	if (exact !== -1) return { start: exact, end: exact + oldText.length };
	const plain = toPlain(oldText);
	const start = plainBase.indexOf(plain);
	return start === -1 ? undefined : { start, end: start + plain.length };
}

/** Replacements in the plain text as replacements of whole lines of the original. */
function widenToLines(original: string, plain: string, matches: readonly Replacement[]): Replacement[] {
	const originalStarts = lineStarts(original);
	const plainStarts = lineStarts(plain);
	if (originalStarts.length !== plainStarts.length) {
		throw new Error("Cannot preserve unchanged lines because the base content has a different line count.");
	}
	// White space alone is found, as nothing, in an empty text.
	if (plain === "") throw new Error("Replacement range is outside the base content.");
	const groups: { first: number; last: number; matches: Replacement[] }[] = [];
	for (const match of matches) {
		const first = lineAt(plainStarts, match.start);
		const last = lineAt(plainStarts, Math.max(match.start, match.end - 1));
		const group = groups.at(-1);
		if (group && first <= group.last) {
			group.last = Math.max(group.last, last);
			group.matches.push(match);
		} else groups.push({ first, last, matches: [match] });
	}
	return groups.map(({ first, last, matches }) => ({
		start: originalStarts[first] ?? 0,
		end: originalStarts[last + 1] ?? original.length,
		text: applyReplacements(plain, matches, plainStarts[first], plainStarts[last + 1]),
	}));
}
