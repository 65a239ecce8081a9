// What a projection costs its host: rows 18 (event loop), 19 (memory) and 20 (abort).
import { fork, spawn } from "node:child_process";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { lineFile, logFile } from "../data.mjs";
import { env, sluice } from "../engine.mjs";
import { median } from "../harness.mjs";
import { valueTable } from "../report.mjs";

const SCAN = "grep -E 'DISASTER|CATASTROPHE' | tail -40";
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Event loop delay beyond the timer's own, in milliseconds, while `work` runs. */
async function delays(work) {
	const histogram = monitorEventLoopDelay({ resolution: 1 });
	histogram.enable();
	await work();
	histogram.disable();
	return { p99: Math.max(0, histogram.percentile(99) / 1e6 - 1), max: Math.max(0, histogram.max / 1e6 - 1) };
}

async function eventLoop({ size }) {
	const path = logFile(size);
	const jobs = async () => {
		for (let i = 0; i < 10; i++) await sluice.projectFile(path, SCAN, { env });
	};
	await jobs();
	const cpu = process.threadCpuUsage?.();
	await jobs();
	const used = cpu && process.threadCpuUsage(cpu);
	const ours = await delays(jobs);
	// Two busy processes on the same cores are the control: no library can be gentler than that.
	const busy = [0, 1].map(() => spawn("sh", ["-c", "while :; do :; done"]));
	const control = await delays(() => pause(1500));
	for (const child of busy) child.kill("SIGKILL");
	const rows = [
		["event loop p99 while two unrelated processes are busy (control)", control.p99, undefined, "ms"],
		["event loop p99 during projections", ours.p99, Number((control.p99 + 2).toFixed(2)), "ms"],
		["event loop maximum during projections", ours.max, Math.max(10, Number((2 * control.max).toFixed(2))), "ms"],
	];
	if (used) rows.unshift(["main thread CPU per projection", (used.user + used.system) / 1e3 / 10, 5, "ms"]);
	return valueTable(rows);
}

/** Peak growth of the resident set of a fresh process during one job, in MB. */
function growth(...job) {
	return new Promise((resolve, reject) => {
		const child = fork(new URL("../memory-child.mjs", import.meta.url), job, { stdio: "inherit" });
		child.on("message", resolve);
		child.on("error", reject);
		child.on("exit", (code) => code && reject(new Error(`the child ended with ${code}`)));
	});
}

async function memory({ size }) {
	const rows = [];
	for (const megabytes of [100, size]) {
		const path = logFile(megabytes);
		for (const view of ["grep -c FAIL", SCAN, "grep -n -C3 FAIL", "grep -E '[a-z]+[0-9]{3}[a-z]+[0-9]{3}x'", "tail -40", "tail -n +1000000 | head -5"]) {
			rows.push([`\`${view}\`, ${megabytes} MB`, await growth("file", view, path), 16, "MB"]);
		}
	}
	const command = `dd if=${logFile(size)} bs=64k status=none | ${SCAN}`;
	rows.push([`\`runGuarded("dd … | ${SCAN}")\`, ${size} MB`, await growth("run", command), 16, "MB"]);
	const line = lineFile(200);
	rows.push(["`head -c 100`, one line of 200 MB", await growth("file", "head -c 100", line), 16, "MB"]);
	rows.push(["`grep -c nothing`, one line of 200 MB", await growth("file", "grep -c nothing", line), 16, "MB"]);
	rows.push(["`grep nothing`, one line of 200 MB, which is held until its end", await growth("file", "grep nothing", line), 216, "MB"]);
	return valueTable(rows);
}

async function abort({ size }) {
	const path = logFile(size);
	const times = [];
	for (let i = 0; i < 30; i++) {
		const controller = new AbortController();
		const running = sluice.projectFile(path, "grep -n -C3 '[a-z]+[0-9]x'", { env, signal: controller.signal });
		const settled = running.then(() => false, (error) => error.name === "AbortError");
		await pause(3 + (i % 10));
		const start = performance.now();
		controller.abort();
		if (!(await settled)) throw new Error("the projection ended before the abort");
		times.push(performance.now() - start);
	}
	return valueTable([
		["abort to rejection, median of 30", median(times), 10, "ms"],
		["abort to rejection, maximum", Math.max(...times), undefined, "ms"],
	]);
}

export const rows = [
	{ id: "18", title: `the host's event loop during \`${SCAN}\``, run: eventLoop },
	{ id: "19", title: "memory: growth of the resident set", run: memory },
	{ id: "20", title: "abort", run: abort },
];
