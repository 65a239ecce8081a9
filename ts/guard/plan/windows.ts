import type { Function as FunctionNode } from "unbash";
import type { Candidate } from "./candidates.ts";
import type { Cut } from "./clean.ts";
import type { CheckedScript } from "./parse.ts";
import { collectProducers } from "./producers.ts";
import { producerReason } from "./programs.ts";
import { sourceFile } from "./source-file.ts";
import type { PassReason, PlannedWindow } from "./types.ts";
import type { View } from "./view.ts";

export interface WindowContext {
	readonly checked: CheckedScript;
	readonly functions: ReadonlyMap<string, FunctionNode>;
	/** Functions whose windows may be handed over; whether their calls leave stderr alone. */
	readonly direct: ReadonlyMap<string, boolean>;
	/** Stages must keep their number: `PIPESTATUS` is read. */
	readonly oneView: boolean;
	readonly readOnly: boolean;
	/** `set -u`: an unset parameter among the views' words ends the stage with a status of its own. */
	readonly noUnset: boolean;
	/** Views may be aliases. */
	readonly aliases: boolean;
}

export interface Chosen {
	readonly window: PlannedWindow;
	readonly cut: Cut;
}

/** The longest run of the candidate's views that can be handed over as one stage, or why there is none. */
export function chooseWindow(candidate: Candidate, context: WindowContext): Chosen | PassReason {
	const { pipeline, place } = candidate;
	if (place.indirect !== undefined) return place.indirect;
	if (place.owner !== undefined && !context.direct.has(place.owner)) return "function";
	let views = candidate.views;
	while (views.length > 1 && (context.oneView || !fitsOneStage(views, context.checked))) views = views.slice(1);
	const [first, last] = [views[0] as View, views.at(-1) as View];
	const [start, end] = [first.start, last.end];
	if (holdsBody(context.checked, start, end)) return "heredoc";
	if (context.noUnset && !views.every((view) => view.literal)) return "view-expansion";
	const kept = pipeline.commands.length - views.length;
	const producers = collectProducers(pipeline.commands.slice(0, kept), context.functions);
	for (const argv of producers) {
		const reason = producerReason(argv.map((word) => (word === "" ? undefined : word)));
		if (reason !== undefined) return reason;
	}
	const form = views.every((view) => view.literal && view.oneLine) ? "call" : "insert";
	if (form === "insert" && context.aliases) return "alias";
	const text = context.checked.source.slice(start, end);
	const file = context.readOnly && kept === 1 ? sourceFile(pipeline.commands[0]) : undefined;
	const words = views.map((view) => view.words).join(" | ");
	const window: PlannedWindow = {
		start,
		end,
		views: words,
		removed: views.map((view) => view.name),
		literal: views.every((view) => view.literal),
		form,
		body: form === "call" ? bodyText(views, pipeline.operators.slice(kept)) : text,
		lines: newlines(text) - newlines(words),
		stderr: windowStderr(candidate, views, context),
		producers,
		...(file === undefined ? {} : { sourceFile: file }),
	};
	return { window, cut: { pipeline, kept, start, end } };
}

function newlines(text: string): number {
	return text.split("\n").length - 1;
}

/** The text of several views stands more than once in the rewrite: it is expanded by nobody, and holds no newline. */
function fitsOneStage(views: readonly View[], checked: CheckedScript): boolean {
	if (!views.every((view) => view.literal && view.oneLine)) return false;
	return !holdsBody(checked, (views[0] as View).start, (views.at(-1) as View).end);
}

/** `|&` as every shell knows it. */
function bodyText(views: readonly View[], operators: readonly string[]): string {
	return views.map((view, index) => view.shellText + (operators[index] === "|&" ? " 2>&1" : "")).join(" | ");
}

function holdsBody(checked: CheckedScript, start: number, end: number): boolean {
	return checked.bodies.some((body) => body.pos < end && body.end > start);
}

function windowStderr(candidate: Candidate, views: readonly View[], context: WindowContext): PlannedWindow["stderr"] {
	const { pipeline, place } = candidate;
	const own = (views[0] as View).stderr;
	const merged = pipeline.operators.slice(pipeline.commands.length - views.length).includes("|&");
	if (merged || views.some((view) => view.stderr !== own) || (views.length > 1 && own === "stdout")) return "other";
	if (own !== "inherit") return own;
	const called = place.owner === undefined || context.direct.get(place.owner) === true;
	return called || place.stderr !== "inherit" ? place.stderr : "other";
}
