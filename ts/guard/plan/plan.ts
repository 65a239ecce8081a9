import { mayUseAliases } from "./aliases.ts";
import { findCandidates } from "./candidates.ts";
import { cleanCommand } from "./clean.ts";
import { directFunctions } from "./functions.ts";
import { gateReason } from "./gates.ts";
import { type CheckedScript, parseChecked } from "./parse.ts";
import { definedFunctions } from "./producers.ts";
import { readsOnly } from "./source-file.ts";
import { textReason } from "./text.ts";
import type { CommandPlan, PassPlan, PassReason } from "./types.ts";
import { asView } from "./view.ts";
import { type Chosen, chooseWindow } from "./windows.ts";

const MAX_WINDOWS = 64;
/** Linux's limit for one argument, in bytes. */
const MAX_ARGUMENT = 128 * 1024 - 1;
/** What the handoff adds in any case, and for each window besides its views, in bytes; rounded up. */
const ADDED = 4096;
const ADDED_PER_WINDOW = 512;
const VIEW_WORD = /\b(?:head|tail|[ef]?grep|rg|less|more)\b/;

/**
 * Decides which pipelines of a command can be handed to the engine, by its text alone: what the text cannot tell (what `grep`
 * is in that shell, where stdout goes) is asked at run time. Never throws; takes microseconds for usual commands and grows
 * linearly.
 *
 * @returns the windows to hand over, or a stable reason why the shell must get the command as it is.
 */
export function planCommand(command: string): CommandPlan {
	if (process.platform === "win32") return pass("platform");
	if (!command.includes("|") || !VIEW_WORD.test(command)) return pass("no-view");
	const refused = textReason(command);
	if (refused !== undefined) return pass(refused);
	const checked = parseChecked(command);
	return typeof checked === "string" ? pass(checked) : planChecked(checked);
}

function planChecked(checked: CheckedScript): CommandPlan {
	const { source, script } = checked;
	const candidates = findCandidates(script, source);
	if (candidates.found.length === 0) return pass(candidates.refused[0] ?? (hasNestedView(checked) ? "substitution" : "no-view"));
	const gate = gateReason(checked);
	if (gate !== undefined) return pass(gate);
	const pipeStatus = /pipestatus/i.test(source);
	const context = {
		checked,
		functions: definedFunctions(checked),
		direct: directFunctions(checked, candidates),
		oneView: pipeStatus,
		readOnly: readsOnly(checked),
		aliases: mayUseAliases(checked),
		noUnset: /\bset\b[^\n;&|]*(?:\s-[a-zA-Z]*u|nounset)/.test(source),
	};
	const chosen: Chosen[] = [];
	let reason: PassReason | undefined;
	for (const candidate of candidates.found) {
		const choice = chooseWindow(candidate, context);
		if (typeof choice === "string") reason ??= choice;
		else chosen.push(choice);
	}
	if (chosen.length === 0) return pass(reason ?? "no-view");
	if (chosen.length > MAX_WINDOWS) return pass("too-many-windows");
	if (!fitsArgument(source, chosen)) return pass("too-long");
	chosen.sort((a, b) => a.window.start - b.window.start);
	return {
		action: "guard",
		cleanedCommand: cleanCommand(source, chosen.map((choice) => choice.cut), checked.bodies),
		windows: chosen.map((choice) => choice.window),
		pipeStatus,
		pipeFail: /pipefail/i.test(source),
		bash4: usesBash4(checked),
		timed: checked.nodes.some((node) => node.type === "Time"),
	};
}

/** The shell gets the rewritten text as one argument; each window's views stand in it three times. */
function fitsArgument(source: string, chosen: readonly Chosen[]): boolean {
	let bytes = Buffer.byteLength(source) + ADDED;
	for (const { window } of chosen) bytes += ADDED_PER_WINDOW + 3 * Buffer.byteLength(window.body);
	return bytes <= MAX_ARGUMENT;
}

function usesBash4({ nodes }: CheckedScript): boolean {
	return nodes.some((node) => {
		if (node.type === "Pipeline") return node.operators.includes("|&") || node.prefixes.filter((prefix) => prefix.type === "Negation").length > 1;
		if (node.type === "Redirect") return node.operator === "&>>";
		return node.type === "CaseItem" && (node.terminator === ";&" || node.terminator === ";;&");
	});
}

function hasNestedView({ nodes, source }: CheckedScript): boolean {
	return nodes.some((node) => {
		const last = node.type === "Pipeline" && node.commands.length > 1 ? node.commands.at(-1) : undefined;
		return last !== undefined && typeof asView(last, source) === "object";
	});
}

function pass(reason: PassReason): PassPlan {
	return { action: "pass", reason };
}
