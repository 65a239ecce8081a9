// npm run bench -- [--only=1,2a,tree] [--rounds=9] [--size=1000] [--record]; BENCH_QUIET=15 waits for idle cores before each round.
import { fork } from "node:child_process";
import { writeFileSync } from "node:fs";
import { arch, cpus, loadavg, platform, release, totalmem } from "node:os";
import { parseArgs } from "node:util";
import { update as updateFigures } from "../scripts/figures.mjs";
import { FOLDER } from "./data.mjs";
import { version } from "./harness.mjs";
import { allRows } from "./rows.mjs";

const { values } = parseArgs({
	options: {
		only: { type: "string" },
		rounds: { type: "string", default: "9" },
		/** MB of the large log. The goals are for 1000. */
		size: { type: "string", default: "1000" },
		record: { type: "boolean", default: false },
	},
});
const only = values.only?.split(",");
const options = { rounds: Number(values.rounds), size: Number(values.size), rg: process.env.BENCH_RG ?? "rg" };

const cpu = cpus();
/** Whether others use the cores: then ratios are rough, and times mean nothing. */
function busy() {
	return (loadavg()[0] ?? 0) > cpu.length / 2;
}
const machine = [
	`${new Date().toISOString().slice(0, 16).replace("T", " ")} UTC`,
	`${cpu.length} x ${cpu[0]?.model ?? arch()}, ${(totalmem() / 2 ** 30).toFixed(0)} GiB, ${platform()} ${release()}`,
	`Node ${process.version}; ${[options.rg, "grep", "tail"].map((tool) => version(tool) ?? `${tool}: none`).join("; ")}`,
	`log of ${options.size} MB, ${options.rounds} interleaved rounds, data in ${FOLDER === process.env.BENCH_DATA ? "BENCH_DATA" : "the temp folder"}`,
	`load before the run ${loadavg()[0]?.toFixed(1)}${busy() ? ": a busy machine, which favours whoever has more threads and spoils everything below 1 ms" : ""}`,
];
console.log(machine.join("\n"));

const all = (await allRows()).filter(({ id, group }) => !only || only.includes(String(id)) || only.includes(group));
all.sort((a, b) => String(a.id).localeCompare(String(b.id), "en", { numeric: true }));
const sections = [];
/** Written after every row, so that a run that is stopped has its results. */
function record() {
	if (!values.record) return;
	const note = "# Results\n\nWritten by `npm run bench -- --record`. Ratios matter, not milliseconds; a missed goal is recorded like the others.\n";
	writeFileSync(new URL("RESULTS.md", import.meta.url), `${note}\n${machine.map((line) => `- ${line}`).join("\n")}\n${sections.join("\n")}\n`);
	updateFigures();
}
/** Runs a row in a process of its own: what an earlier one has left in memory makes spawning slower. */
function alone(id) {
	return new Promise((resolve) => {
		const child = fork(new URL("row.mjs", import.meta.url), [id, JSON.stringify(options)]);
		let answer = { text: "not timed: the process ended", met: false };
		child.on("message", (message) => (answer = message));
		child.on("close", () => resolve(answer));
	});
}

let failed = 0;
for (const { id, title } of all) {
	const { text, met } = await alone(String(id));
	if (!met) failed++;
	const section = `\n### ${id}. ${title}\n\n${text}`;
	console.log(section);
	sections.push(section);
	record();
}
console.log(`\n${failed === 0 ? "All goals met." : `${failed} rows with a goal missed or not timed.`}`);
