// What the demo's model does: runs a test suite, reads more of its log instead of running it again, and filters 200 MB.
import { join } from "node:path";
import type { ReceivedResult, ScriptedCall, Turn } from "../../__test__/rig/model.ts";
import { CHECKOUT } from "../../__test__/rig/home.ts";

/** The project that the model works in. */
export const PROJECT: string = join(CHECKOUT, "examples", "gatehouse");

/** What the model does, and why it is worth watching. */
interface Step {
	readonly caption: string;
	readonly turn: Turn;
}

export const steps: readonly Step[] = [
	{
		caption: "The model runs a test suite and asks for five lines. One test fails, and `tail` hides that. It takes twelve seconds.",
		turn: { name: "bash", arguments: { command: "npm test 2>&1 | grep -E '(tests|pass|fail) [0-9]+|✖' | tail -5" } },
	},
	{
		caption: "It wants to see more, and reads the log: the suite does not run again.",
		turn: (results) => failingTest(logOf(results)),
	},
	{
		caption: "200 MB of output, of which the model wants three lines. All of it is kept.",
		turn: { name: "bash", arguments: { command: "node tools/access-log.mjs --megabytes 200 | grep level=ERROR | tail -3" } },
	},
	{
		caption: "A mistake that models make: the path is called file_path, the limit is a string. Both are repaired.",
		turn: { name: "read", arguments: { file_path: "src/retry-after.js", limit: "8" } },
	},
];

/** The steps and the model's answer. */
export const script: readonly Turn[] = [
	...steps.map((step) => step.turn),
	{ text: "parseRetryAfter returns a negative delay for a date in the past: it should return 0." },
];

function failingTest(log: string): ScriptedCall {
	return { name: "bash", arguments: { command: `grep -n -A 4 'failing tests' ${log}` } };
}

/** The log that the first result names. */
function logOf(results: readonly ReceivedResult[]): string {
	const path = /Full output: (.*)\]/.exec(results[0]?.text ?? "")?.[1];
	if (path === undefined) throw new Error(`the first result names no log:\n${results[0]?.text}`);
	return path;
}
