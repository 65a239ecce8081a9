import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { createProjector, parseView, project, SluiceError } from "../../ts/index.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const env = { LC_ALL: "C.UTF-8" };
const log = Buffer.from("ok 1\nFAIL 2 é\nok 3\nFAIL 4\nok 5");

async function* chunks(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
	for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

describe("parseView", () => {
	test("keeps the text and can be used again", async () => {
		const view = parseView("grep 'FAIL' | tail -1");
		expect(String(view)).toBe("grep 'FAIL' | tail -1");
		for (let i = 0; i < 2; i++) expect(text((await project(log, view, { env })).output)).toBe("FAIL 4\n");
	});

	test.each([
		["tail -f", "-f"],
		["head -n x", "x"],
		["awk '{print}'", "awk"],
		["tail -5 | head $N", "$"],
		["grep x | tail --bogus", "--bogus"],
		["tail -5 file.log", "file.log"],
		["tail -5 > out", ">"],
		["", ""],
	])("refuses %j and names %j", (view, word) => {
		const error = caught(() => parseView(view));
		expect(error).toBeInstanceOf(SluiceError);
		expect(error).toMatchObject({ code: "UNSUPPORTED_VIEW" });
		expect((error as SluiceError).message).toContain(`\`${word}\``);
	});
});

describe("project", () => {
	test("bytes in memory", async () => {
		const result = await project(log, "grep FAIL | tail -1", { env });
		expect({ ...result, output: text(result.output) }).toEqual({
			output: "FAIL 4\n",
			stderr: "",
			exitCode: 0,
			input: { lines: 5, bytes: log.length },
		});
		expect((await project(log, "grep nothing", { env })).exitCode).toBe(1);
		expect((await project(new Uint8Array(), "tail -3")).input).toEqual({ lines: 0, bytes: 0 });
	});

	test("large input, in slices off the main thread", async () => {
		const large = Buffer.from(Array.from({ length: 400_000 }, (_, i) => `line ${i}\n`).join(""));
		const pieces: Uint8Array[] = [];
		const result = await project(large, "grep 7 | tail -n 20000", { env, onOutput: (piece) => pieces.push(piece) });
		const want = execFileSync("bash", ["-c", "grep 7 | tail -n 20000"], { input: large, maxBuffer: 1 << 26 });
		expect(Buffer.compare(result.output, want)).toBe(0);
		expect(Buffer.compare(Buffer.concat(pieces), want)).toBe(0);
		expect(result.input).toEqual({ lines: 400_000, bytes: large.length });
	});

	test.each([1, 7, 4096, 100_003])("a stream in chunks of %i bytes", async (size) => {
		const result = await project(chunks(log, size), "head -n -1 | grep -n FAIL", { env });
		expect(text(result.output)).toBe("2:FAIL 2 é\n4:FAIL 4\n");
		expect(result.input).toEqual({ lines: 5, bytes: log.length });
	});

	test("a stream is closed once the views are satisfied", async () => {
		let yielded = 0;
		let closed = false;
		async function* endless() {
			try {
				for (;;) yield Buffer.from(`line ${++yielded}\n`);
			} finally {
				closed = true;
			}
		}
		expect(text((await project(endless(), "head -3 | tail -1")).output)).toBe("line 3\n");
		expect([yielded, closed]).toEqual([3, true]);
	});

	test("errors of the source, the options and the callback arrive as they are", async () => {
		async function* broken() {
			yield Buffer.from("a\n");
			throw new RangeError("source");
		}
		await expect(project(broken(), "tail -1")).rejects.toThrow(new RangeError("source"));
		await expect(project(chunks(log, 3), "tail -r")).rejects.toMatchObject({ code: "UNSUPPORTED_VIEW" });
		const onOutput = () => {
			throw new RangeError("callback");
		};
		await expect(project(log, "tail -1", { onOutput })).rejects.toThrow(new RangeError("callback"));
		async function* strings() {
			yield "text" as unknown as Uint8Array;
		}
		await expect(project(strings(), "tail -1")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
	});

	test("data that only the real tool can answer for", async () => {
		const input = Buffer.from("FAIL 1\n".repeat(50_000) + "\0\n");
		await expect(project(input, "grep FAIL", { env })).rejects.toMatchObject({
			name: "SluiceError",
			code: "NEEDS_REAL_TOOL",
		});
	});

	test("abort before and during", async () => {
		const abort = new AbortController();
		let closed = false;
		async function* hanging() {
			try {
				yield Buffer.from("a\n");
				await new Promise(() => {});
			} finally {
				closed = true;
			}
		}
		const running = project(hanging(), "tail -1", { signal: abort.signal });
		await new Promise((resolve) => setTimeout(resolve, 20));
		const start = performance.now();
		abort.abort(new Error("enough"));
		await expect(running).rejects.toMatchObject({ name: "AbortError", cause: new Error("enough") });
		expect(performance.now() - start).toBeLessThan(50);
		expect(closed).toBe(false); // A generator that hangs cannot be closed; it is not waited for either.
		await expect(project(log, "tail -1", { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
	});
});

describe("createProjector", () => {
	test("push returns what is certain, finish the rest", () => {
		const seen: string[] = [];
		const projector = createProjector("head -n -1", { onOutput: (piece) => seen.push(text(piece)) });
		expect(text(projector.push(Buffer.from("a\nb\nc")))).toBe("a\nb\n");
		expect(projector.satisfied).toBe(false);
		const end = projector.finish();
		expect({ ...end, output: text(end.output) }).toEqual({
			output: "",
			stderr: "",
			exitCode: 0,
			input: { lines: 3, bytes: 5 },
		});
		expect(seen).toEqual(["a\nb\n"]);
	});

	test("satisfied as soon as the real views would have exited", () => {
		const projector = createProjector("head -2 | tail -1");
		expect(text(projector.push(Buffer.from("a\nb")))).toBe("");
		expect(projector.satisfied).toBe(false);
		expect(text(projector.push(Buffer.from("\nc\n")))).toBe("b\n");
		expect(projector.satisfied).toBe(true);
		expect(createProjector("tail -n 0").satisfied).toBe(true);
	});

	test("an aborted signal", () => {
		const projector = createProjector("tail -1", { signal: AbortSignal.abort() });
		expect(caught(() => projector.push(log))).toMatchObject({ name: "AbortError" });
	});
});

function caught(work: () => unknown): unknown {
	try {
		work();
	} catch (error) {
		return error;
	}
	return undefined;
}
