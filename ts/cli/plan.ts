import { planCommand } from "../guard/plan/plan.ts";
import { parseArguments } from "./arguments.ts";

const SYNTAX = {
	name: "plan",
	help: `Usage: sluice plan [--] '<command>'

Prints as JSON which views of the command would be handed to the engine, or the reason why none. Runs nothing.
`,
	options: {},
	words: [1, 1],
	expected: "give the command as one argument, in quotes",
} as const;

/** `sluice plan '<command>'`: the plan as JSON. */
export async function plan(args: readonly string[]): Promise<number> {
	const parsed = parseArguments(args, SYNTAX);
	if (typeof parsed === "number") return parsed;
	const [command = ""] = parsed.positionals;
	process.stdout.write(`${JSON.stringify(planCommand(command), null, 2)}\n`);
	return 0;
}
