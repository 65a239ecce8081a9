import type { Assignment, Command, Redirect, SyntaxNode } from "unbash";
import { builtinReason, isHelperName } from "./builtins.ts";
import { type CheckedScript, parseChecked } from "./parse.ts";
import { programReason } from "./programs.ts";
import type { PassReason } from "./types.ts";
import { decodeLiteral } from "./words.ts";
import { nestedShellText } from "./wrappers.ts";

/** Variables that show the rewritten text, the added functions, or the last command of the shell itself. */
const SHOWING = /^(?:_|BASH_EXECUTION_STRING|BASH_COMMAND|FUNCNAME|BASH_LINENO|BASH_SOURCE|BASH_ARGV|BASH_ARGC|BASH_SUBSHELL)$/;
/** Variables that change what a view prints; assigned without export, the shell has them and the views do not. */
const VIEW_ENVIRONMENT = /^(?:LC_[A-Z]+|LANG|LANGUAGE|GREP_[A-Z]+|_?POSIX[A-Z0-9_]+|TERM|LESS[A-Z]*|MORE|RIPGREP_CONFIG_PATH)$/;

/** Wherever it stands, in a script of any language too: descriptors are inherited, and looking at them shows the handoff's. */
const DESCRIPTOR_TEXT = /\/proc\/(?:self|thread-self|\$\$?|\d+)\/(?:fd|task)\b|\/dev\/fd\b(?!\/[0-4]\b)/;

/** Text handed to `eval` or a trap is part of the command; text for another shell is only looked at for what lists processes. */
type Scope = "own" | "other-shell";

const MAX_TEXT_DEPTH = 4;

/** Why some part of the command, however deeply nested, would notice that it was rewritten. */
export function gateReason(checked: CheckedScript, scope: Scope = "own", depth = 0): PassReason | undefined {
	if (DESCRIPTOR_TEXT.test(checked.source)) return "file-descriptor";
	for (const node of checked.nodes) {
		const reason = node.type === "Command" ? commandReason(node, scope, depth) : scope === "own" ? nodeReason(node) : undefined;
		if (reason !== undefined) return reason;
	}
	return undefined;
}

function nodeReason(node: SyntaxNode): PassReason | undefined {
	switch (node.type) {
		case "Statement":
			return node.background ? "background" : undefined;
		case "Coproc":
			return "coproc";
		case "Select":
			return "select";
		case "Redirect":
		case "HereString":
		case "HereDoc":
			return descriptorReason(node.descriptor, node.type === "Redirect" ? node : undefined);
		case "SimpleExpansion":
			return SHOWING.test(node.text.slice(1)) ? "introspection" : undefined;
		case "ParameterExpansion":
			return SHOWING.test(node.parameter) ? "introspection" : undefined;
		case "Function":
			return isHelperName(node.name.text) ? "function-shadow" : undefined;
		case "For":
			return VIEW_ENVIRONMENT.test(node.name.text) ? "environment-assignment" : undefined;
		default:
			return undefined;
	}
}

/** The handoff uses descriptors 5 to 9; a number above is the shell's own choice. */
function descriptorReason(descriptor: Redirect["descriptor"], redirect: Redirect | undefined): PassReason | undefined {
	if (descriptor?.type === "FileDescriptorVariable" || (descriptor?.value ?? 0) > 4) return "file-descriptor";
	if (redirect?.target === undefined) return undefined;
	const target = decodeLiteral(redirect.target.text);
	if (isShellsProcess(redirect.target.text) || /^\/proc\/(?:self|thread-self)\//.test(target ?? "")) return "process-listing";
	if (redirect.operator !== ">&" && redirect.operator !== "<&") return undefined;
	// `>&"$log"` may be a file or a descriptor.
	return target === undefined || (/^\d/.test(target) && Number.parseInt(target, 10) > 4) ? "file-descriptor" : undefined;
}

/** `/proc/$$`: of what the shell expands, processes are most likely its own. */
function isShellsProcess(text: string): boolean {
	return /^["']?\/proc\/["']?\$/.test(text);
}

function commandReason(command: Command, scope: Scope, depth: number): PassReason | undefined {
	const name = command.name === undefined ? undefined : decodeLiteral(command.name.text);
	const args = command.args.map((part) => (part.type === "Word" ? decodeLiteral(part.text) : part.text));
	if (scope === "own") {
		if (command.name === undefined || declares(name)) {
			const assigned = command.name === undefined ? command.prefix : exportsArguments(name, args) ? [] : command.suffix;
			if (assigned.some((part) => part.type === "Assignment" && VIEW_ENVIRONMENT.test((part as Assignment).name))) {
				return "environment-assignment";
			}
		}
		if (/^(?:read|mapfile|readarray|getopts|printf)$/.test(name ?? "") && args.some((word) => VIEW_ENVIRONMENT.test(word ?? ""))) {
			return "environment-assignment";
		}
		if (command.args.some((part) => isShellsProcess(part.text))) return "process-listing";
	}
	if (name === undefined) return undefined;
	const words: readonly (string | undefined)[] = [name, ...args];
	const reason = (scope === "own" ? builtinReason(words, command) : undefined) ?? programReason(words);
	if (reason !== undefined) return reason;
	for (const nested of nestedShellText(words)) {
		if (depth >= MAX_TEXT_DEPTH) return "nested-text";
		const inner = parseChecked(nested.text);
		// Another shell reports its own syntax errors; text for this one must be understood.
		if (typeof inner === "string") {
			if (nested.own && scope === "own") return "nested-text";
			continue;
		}
		const found = gateReason(inner, nested.own ? scope : "other-shell", depth + 1);
		if (found !== undefined) return found;
	}
	return undefined;
}

function declares(name: string | undefined): boolean {
	return name !== undefined && /^(?:declare|typeset|local|readonly)$/.test(name);
}

function exportsArguments(name: string | undefined, args: readonly (string | undefined)[]): boolean {
	return name !== undefined && args.some((word) => word !== undefined && /^-[a-zA-Z]*x/.test(word));
}
