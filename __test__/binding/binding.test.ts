import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Nothing that is passed to the engine, and no fault in it, ends the process. */

const root = fileURLToPath(new URL("../..", import.meta.url));
const library = { linux: "libsluice_napi.so", darwin: "libsluice_napi.dylib", win32: "sluice_napi.dll" }[process.platform as "linux"];
let dir: string;
let engine: string;

beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "sluice-binding-"));
	// An engine with overflow checks, and with the injected panics that no release has.
	execFileSync("cargo", ["build", "-p", "sluice-napi", "--locked", "--quiet"], { cwd: root, stdio: "inherit" });
	engine = join(dir, "engine.node");
	copyFileSync(join(process.env["CARGO_TARGET_DIR"] ?? join(root, "target"), "debug", library), engine);
	mkdirSync(join(dir, "files"));
	const file = (name: string) => join(dir, "files", name);
	writeFileSync(file("file"), "a\nb\nc\n".repeat(10_000));
	writeFileSync(file("empty"), "");
	writeFileSync(file("nul"), "a\0b\n\xff".repeat(10_000), "latin1");
	writeFileSync(file("sparse"), "");
	truncateSync(file("sparse"), 2 ** 36);
	symlinkSync("link", file("link"));
	spawnSync("mkfifo", [file("fifo")]);
}, 900_000);
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const calls = Number(process.env["SLUICE_GARBAGE_CALLS"] ?? 3000);
describe("garbage", () => {
	it.each([1, 2])(`${calls} calls of every export, seed %d`, { timeout: 600_000 }, (seed) => {
		const script = fileURLToPath(new URL("garbage-calls.mjs", import.meta.url));
		const { stdout, stderr, status, signal } = spawnSync(process.execPath, [script, engine, String(calls), String(seed), join(dir, "files")], { encoding: "utf8" });
		expect({ stdout, status, signal, stderr: stderr.slice(0, 2000) }).toEqual({ stdout: `${calls}\n`, status: 0, signal: null, stderr: "" });
	});
});

describe("a panic in the engine", () => {
	const JOBS = {
		project: 'project(Buffer.from("a\\n".repeat(3000000)), "tail -1")',
		parseView: "Promise.resolve().then(() => sluice.parseView(\"tail -1\"))",
		projectFile: 'projectFile(file, "tail -1")',
		readLines: "readLines(file)",
		truncateFile: "truncateFile(file, { keep: \"tail\" })",
		grep: 'grep({ pattern: "a", path: file })',
		find: 'find({ pattern: "*", path: "/" })',
		runGuarded: 'runGuarded("seq 3 | tail -1")',
	};
	it("in every job and in direct calls is an error with the code PANIC, and the process goes on", { timeout: 120_000 }, () => {
		const calls = Object.entries(JOBS).map(([name, call]) => `["${name}", () => ${call.replace(/^(?!Promise)/, "sluice.")}]`);
		const script = `
			import * as sluice from ${JSON.stringify(new URL("../../ts/index.ts", import.meta.url).href)};
			import { createRequire } from "node:module";
			const file = ${JSON.stringify(join(dir, "files", "file"))};
			const engine = createRequire(import.meta.url)(${JSON.stringify(engine)});
			sluice.native.available;
			const bytes = Buffer.from("a\\n");
			const token = new engine.Cancellation();
			const pipeline = engine.Pipeline.parse("tail -1");
			const projector = engine.Projector.create(pipeline, {});
			const request = { pattern: "a", path: ".", ignoreCase: false, literal: false, context: 0, limit: 1, maxLineLength: 9, hidden: false, ignoreFiles: false };
			process.env.SLUICE_INJECT_PANIC = "1";
			const results = {};
			const jobs = [${calls.join(", ")},
				["countUtf8", async () => engine.countUtf8(bytes)], ["countLatin1", async () => engine.countLatin1(bytes)], ["countUtf16", async () => engine.countUtf16(new Uint16Array(1))],
				["purgeLogs", () => engine.purgeLogs("/nonexistent", 1)], ["listDirectory", () => engine.listDirectory("/", token)], ["readFileEnd", () => engine.readFileEnd(file, true, 9, token)],
				["TextCounter", async () => new engine.TextCounter().push(bytes)], ["grepContents", () => engine.grepContents(request, ["a"], [bytes], token)],
				["projectNow", async () => engine.projectNow(pipeline, {}, bytes)], ["Projector.create", async () => engine.Projector.create(pipeline, {})],
				["push", async () => projector.push(bytes)], ["pushLater", () => projector.pushLater(bytes)], ["satisfied", async () => projector.satisfied], ["finish", async () => projector.finish()]];
			for (const [name, job] of jobs) results[name] = await job().then(() => "resolved", (error) => error.code + " " + (error instanceof Error));
			delete process.env.SLUICE_INJECT_PANIC;
			results.alive = new TextDecoder().decode((await sluice.runGuarded("seq 3 | tail -1")).stdout);
			console.log(JSON.stringify(results));`;
		const { stdout, status, signal } = spawnSync(process.execPath, ["--input-type=module", "-e", script], { encoding: "utf8", env: { ...process.env, SLUICE_NATIVE_PATH: engine } });
		const direct = ["countUtf8", "countLatin1", "countUtf16", "purgeLogs", "listDirectory", "readFileEnd", "TextCounter", "grepContents", "projectNow", "Projector.create", "push", "pushLater", "satisfied", "finish"];
		const names = [...Object.keys(JOBS), ...direct];
		expect({ status, signal }).toEqual({ status: 0, signal: null });
		expect(JSON.parse(stdout)).toEqual({ ...Object.fromEntries(names.map((name) => [name, "PANIC true"])), alive: "3\n" });
	});
});
