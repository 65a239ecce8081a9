import type { CheckedScript } from "./parse.ts";
import type { PassReason } from "./types.ts";
import { decodeLiteral } from "./words.ts";

const INTERACTIVE_SETUP = /(?:^|\/)[._]?(?:\w*rc|zshenv|\w*profile|\w*login|\w*aliases?\w*)(?:\.\w+)?["']?$/;

/**
 * A sourced file may define anything. Functions and PATH are seen at run time; aliases are not: they take effect on the lines
 * after, but not in functions defined before. Files that set up an interactive shell define aliases, others hardly ever do.
 */
export function sourcedReason({ nodes, source }: CheckedScript): PassReason | undefined {
	for (const node of nodes) {
		if (node.type !== "Command" || node.name === undefined) continue;
		const name = decodeLiteral(node.name.text);
		if (name !== "." && name !== "source") continue;
		const file = node.args[0]?.text ?? "";
		if (INTERACTIVE_SETUP.test(file) && source.includes("\n", node.end)) return "sourced-rc";
	}
	return undefined;
}
