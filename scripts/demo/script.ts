// What the demo's model does: runs a test suite, reads more of its log instead of running it again, and filters 200 MB.
import { join } from "node:path";
import type { ReceivedResult, ScriptedCall, Turn } from "../../__test__/rig/model.ts";
import { CHECKOUT } from "../../__test__/rig/home.ts";

/** The project that the model works in. */
export const PROJECT: string = join(CHECKOUT, "examples", "gatehouse");

export const script: readonly Turn[] = [
	{ name: "bash", arguments: { command: "npm test 2>&1 | grep -E '^ℹ (tests|pass|fail)|✖' | tail -5" } },
	(results) => failingTest(logOf(results)),
	{ name: "bash", arguments: { command: "node tools/access-log.mjs --megabytes 200 | grep level=ERROR | tail -3" } },
	// The path is called file_path here: a mistake that models make, and that is repaired.
	{ name: "read", arguments: { file_path: "src/retry-after.js", limit: "9" } },
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
