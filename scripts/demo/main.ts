// The demo: the real pi, headless, with this checkout as its extension and a scripted model on 127.0.0.1.
// Its logs go to the OS temp folder, to be looked at afterwards.
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { drawingTools } from "./drawing.ts";
import { PROJECT, script, steps } from "./script.ts";
import { type CallReport, reportRun } from "../../__test__/rig/headless.ts";
import { type PiEvent, startPi } from "../../__test__/rig/process.ts";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";
import { formatCount, plural } from "../../ts/pi/format/numbers.ts";

const PATIENCE_MS = 120_000;
const { title, heading, field, quote } = drawingTools(process.stdout.isTTY === true);

console.log(title("Sluice in pi: the real pi with this checkout, and a scripted model. No network, no key."));
const pi = await startPi(script, { cwd: PROJECT, env: { TMPDIR: tmpdir() } }, "json", "Why does the test suite fail?");
try {
	let failed = 0;
	let from = 0;
	for (const [index, { caption }] of steps.entries()) {
		console.log(heading(`${index + 1}. ${caption}`));
		from = await next(from, (event) => event.type === "tool_execution_start");
		showCall(pi.events[from]!);
		// The model has the result once it answers.
		const ended = await next(from, (event) => event.type === "tool_execution_end");
		from = await next(ended, (event) => event.type === "message_start" && event["message"].role === "assistant");
		const report = reportRun(pi, null).calls[index]!;
		showResult(report);
		if (report.isError) failed += 1;
	}
	const { code } = await pi.ended;
	const answer = pi.events.findLast((event) => event.type === "message_end" && event["message"].role === "assistant");
	console.log(`${heading("The model's answer")}\n${quote(answer?.["message"].content[0]?.text ?? "(none)")}`);
	console.log("\nThe same in pi's own interface: npm run pi. In your pi, from this checkout: pi -e .");
	if (code !== 0 || failed > 0) {
		console.error(`the demo failed; pi ended with ${code}:\n${pi.stderr()}`);
		process.exitCode = 1;
	}
} finally {
	await pi.dispose();
}

/** The index of the next event that matches. */
async function next(from: number, match: (event: PiEvent) => boolean): Promise<number> {
	return pi.events.indexOf(await pi.waitFor(match, PATIENCE_MS, from));
}

function showCall(event: PiEvent): void {
	console.log(field(`The model calls ${event["toolName"]}`));
	const { command } = event["args"];
	console.log(quote(command === undefined ? JSON.stringify(event["args"]) : `$ ${command}`));
}

function showResult({ received, details, durationMs }: CallReport): void {
	const record = readPiToolGuardDetails(details);
	if (record !== undefined) {
		console.log(`${field("What ran, once")}\n${quote(`$ ${record.cleanedCommand}`)}`);
		console.log(`${field("Its view, by the engine")}\n${quote(record.removedPipeline)}`);
	}
	console.log(`${field(`The model received, after ${((durationMs ?? 0) / 1000).toFixed(1)} s`)}\n${quote(received.text)}`);
	if (record === undefined) return;
	console.log(`${field("The record, details.piToolGuard")}\n${quote(JSON.stringify(record, null, 2))}`);
	if (record.sourcePath !== undefined) console.log(`${field("The log")}\n${quote(describe(record.sourcePath, record.projection?.inputLines))}`);
}

function describe(path: string, lines = 0): string {
	const { size, mode } = statSync(path);
	return `${path}\n${plural(lines, "line")}, ${formatCount(size)} bytes, mode ${(mode & 0o777).toString(8).padStart(4, "0")}`;
}
