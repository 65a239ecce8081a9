// The native execute against pi's own, result by result: content, details and structured content.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFindToolDefinition, createGrepToolDefinition, createLsToolDefinition, createReadToolDefinition } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { nativeFind, nativeGrep, nativeLs, nativeRead } from "../../ts/tools/pi-overrides.ts";
import { buildTree, shapes } from "../search/trees.ts";

const base = mkdtempSync(join(tmpdir(), "overrides-"));
afterAll(() => rmSync(base, { recursive: true }), 60_000);
for (const shape of shapes) buildTree(base, shape);
const put = (path: string, content: string | Uint8Array) => {
	writeFileSync(join(base, path), content);
	return path;
};
const has = (command: string) => spawnSync(command, ["--version"]).status === 0;

// oxlint-disable-next-line typescript/no-explicit-any
type Definition = { execute: (...args: any[]) => Promise<any> };

/** What a call returns or throws. */
async function outcome(definition: Definition, params: object, ctx: object | undefined = { cwd: base }): Promise<unknown> {
	try {
		return await definition.execute("id", params, undefined, undefined, ctx);
	} catch (error) {
		return { thrown: (error as Error).message };
	}
}

describe("read", () => {
	const pi = createReadToolDefinition("/");
	const ours = nativeRead(pi, "/");
	const same = async (params: object) => expect(await outcome(ours, params)).toEqual(await outcome(pi, params));

	test("random content and ranges", async () => {
		const path = "random.txt";
		const part = fc.oneof(fc.constantFrom("\n", "\n\n", "a", "é", "😀", "\r\n", "x".repeat(3000), "y\n".repeat(700), "z".repeat(52_000), "漢".repeat(20_000)).map((t) => Buffer.from(t)), fc.uint8Array({ maxLength: 5 }).map((b) => Buffer.from(b)));
		const range = fc.record({ offset: fc.oneof(fc.integer({ min: -2, max: 12 }), fc.integer({ min: 1, max: 3000 }), fc.constant(1.5)), limit: fc.oneof(fc.integer({ min: -1, max: 6 }), fc.nat(3000)) }, { requiredKeys: [] });
		await fc.assert(
			fc.asyncProperty(fc.array(part, { maxLength: 12 }), range, async (parts, params) => {
				put(path, Buffer.concat(parts));
				await same({ path, ...params });
			}),
			{ numRuns: 400 },
		);
	});

	test("limits at the exact size, one less and one more", async () => {
		for (const lines of [1999, 2000, 2001]) for (const end of ["", "\n", "\n\n"]) await same({ path: put("lines", Array(lines).fill("x").join("\n") + end) });
		for (const bytes of [51_199, 51_200, 51_201]) for (const end of ["", "\n"]) await same({ path: put("bytes", `${"x".repeat(bytes - 10)}\n${"y".repeat(9)}${end}`) });
		for (const bytes of [51_200, 51_201]) await same({ path: put("line", `${"é".repeat(bytes / 2)}${bytes % 2 ? "x" : ""}`) });
	});

	test("a large file, twice", async () => {
		const path = put("large.log", `${"some line of a log\n".repeat(400_000)}last line`);
		for (const params of [{}, { offset: 200_000 }, { offset: 399_000, limit: 10 }, { offset: 400_001 }, { offset: 400_002 }, {}, { offset: 398_500 }]) await same({ path, ...params });
	});

	test("what is not a text file is pi's", async () => {
		put("tiny.png", Buffer.from("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==", "base64"));
		put("BM.txt", "BM is how a bitmap begins\n");
		put("nothing", "");
		for (const path of ["tiny.png", "BM.txt", "nothing", ".", "absent", "nothing/absent", "@nothing", "file:///nonexistent", "/proc/self/comm", "/dev/null"]) await same({ path });
	});

	test("looks for the spelling that macOS uses", async () => {
		put("Capture d\u2019\u00e9cran.txt", "curly\n");
		put("Shot 9.41\u202FAM.txt", "narrow\n");
		for (const path of ["Capture d'\u00e9cran.txt", "Shot 9.41 AM.txt", "Shot\u00a09.41 AM.txt"]) await same({ path });
	});

	test("a FIFO is refused", async () => {
		execFileSync("mkfifo", [join(base, "fifo")]);
		await expect(outcome(ours, { path: "fifo" })).resolves.toEqual({ thrown: expect.stringContaining("FIFO") });
	});
});

