import { planCommand } from "../guard/plan/plan.ts";
import { USAGE } from "./usage.ts";

/** `sluice plan '<command>'`: the plan as JSON. */
export async function plan(args: readonly string[]): Promise<number> {
	const [command, ...more] = args[0] === "--" ? args.slice(1) : args;
	if (command === undefined || more.length > 0) {
		process.stderr.write("Usage: sluice plan '<command>'\n\nPrints as JSON which views would be handed to the engine, or why none.\n");
		return USAGE;
	}
	process.stdout.write(`${JSON.stringify(planCommand(command), null, 2)}\n`);
	return 0;
}
