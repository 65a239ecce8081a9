import type { CommandNode } from "unbash";
import type { CheckedScript } from "./parse.ts";
import { literalArgv } from "./producers.ts";
import { decodeLiteral } from "./words.ts";

const READS_ONLY = new Set("cat echo printf grep egrep fgrep rg ls wc head tail less more true false test [ :".split(" "));

/** Nothing in the command changes files or the directory, so that a file which is read stays what was read. */
export function readsOnly(checked: CheckedScript): boolean {
	return checked.nodes.every((node) => {
		if (node.type === "Redirect") {
			const target = node.target?.text ?? "";
			return node.operator === "<" || target === "/dev/null" || ((node.operator === ">&" || node.operator === "<&") && /^\d$/.test(target));
		}
		if (node.type !== "Command") return true;
		return literalArgv(node).slice(0, 1).every((name) => READS_ONLY.has(name));
	});
}

/** The one literal file that a stage copies to its stdout: `cat FILE` or `cat < FILE`. */
export function sourceFile(stage: CommandNode | undefined): string | undefined {
	if (stage?.type !== "Command" || literalArgv(stage)[0] !== "cat") return undefined;
	const inputs = stage.redirects.filter((redirect) => !(redirect.type === "Redirect" && redirect.operator.startsWith(">")));
	const files = literalArgv(stage).slice(1);
	if (files.length === 1 && inputs.length === 0) return files[0] === "" || files[0]?.startsWith("-") ? undefined : files[0];
	const [input] = inputs;
	if (files.length > 0 || inputs.length !== 1 || input?.type !== "Redirect" || input.descriptor || input.operator !== "<") return undefined;
	return input.target === undefined ? undefined : decodeLiteral(input.target.text) || undefined;
}
