import type { CheckedScript } from "./parse.ts";
import { decodeLiteral } from "./words.ts";

/**
 * Whether a view's name may be an alias on some line. Aliases are expanded where views stand in command position, but not
 * in words that the shell expands first. What else a sourced file or `eval` may define (functions, `PATH`) is seen at run time.
 */
export function mayUseAliases({ nodes, source }: CheckedScript): boolean {
	return nodes.some((node) => {
		if (node.type !== "Command" || node.name === undefined) return false;
		const name = decodeLiteral(node.name.text);
		if (name === "alias") return node.args.length > 0;
		// An alias takes effect on the lines after.
		return (name === "." || name === "source" || name === "eval") && source.includes("\n", node.end);
	});
}
