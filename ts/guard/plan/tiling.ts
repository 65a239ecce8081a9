import type { Command, CompoundList, For, If, Script, Select, SyntaxNode } from "unbash";
import { type Skipped, gapTokens } from "./gap.ts";

type Span = Pick<SyntaxNode, "pos" | "end">;
type Check = (from: number, to: number, allowed: RegExp) => boolean;

const NOTHING = /^$/;
const BREAK = /^\n?$/;
const SEPARATOR = /^(?:;\n?|\n)$/;
const OPTIONAL_SEPARATOR = /^(?:;\n?|\n)?$/;
const DO = /^(?:;\n?|\n)?(?:do|\{)\n?$/;
const DONE = /^(?:;\n?|\n)?(?:done|\})$/;
const TERMINATOR = /^(?:;\n?|\n)?(?:;;|;&|;;&)?$/;

/**
 * Whether the children of a node cover its text, but for the operators and keywords that must stand between them. The parser
 * is tolerant and drops what it cannot place (`foo(bar`, `a=b f() { c; }`) without an error.
 */
export function isTiled(source: string, node: SyntaxNode, skipped: readonly Skipped[]): boolean {
	const check: Check = (from, to, allowed) => from <= to && allowed.test(gapTokens(source, from, to, skipped));
	switch (node.type) {
		case "Script":
			return scriptTiled(check, node);
		case "CompoundList":
			return listTiled(check, node.commands);
		case "Statement":
			return node.pos === node.command.pos && check(node.command.end, node.end, node.background ? /^&$/ : NOTHING);
		case "AndOr":
			return sequence(check, node.commands, (i) => (node.operators[i] === "&&" ? /^&&\n?$/ : /^\|\|\n?$/));
		case "Pipeline": {
			const first = node.commands[0];
			if (first === undefined || !sequence(check, [...node.prefixes, first], () => NOTHING)) return false;
			return sequence(check, node.commands, (i) => (node.operators[i] === "|" ? /^\|\n?$/ : /^\|&\n?$/));
		}
		case "Command":
			return commandTiled(check, node);
		case "Redirected":
			return sequence(check, [node.command, ...node.redirects], () => NOTHING);
		case "If":
			return ifTiled(check, node);
		case "Elif":
			return check(node.pos, node.clause.pos, /^elif\n?$/) && check(node.clause.end, node.then.pos, /^(?:;\n?|\n)?then\n?$/);
		case "While":
			return (
				check(node.pos, node.clause.pos, node.kind === "while" ? /^while\n?$/ : /^until\n?$/) &&
				check(node.clause.end, node.body.pos, /^(?:;\n?|\n)?do\n?$/) &&
				check(node.body.end, node.end, /^(?:;\n?|\n)?done$/)
			);
		case "For":
		case "Select":
			return forTiled(check, node);
		case "ArithmeticFor":
			return check(node.body.end, node.end, DONE);
		case "Subshell":
			return check(node.pos, node.body.pos, /^\(\n?$/) && check(node.body.end, node.end, /^(?:;\n?|\n)?\)$/);
		case "BraceGroup":
			return check(node.pos, node.body.pos, /^\{\n?$/) && check(node.body.end, node.end, /^(?:;\n?|\n)?\}$/);
		case "Function":
			return check(node.pos, node.name.pos, /^(?:function)?$/) && check(node.name.end, node.body.pos, /^(?:\(\))?\n?$/);
		case "Case": {
			const first = node.items[0];
			if (!check(node.pos, node.word.pos, /^case$/)) return false;
			if (first === undefined) return check(node.word.end, node.end, /^\n?in\n?esac$/);
			return (
				check(node.word.end, first.pos, /^\n?in\n?$/) &&
				sequence(check, node.items, () => BREAK) &&
				check((node.items.at(-1) as Span).end, node.end, /^\n?esac$/)
			);
		}
		case "CaseItem": {
			const [first, last] = [node.pattern[0], node.pattern.at(-1)];
			if (first === undefined || last === undefined) return false;
			if (!check(node.pos, first.pos, /^\(?$/) || !sequence(check, node.pattern, () => /^\|$/)) return false;
			if (node.body.commands.length === 0) return check(last.end, node.end, /^\)\n?(?:;;|;&|;;&)?\n?$/);
			return check(last.end, node.body.pos, /^\)\n?$/) && check(node.body.end, node.end, TERMINATOR);
		}
		default:
			return true;
	}
}

function sequence(check: Check, nodes: readonly Span[], between: (index: number) => RegExp): boolean {
	for (let i = 1; i < nodes.length; i++) {
		if (!check((nodes[i - 1] as Span).end, (nodes[i] as Span).pos, between(i - 1))) return false;
	}
	return true;
}

function listTiled(check: Check, statements: CompoundList["commands"]): boolean {
	return sequence(check, statements, (i) => (statements[i]?.background ? BREAK : SEPARATOR));
}

function scriptTiled(check: Check, script: Script): boolean {
	const [first, last] = [script.commands[0], script.commands.at(-1)];
	if (first === undefined || last === undefined) return check(script.pos, script.end, BREAK);
	return (
		check(script.pos, first.pos, BREAK) &&
		listTiled(check, script.commands) &&
		check(last.end, script.end, last.background ? BREAK : OPTIONAL_SEPARATOR)
	);
}

function commandTiled(check: Check, command: Command): boolean {
	const parts: Span[] = [...command.prefix];
	if (command.name) parts.push(command.name);
	parts.push(...command.suffix);
	const [first, last] = [parts[0], parts.at(-1)];
	if (first === undefined || last === undefined) return false;
	return first.pos === command.pos && last.end === command.end && sequence(check, parts, () => NOTHING);
}

function ifTiled(check: Check, node: If): boolean {
	if (!check(node.pos, node.clause.pos, /^if\n?$/)) return false;
	if (!check(node.clause.end, node.then.pos, /^(?:;\n?|\n)?then\n?$/)) return false;
	let end = node.then.end;
	for (const branch of node.elif) {
		if (!check(end, branch.pos, OPTIONAL_SEPARATOR)) return false;
		end = branch.end;
	}
	if (node.else) {
		if (!check(end, node.else.pos, /^(?:;\n?|\n)?else\n?$/)) return false;
		end = node.else.end;
	}
	return check(end, node.end, /^(?:;\n?|\n)?fi$/);
}

function forTiled(check: Check, node: For | Select): boolean {
	if (!check(node.pos, node.name.pos, node.type === "For" ? /^for$/ : /^select$/)) return false;
	if (!check(node.body.end, node.end, DONE)) return false;
	const words = node.wordlist;
	if (words === undefined) return check(node.name.end, node.body.pos, DO);
	const [first, last] = [words[0], words.at(-1)];
	if (first === undefined || last === undefined) return check(node.name.end, node.body.pos, /^\n?in(?:;\n?|\n)(?:do|\{)\n?$/);
	return (
		check(node.name.end, first.pos, /^\n?in$/) && sequence(check, words, () => NOTHING) && check(last.end, node.body.pos, DO)
	);
}
