import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { find, grep, projectFile, readLines, truncateFile } from "../../ts/index.ts";

/** Files that change while they are read, and files that are none: an answer or an error with a code, soon. */

let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "sluice-races-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const JOBS: readonly ((path: string, signal?: AbortSignal) => Promise<unknown>)[] = [
	(path, signal) => projectFile(path, "tail -3", { signal }),
	(path, signal) => projectFile(path, "grep -c 7", { signal }),
	(path, signal) => projectFile(path, "head -n -2 | tail -n 1", { signal }),
	(path, signal) => grep({ pattern: "77", path, ...(signal ? { signal } : {}) }),
	(path, signal) => readLines(path, { offset: 100, limit: 50, ...(signal ? { signal } : {}) }),
	(path, signal) => truncateFile(path, { keep: "tail", ...(signal ? { signal } : {}) }),
];
const CODES = ["IO", "ABORTED", "NEEDS_REAL_TOOL", "INVALID_ARGUMENT"];

/** An answer, or a failure of a known kind. */
async function settled(job: Promise<unknown>): Promise<"answer" | "error"> {
	try {
		await job;
		return "answer";
	} catch (error) {
		const { code, name } = error as { code?: string; name?: string };
		expect(CODES.includes(code ?? "") || name === "AbortError" || /^E[A-Z]+$/.test(code ?? ""), String(error)).toBe(true);
		return "error";
	}
}

describe("a file that is truncated, replaced and appended to while it is read", () => {
	const rounds = Number(process.env["SLUICE_RACE_ROUNDS"] ?? 1000);
	it(`${rounds} rounds`, { timeout: 600_000 }, async () => {
		const path = join(dir, "file");
		const content = Array.from({ length: 200_000 }, (_, n) => `line ${n}\n`).join("");
		writeFileSync(path, content);
		const worker = new Worker(
			`const { workerData: { path, content } } = require("node:worker_threads");
			const fs = require("node:fs");
			for (let n = 0; ; n++) {
				try {
					if (n % 4 === 0) fs.truncateSync(path, (n * 7919) % content.length);
					else if (n % 4 === 1) fs.appendFileSync(path, content.slice(0, 50000));
					else if (n % 4 === 2) { fs.writeFileSync(path + ".new", content); fs.renameSync(path + ".new", path); }
					else fs.writeFileSync(path, content);
				} catch {}
			}`,
			{ eval: true, workerData: { path, content } },
		);
		try {
			const outcomes = { answer: 0, error: 0 };
			for (let round = 0; round < rounds; round++) {
				for (const outcome of await Promise.all(JOBS.map((job) => settled(job(path))))) outcomes[outcome]++;
			}
			// Errors show that the file was really caught while it changed.
			expect(Math.min(outcomes.answer, outcomes.error)).toBeGreaterThan(0);
		} finally {
			await worker.terminate();
		}
	});
});

describe.runIf(process.platform === "linux")("files that are none", () => {
	it.each([
		["a FIFO that nobody writes to", () => void spawnSync("mkfifo", [join(dir, "x")])],
		["a folder", () => mkdirSync(join(dir, "x"))],
		["a link to itself", () => symlinkSync("x", join(dir, "x"))],
		["a link to nowhere", () => symlinkSync("nowhere", join(dir, "x"))],
		["nothing", () => {}],
		["an unreadable file", () => (writeFileSync(join(dir, "x"), "a"), chmodSync(join(dir, "x"), 0))],
		["endless zeros", () => symlinkSync("/dev/zero", join(dir, "x"))],
		["the process's memory", () => symlinkSync("/proc/self/mem", join(dir, "x"))],
		["a process's status", () => symlinkSync("/proc/self/status", join(dir, "x"))],
		["one terabyte of nothing", () => (writeFileSync(join(dir, "x"), "a\nb\n"), truncateSync(join(dir, "x"), 2 ** 40))],
	])("%s: each job ends within a second of its abort", { timeout: 120_000 }, async (_name, make) => {
		make();
		for (const job of [...JOBS.filter((_, index) => index !== 0), (path: string, signal?: AbortSignal) => projectFile(path, "head -2", { signal })]) {
			const started = performance.now();
			await settled(job(join(dir, "x"), AbortSignal.timeout(400)));
			expect(performance.now() - started).toBeLessThan(5000);
		}
	});

	it("the ends of one terabyte of nothing are read at once", async () => {
		const path = join(dir, "sparse");
		writeFileSync(path, "first\nsecond\n");
		truncateSync(path, 2 ** 40);
		expect(Buffer.from((await projectFile(path, "head -1")).output).toString()).toBe("first\n");
		expect((await projectFile(path, "tail -c 5")).output).toEqual(Buffer.alloc(5));
	});

	it("a tree whose folders are moved away while it is searched", { timeout: 60_000 }, async () => {
		for (let n = 0; n < 40; n++) {
			mkdirSync(join(dir, `d${n}`, "deep", "deeper"), { recursive: true });
			writeFileSync(join(dir, `d${n}`, "deep", "deeper", "file"), "needle\n");
		}
		for (let round = 0; round < 20; round++) {
			const jobs = [grep({ pattern: "needle", path: dir }), find({ pattern: "**/file", path: dir })];
			for (let n = 0; n < 40; n += 2) renameSync(join(dir, `d${n}`), join(dir, `e${n}`));
			await Promise.all(jobs.map(settled));
			for (let n = 0; n < 40; n += 2) renameSync(join(dir, `e${n}`), join(dir, `d${n}`));
		}
	});
});
