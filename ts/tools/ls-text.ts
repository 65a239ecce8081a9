import { setImmediate as yieldToEventLoop } from "node:timers/promises";
import { effectiveLimit, listText, type SearchDetails, withNotices } from "./notices.ts";
import { textResult, throwIfAborted, type ToolResult } from "./types.ts";

/** Arguments of the ls tool. */
export interface LsArguments {
	readonly path?: string;
	readonly limit?: number;
}

/** An entry, before its kind is known. */
export interface LsEntry {
	readonly name: string;
}

/** Entries compared before other events get their turn: about a millisecond. */
const SLICE = 4000;

// The order of localeCompare, without making a collator for each comparison.
const collator = new Intl.Collator();

/**
 * The first entries in pi's order (names in lower case, by locale; equal ones as listed), as pi's ls tool prints them.
 * `suffixOf` returns `/` for a directory, and undefined for what cannot be examined, which is left out. A listing of any
 * length is sorted in slices, so that it does not block the event loop.
 */
export async function lsText<Entry extends LsEntry>(
	entries: Entry[],
	args: LsArguments,
	suffixOf: (entry: Entry) => string | undefined | Promise<string | undefined>,
	signal: AbortSignal | undefined,
): Promise<ToolResult<SearchDetails>> {
	const limit = effectiveLimit(args.limit, 500);
	const sorted = await sortByName(entries, signal);
	const lines: string[] = [];
	let limitReached = false;
	for (const entry of sorted) {
		if (lines.length >= limit) {
			limitReached = true;
			break;
		}
		const pending = suffixOf(entry);
		const suffix = pending instanceof Promise ? await pending : pending;
		if (suffix !== undefined) lines.push(entry.name + suffix);
		if (lines.length % SLICE === SLICE - 1) await yieldToEventLoop();
		throwIfAborted(signal);
	}
	if (lines.length === 0) return textResult("(empty directory)");
	const { text, truncation } = listText(lines);
	const details: SearchDetails = {};
	if (limitReached) details.entryLimitReached = limit;
	if (truncation) details.truncation = truncation;
	return withNotices(text, details, limitReached ? `${limit} entries limit reached. Use limit=${limit * 2} for more` : undefined);
}

/** A stable merge sort that gives way to other events. */
async function sortByName<Entry extends LsEntry>(entries: Entry[], signal: AbortSignal | undefined): Promise<Entry[]> {
	let runs: { key: string; entry: Entry }[][] = [];
	for (let at = 0; at < entries.length; at += SLICE) {
		const run = entries.slice(at, at + SLICE).map((entry) => ({ key: entry.name.toLowerCase(), entry }));
		runs.push(run.sort((a, b) => collator.compare(a.key, b.key)));
		await yieldToEventLoop();
		throwIfAborted(signal);
	}
	while (runs.length > 1) {
		const merged = [];
		for (let i = 0; i < runs.length; i += 2) {
			const [left = [], right] = [runs[i], runs[i + 1]];
			merged.push(right ? await merge(left, right, signal) : left);
		}
		runs = merged;
	}
	return (runs[0] ?? []).map(({ entry }) => entry);
}

async function merge<T extends { key: string }>(left: T[], right: T[], signal: AbortSignal | undefined): Promise<T[]> {
	const merged: T[] = [];
	let [l, r] = [0, 0];
	while (l < left.length || r < right.length) {
		const [a, b] = [left[l], right[r]];
		if (b === undefined || (a !== undefined && collator.compare(a.key, b.key) <= 0)) {
			merged.push(a as T);
			l++;
		} else {
			merged.push(b);
			r++;
		}
		if (merged.length % SLICE === 0) {
			await yieldToEventLoop();
			throwIfAborted(signal);
		}
	}
	return merged;
}
