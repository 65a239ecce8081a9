// The demo: the real pi, headless, with this checkout as its extension and a scripted model on 127.0.0.1.
// Its logs go to the OS temp folder, to be looked at afterwards.
import { statSync } from "node:fs";
import { tmpdir } from "node:os";
import { drawingTools } from "./drawing.ts";
import { PROJECT, script } from "./script.ts";
import { type CallReport, runPi } from "../../__test__/rig/headless.ts";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";

const { heading, field, quote } = drawingTools(process.stdout.isTTY === true);

console.log(heading("Sluice demo: pi with a scripted model, no network. The test suite takes about twelve seconds."));
const report = await runPi(script, { cwd: PROJECT, env: { TMPDIR: tmpdir() } }, ({ calls }) => calls.forEach(show));
const answer = report.events.findLast((event) => event.type === "message_end" && event["message"].role === "assistant");
console.log(`${heading("The model's answer")}\n${quote(answer?.["message"].content[0]?.text ?? "(none)")}`);
if (report.code !== 0 || report.calls.length !== 4 || report.calls.some((call) => call.isError)) {
	console.error(`the demo failed; pi ended with ${report.code}:\n${report.stderr}`);
	process.exitCode = 1;
}

function show({ call, received, details, durationMs }: CallReport, index: number): void {
	const record = readPiToolGuardDetails(details);
	const took = durationMs === undefined ? "" : ` (${(durationMs / 1000).toFixed(1)} s)`;
	console.log(heading(`${index + 1}. ${call.name}${took}`));
	console.log(field("The model asked"));
	console.log(quote(typeof call.arguments === "string" ? call.arguments : JSON.stringify(call.arguments)));
	if (record !== undefined) {
		console.log(`${field("What ran, once")}\n${quote(record.cleanedCommand)}`);
		console.log(`${field("Its view, by the engine")}\n${quote(record.removedPipeline)}`);
	}
	console.log(`${field("The model received")}\n${quote(received.text)}`);
	if (record !== undefined) console.log(`${field("The record, details.piToolGuard")}\n${quote(JSON.stringify(record, null, 2))}`);
	if (record?.sourcePath !== undefined) console.log(`${field("The log")}\n${quote(describe(record.sourcePath))}`);
}

function describe(path: string): string {
	const { size, mode } = statSync(path);
	return `${path}  ${size} bytes, mode ${(mode & 0o777).toString(8).padStart(4, "0")}`;
}