describe("ls", () => {
	const pi = createLsToolDefinition("/");
	const ours = nativeLs(pi, "/");
	const same = async (params: object) => expect(await outcome(ours, params)).toEqual(await outcome(pi, params));

	test.each(shapes.map((shape) => shape.name))("%s", async (path) => {
		await same({ path });
		for (const limit of [0, 1, 2, 3, 2.7, -4]) await same({ path, limit });
	});

	test("order, links, missing and other paths", async () => {
		mkdirSync(join(base, "mixed"));
		for (const name of ["B", "a", "b", "A", "Ä", "ä", "z", "_x", ".h", "10", "9", "é", "e", "É", "漢", "😀", "a-b", "a_b", "ab", "a b", "Z9"]) put(`mixed/${name}`, "");
		symlinkSync("absent", join(base, "mixed/dangling"));
		symlinkSync("..", join(base, "mixed/up"));
		if (process.platform === "linux") writeFileSync(Buffer.from(`${base}/mixed/caf\xe9`, "latin1"), "");
		for (const path of ["mixed", ".", "absent", "random.txt", "mixed/up", "wide", "@mixed", "~/absent"]) await same({ path });
		await same({});
	});

	test("many entries: pi's result, without blocking the event loop", async () => {
		mkdirSync(join(base, "many"));
		for (let i = 0; i < 20_000; i++) put(`many/f${(i * 7919) % 20_000}-with-a-longer-name`, "");
		await same({ path: "many" });
		await same({ path: "many", limit: 30_000 });
		let longest = 0;
		let last = performance.now();
		const timer = setInterval(() => {
			longest = Math.max(longest, performance.now() - last);
			last = performance.now();
		}, 1);
		await outcome(ours, { path: "many", limit: 30_000 });
		clearInterval(timer);
		expect(longest).toBeLessThan(100);
	});
});

describe.runIf(has("rg"))("grep", () => {
	const pi = createGrepToolDefinition("/");
	const ours = nativeGrep(pi, "/");
	const same = async (params: object) => expect(await outcome(ours, params)).toEqual(await outcome(pi, params));

	test("within a file: limits, context, long lines, the byte limit", async () => {
		put("grep.txt", `${Array.from({ length: 400 }, (_, i) => (i % 3 ? `hay ${i}` : `needle ${i} ${"x".repeat(i)}`)).join("\n")}\n`);
		put("big.txt", `${"needle ".repeat(60)}\n`.repeat(300));
		for (const path of ["grep.txt", "big.txt", "long-lines/wide.txt", "context/all.txt", "encodings/utf16le.txt"]) {
			for (const limit of [undefined, 0, 1, 5, 100, 5000]) for (const context of [undefined, 1, 3, -1, 2.5]) await same({ pattern: "needle", path, limit, context });
		}
	});

	test("the whole answer of a tree, whatever pi's order", async () => {
		const sorted = (result: unknown) => JSON.stringify(result, (key, value) => (key === "text" && typeof value === "string" ? value.split("\n").sort() : value));
		for (const { name: path } of shapes) {
			const params = { pattern: "needle", path, limit: 100_000 };
			expect(sorted(await outcome(ours, params))).toEqual(sorted(await outcome(pi, params)));
		}
	});

	test("nothing found, missing paths, odd paths", async () => {
		for (const params of [{ pattern: "nosuchword", path: "wide" }, { pattern: "x", path: "absent" }, { pattern: "needle", path: "@context/near.txt" }, { pattern: "x", path: "empty/empty.txt" }]) await same(params);
		await expect(outcome(ours, { pattern: "(?<=x)y" })).resolves.toEqual({ thrown: expect.stringContaining("look-around") });
	});
});

describe.runIf(has("fdfind") || has("fd"))("find", () => {
	const pi = createFindToolDefinition("/");
	const ours = nativeFind(pi, "/");
	const sorted = (result: unknown) => JSON.stringify(result, (key, value) => (key === "text" && typeof value === "string" ? value.split("\n").sort() : value));

	test("all paths, none, and the limit", async () => {
		const same = async (params: object) => expect(sorted(await outcome(ours, params))).toEqual(sorted(await outcome(pi, params)));
		for (const path of ["wide", "names", "hidden", "symlinks"]) for (const pattern of ["*.txt", "*", "nosuch", "d1/*"]) await same({ path, pattern, limit: 100_000 });
		for (const pattern of ["*.html", "[x", "a{b"]) await same({ path: "wide", pattern });
		await same({ path: "wide/absent", pattern: "*" });
		await same({ path: "wide/f1.txt", pattern: "*" });
		const limited = (await outcome(ours, { path: "wide", pattern: "*.txt", limit: 7 })) as { content: { text: string }[]; details: object };
		expect(limited.details).toEqual({ resultLimitReached: 7 });
		expect(limited.content[0]?.text.split("\n")).toHaveLength(9);
		expect(limited.content[0]?.text).toMatch(/\n\n\[7 results limit reached\. Use limit=14 for more, or refine pattern\]$/);
	});
});

test("an abort rejects with pi's message within 50 ms", async () => {
	const path = put("endless", "");
	truncateSync(join(base, path), 30e9); // sparse
	const tools: [Definition, object][] = [
		[nativeRead(createReadToolDefinition("/"), "/"), { path }],
		[nativeGrep(createGrepToolDefinition("/"), "/"), { path, pattern: "\\w+x" }],
	];
	for (const [definition, params] of tools) {
		const controller = new AbortController();
		const running = definition.execute("id", params, controller.signal, undefined, { cwd: base });
		await new Promise((resolve) => setTimeout(resolve, 50));
		const start = performance.now();
		controller.abort();
		await expect(running).rejects.toThrow("Operation aborted");
		expect(performance.now() - start).toBeLessThan(50);
		await expect(definition.execute("id", params, AbortSignal.abort(), undefined, { cwd: base })).rejects.toThrow("Operation aborted");
	}
});
