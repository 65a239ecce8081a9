// Interleaved rounds A B C A B C, medians, and a gate: a peer whose answer differs is not timed, and ours neither.
import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

export const median = (values) => {
	const sorted = [...values].sort((a, b) => a - b);
	const middle = sorted.length >> 1;
	return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};
export const mad = (values) => {
	const center = median(values);
	return median(values.map((value) => Math.abs(value - center)));
};
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");

/** A peer that is a command line; its time is that of the whole process, with stdout drained through a pipe. */
export function command(name, script, env = {}) {
	const options = { env: { ...process.env, LC_ALL: "C.UTF-8", ...env } };
	return {
		name,
		answer: () => spawnSync("bash", ["-c", script], { ...options, maxBuffer: 2 ** 31 }).stdout,
		run: () =>
			new Promise((resolve, reject) => {
				const child = spawn("bash", ["-c", script], { ...options, stdio: ["ignore", "pipe", "inherit"] });
				child.stdout.resume();
				child.on("error", reject);
				child.on("close", resolve);
			}),
	};
}

/** A peer that is a function of this process; it returns its answer as bytes, or a promise of them. */
export const here = (name, run) => ({ name, answer: run, run });

/** Shares of idle time of all cores since the call before, where the system tells (Linux). */
function idleShare(last) {
	const [, ...fields] = readFileSync("/proc/stat", "utf8").split("\n", 1)[0].trim().split(/\s+/);
	const ticks = fields.map(Number);
	const now = { idle: ticks[3] + ticks[4], all: ticks.reduce((sum, value) => sum + value, 0) };
	return { now, share: last ? (now.idle - last.idle) / Math.max(1, now.all - last.all) : 0 };
}

/** Waits until other work leaves the cores alone, at most BENCH_QUIET seconds (default 0). */
export async function quiet() {
	const seconds = Number(process.env.BENCH_QUIET ?? 0);
	if (!(seconds > 0) || process.platform !== "linux") return;
	const end = performance.now() + seconds * 1000;
	let { now } = idleShare();
	while (performance.now() < end) {
		await new Promise((resolve) => setTimeout(resolve, 200));
		const next = idleShare(now);
		if (next.share >= 0.85) return;
		now = next.now;
	}
}

/**
 * Times peers, ours first. `repeat` runs count as one for jobs below the timer's resolution.
 * @returns {{ name, times: number[] }[]} milliseconds per run
 */
export async function race(peers, { rounds, warmup = 1, repeat = 1, check = true }) {
	if (check) {
		const answers = await Promise.all(peers.map(async (peer) => digest(await peer.answer())));
		const wrong = peers.filter((peer, i) => peer.differs !== true && answers[i] !== answers[0]);
		if (wrong.length > 0) throw new WrongAnswer(wrong.map((peer) => peer.name));
	}
	const results = peers.map((peer) => ({ name: peer.name, times: [] }));
	for (let round = -warmup; round < rounds; round++) {
		await quiet();
		for (const [i, peer] of peers.entries()) {
			const start = performance.now();
			for (let n = 0; n < repeat; n++) await peer.run();
			if (round >= 0) results[i].times.push((performance.now() - start) / repeat);
		}
	}
	return results;
}

/** Some peer answers otherwise than ours: nothing is timed. */
export class WrongAnswer extends Error {
	constructor(names) {
		super(`another answer than ours: ${names.join(", ")}`);
	}
}

/** The first line that a tool says about its version, or undefined if it is not there. */
export function version(tool) {
	const { status, stdout } = spawnSync(tool, ["--version"], { encoding: "utf8" });
	return status === 0 ? stdout.split("\n")[0] : undefined;
}
