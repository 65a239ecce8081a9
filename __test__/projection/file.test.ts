import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { projectFile } from "../../ts/index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-projection-"));
const file = join(folder, "large.log");
const env = { LC_ALL: "C.UTF-8" };
const lines = 600_000;

beforeAll(() => {
	let seed = 1;
	const next = () => (seed = (seed * 48_271) % 0x7fffffff);
	const text = Array.from({ length: lines }, (_, i) => {
		const word = next() % 5_000 === 0 ? "FAIL" : next() % 9 === 0 ? "node_modules é" : "ok";
		return `${i} ${word} ${"x".repeat(next() % 40)}\n`;
	});
	writeFileSync(file, text.join(""));
});
afterAll(() => rmSync(folder, { recursive: true }));

const views = [
	"head -5",
	"tail -5",
	"tail -n +599990",
	"tail -c 1000",
	"head -c 100000",
	"head -n -599990",
	"grep FAIL",
	"grep -c FAIL",
	"grep -vc ok",
	"grep FAIL | tail -3",
	"grep -i fail | tail -3",
	"grep nothing | tail -3",
	"grep nothing",
	"grep FAIL | head -2",
	"grep -v node_modules | tail -20",
	"grep -v node_modules | head -20",
	"grep -n FAIL",
	"grep -n -C3 FAIL",
	"grep -b -A2 FAIL",
	"grep -m 3 -B1 FAIL",
	"grep -o 'FAIL x*'",
	"grep -oE '[0-9]+ FAIL' | tail -5",
	"grep -q FAIL",
	"grep -q nothing",
	"grep ok | grep -c x",
	"tail -100 | grep -c ok",
	"head -100000 | grep FAIL | tail -1",
];

describe("projectFile", () => {
	test.each(views)("%s, as the real tools have it", async (view) => {
		const result = await projectFile(file, view, { env });
		const { stdout, status } = bash(`cat "$0" | ${view}`, file);
		expect(Buffer.compare(result.output, stdout)).toBe(0);
		expect(result.exitCode).toBe(status);
		expect(result.stderr).toBe("");
	});

	test("counts what it read, and leaves out what it did not count", async () => {
		const small = join(folder, "small");
		writeFileSync(small, "a\nb");
		expect((await projectFile(small, "grep -c a", { env })).input).toEqual({ lines: 2, bytes: 3 });
		expect((await projectFile(file, "tail -1", { env })).input).toEqual({});
	});

	test("output as it comes is the output, complete before the promise settles", async () => {
		const pieces: Uint8Array[] = [];
		const result = await projectFile(file, "grep -v FAIL", { env, onOutput: (piece) => pieces.push(piece) });
		expect(pieces.length).toBeGreaterThan(1);
		expect(Buffer.compare(Buffer.concat(pieces), result.output)).toBe(0);
	});

	test("the callback's error stops the work", async () => {
		const onOutput = () => {
			throw new RangeError("callback");
		};
		await expect(projectFile(file, "grep ok", { env, onOutput })).rejects.toThrow(new RangeError("callback"));
	});

	test("errors have codes", async () => {
		await expect(projectFile(join(folder, "none"), "tail -1")).rejects.toMatchObject({ code: "IO" });
		await expect(projectFile(folder, "tail -1")).rejects.toMatchObject({ code: "IO" });
		await expect(projectFile(file, "tail -f")).rejects.toMatchObject({ code: "UNSUPPORTED_VIEW" });
	});

	test("abort before and during", async () => {
		await expect(projectFile(file, "tail -1", { signal: AbortSignal.abort() })).rejects.toMatchObject({
			name: "AbortError",
		});
		const abort = new AbortController();
		const running = projectFile("/dev/zero", "tail -c 1", { signal: abort.signal });
		await new Promise((resolve) => setTimeout(resolve, 30));
		const start = performance.now();
		abort.abort();
		await expect(running).rejects.toMatchObject({ name: "AbortError" });
		expect(performance.now() - start).toBeLessThan(50);
	});
});

function bash(script: string, ...args: string[]): { stdout: Buffer; status: number } {
	const options = { env: { ...process.env, ...env }, maxBuffer: 1 << 28 };
	try {
		return { stdout: execFileSync("bash", ["-c", script, ...args], options), status: 0 };
	} catch (error) {
		const { stdout, status } = error as { stdout: Buffer; status: number };
		return { stdout, status };
	}
}
