import { type Command, type Function as FunctionNode, type SyntaxNode, forEachChild } from "unbash";
import type { CheckedScript } from "./parse.ts";
import { decodeLiteral } from "./words.ts";

/** Literal argv of a command, "" for each word the shell expands. */
export function literalArgv(command: Command): string[] {
	const argv: string[] = [];
	if (command.name) argv.push(decodeLiteral(command.name.text) ?? "");
	for (const part of command.args) argv.push((part.type === "Word" ? decodeLiteral(part.text) : part.text) ?? "");
	return argv;
}

/**
 * Every simple command that feeds a window, in text order, functions of the text resolved. Substitutions are not included:
 * they end before the command that holds them starts. See {@link PlannedWindow.producers} for the two forms that are no argv.
 */
export function collectProducers(stages: readonly SyntaxNode[], functions: ReadonlyMap<string, FunctionNode>): string[][] {
	const found: string[][] = [];
	const called = new Set<string>();
	const stack: SyntaxNode[] = [...stages].reverse();
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		switch (node.type) {
			case "Command": {
				const argv = literalArgv(node);
				if (argv.length > 0) found.push(argv);
				const name = argv[0];
				const body = name === undefined || called.has(name) ? undefined : functions.get(name)?.body;
				if (name !== undefined && body !== undefined) {
					called.add(name);
					stack.push(body);
				}
				pushInputs(node.redirects, found);
				continue;
			}
			case "Redirected":
				pushInputs(node.redirects, found);
				break;
			case "While": {
				const only = node.clause.commands.length === 1 ? node.clause.commands[0]?.command : undefined;
				if (only?.type === "Command") found.push([node.kind, ...literalArgv(only)]);
				else if (only?.type === "ArithmeticCommand") found.push([node.kind, only.body.trim()]);
				break;
			}
			case "ArithmeticFor":
				if (node.test === undefined) found.push(["while", "true"]);
				break;
			case "Word":
			case "Assignment":
			case "Function":
				continue;
		}
		const children: SyntaxNode[] = [];
		forEachChild(node, (child) => children.push(child));
		stack.push(...children.reverse());
	}
	return found;
}

function pushInputs(redirects: Command["redirects"], found: string[][]): void {
	for (const redirect of redirects) {
		if (redirect.type !== "Redirect" || redirect.operator !== "<" || redirect.target === undefined) continue;
		found.push(["<", decodeLiteral(redirect.target.text) ?? ""]);
	}
}

/** The functions that the text defines; the last definition of a name counts. */
export function definedFunctions(checked: CheckedScript): Map<string, FunctionNode> {
	const functions = new Map<string, FunctionNode>();
	for (const node of checked.nodes) if (node.type === "Function") functions.set(node.name.text, node);
	return functions;
}
