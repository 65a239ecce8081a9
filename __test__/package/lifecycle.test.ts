import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { suffixOf, thisMachine } from "../../ts/native/target.ts";
import { ROOT } from "./checkout.ts";

const entry = JSON.stringify(new URL("../../ts/index.ts", import.meta.url).href);
const addon = JSON.stringify(join(ROOT, "binding", `sluice.${suffixOf(thisMachine())}.node`));
let folder: string;
/** 60 MB in 2 million lines, none of which matches: a search that takes long enough to be interrupted. */
let big: string;

beforeAll(() => {
	folder = mkdtempSync(join(tmpdir(), "sluice-life-"));
	big = join(folder, "big.log");
	writeFileSync(big, "a line of an ordinary log file\n".repeat(2_000_000));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a module in a process of its own. */
function run(script: string, args: readonly string[] = []): { stdout: string; stderr: string; status: number | null; ms: number } {
	const started = performance.now();
	const result = spawnSync(process.execPath, [...args, "--input-type=module", "-e", script], { cwd: folder, encoding: "utf8", timeout: 60_000 });
	return { stdout: result.stdout, stderr: result.stderr, status: result.status, ms: performance.now() - started };
}

describe("the engine in a process", () => {
	it("is not loaded, and no thread is started, by the import alone", () => {
		const { stdout, stderr } = run(`
			import { readFileSync } from "node:fs";
			const threads = () => readFileSync("/proc/self/status", "utf8").match(/Threads:\\s+(\\d+)/)[1];
			const before = threads();
			await import(${entry});
			const loaded = process.report.getReport().sharedObjects.some((path) => path.endsWith(".node"));
			console.log(threads() === before, loaded);`);
		expect(stderr).toBe("");
		expect(stdout).toBe("true false\n");
	});

	it("costs under 5 ms of processor time more than the bare addon", () => {
		// The loader alone; import.test.ts has the import of the package. Medians of fresh processes.
		const cost = (statement: string) => {
			const samples = Array.from({ length: 7 }, () => {
				const { stdout } = run(`
					import { createRequire } from "node:module";
					const { native } = await import(${JSON.stringify(new URL("../../ts/native.ts", import.meta.url).href)});
					const started = process.cpuUsage();
					${statement}
					const { user, system } = process.cpuUsage(started);
					console.log((user + system) / 1000);`);
				return Number(stdout);
			});
			return samples.sort((a, b) => a - b)[3] as number;
		};
		const bare = cost(`createRequire(import.meta.url)(${addon});`);
		const loader = cost("if (!native.available) throw native.errors;");
		expect(loader - bare).toBeLessThan(5);
	});

	it("works in worker threads, several at a time and one after another", () => {
		const { stdout, stderr } = run(`
			import { Worker } from "node:worker_threads";
			import { native, projectFile } from ${entry};
			const source = ${JSON.stringify(`
				const { parentPort, workerData } = await import("node:worker_threads");
				const { native, projectFile } = await import(workerData.entry);
				const { output } = await projectFile(workerData.file, "tail -n 1");
				parentPort.postMessage([native.available, new TextDecoder().decode(output)]);`)};
			const one = () => new Promise((resolve, reject) => {
				const worker = new Worker(new URL("data:text/javascript," + encodeURIComponent(source)), { workerData: { entry: ${entry}, file: ${JSON.stringify(big)} } });
				let message;
				worker.on("message", (value) => (message = value)).on("error", reject).on("exit", () => resolve(message));
			});
			const results = [...(await Promise.all([one(), one(), one()])), await one(), await one()];
			console.log(native.available, new Set(results.map(String)).size, String(results[0]).trim());`);
		expect(stderr).toBe("");
		expect(stdout).toBe("true 1 true,a line of an ordinary log file\n");
	});

	it("may be loaded twice under two names", () => {
		const { stdout, stderr } = run(`
			const first = await import(${entry});
			const second = await import(${entry} + "?again");
			const text = async ({ projectFile }) => new TextDecoder().decode((await projectFile(${JSON.stringify(big)}, "head -n 1")).output);
			console.log(first.native.available, second.native.available, (await text(first)) === (await text(second)));`);
		expect(stderr).toBe("");
		expect(stdout).toBe("true true true\n");
	});

	it("does not hold up the end of the process", () => {
		const { status, stderr, ms } = run(`
			import { projectFile, runGuarded } from ${entry};
			projectFile(${JSON.stringify(big)}, "grep -c nothing").catch(() => {});
			runGuarded("sleep 30; seq 9 | tail -1").catch(() => {});
			setTimeout(() => process.exit(7), 50);`);
		expect([status, stderr]).toEqual([7, ""]);
		expect(ms).toBeLessThan(15_000);
	});

	it("ends by itself when the work is done", () => {
		const { status, stderr, ms } = run(`
			import { runGuarded } from ${entry};
			await runGuarded("seq 9 | tail -1");`);
		expect([status, stderr]).toEqual([0, ""]);
		expect(ms).toBeLessThan(15_000);
	});

	it("gives back what it took", () => {
		const { stdout, stderr } = run(
			`
			import { createProjector, projectFile, runGuarded } from ${entry};
			const chunk = Buffer.from("0123456789abcdef\\n".repeat(4096));
			const round = async (times) => {
				for (let index = 0; index < times; index++) {
					const projector = createProjector("tail -n 2000");
					for (let part = 0; part < 8; part++) projector.push(chunk);
					if (index % 2 === 0) projector.finish();
					if (index % 20 === 0) await runGuarded("seq 2000 | tail -1", { keepLog: "never" });
					if (index % 20 === 10) await projectFile(${JSON.stringify(big)}, "tail -n 5000");
					if (index % 50 === 0) { await new Promise(setImmediate); gc(); }
				}
				for (let turn = 0; turn < 5; turn++) { await new Promise(setImmediate); gc(); }
				return process.memoryUsage.rss() / (1 << 20);
			};
			await round(200);
			const before = await round(200);
			const after = await round(1000);
			console.log(JSON.stringify({ before, after }));`,
			["--expose-gc"],
		);
		expect(stderr).toBe("");
		const { before, after } = JSON.parse(stdout) as { before: number; after: number };
		// 1000 rounds feed 545 MB; a leak of one projector's state in ten would show.
		expect(after - before).toBeLessThan(24);
	}, 90_000);
});
