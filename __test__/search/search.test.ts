import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { find, grep } from "../../ts/search/index.ts";
import { buildTree, shapes } from "./trees.ts";

const base = mkdtempSync(join(tmpdir(), "search-own-"));
afterAll(() => rmSync(base, { recursive: true }), 60_000);
for (const shape of shapes) buildTree(base, shape);

describe("grep", () => {
	test("the limit takes the first matches in path order, whatever the number", async () => {
		const cwd = join(base, "wide");
		const whole = await grep({ pattern: "needle", cwd, limit: 1e9, context: 1 });
		expect(whole.matchLimitReached).toBe(false);
		const matches = whole.matches.filter((line) => line.isMatch);
		for (let limit = 1; limit <= whole.matchCount + 1; limit += 7) {
			const part = await grep({ pattern: "needle", cwd, limit });
			expect(part.matches).toEqual(matches.slice(0, limit));
			expect(part.matchLimitReached).toBe(limit < whole.matchCount);
			expect(part.matchCount).toBe(Math.min(limit, whole.matchCount));
		}
	});

	test("text and lines are the same thing", async () => {
		for (const { name } of shapes) {
			const { text, matches, truncation } = await grep({ pattern: "needle|^", cwd: join(base, name), limit: 1e9, context: 2 });
			const all = matches.map(({ path, lineNumber, text, isMatch }) => (isMatch ? `${path}:${lineNumber}: ${text}` : `${path}-${lineNumber}- ${text}`)).join("\n");
			if (truncation) {
				expect(all.startsWith(text)).toBe(true);
				expect(truncation).toMatchObject({ totalLines: matches.length, totalBytes: Buffer.byteLength(all), truncatedBy: "bytes" });
			} else expect(text).toBe(all);
		}
	});

	test("lines are cut where asked", async () => {
		const options = { pattern: "needle", path: "long-lines/exact.txt", cwd: base };
		expect((await grep({ ...options, maxLineLength: 3 })).matches[0]?.text).toBe("nee... [truncated]");
		expect(await grep({ ...options, limit: 1 })).toMatchObject({ linesTruncated: false, matchLimitReached: true });
		expect(await grep(options)).toMatchObject({ linesTruncated: true, matchLimitReached: false });
	});

	test("hidden and ignored files only if asked", async () => {
		const paths = async (options: object) => new Set((await grep({ pattern: "needle", cwd: join(base, "hidden"), ...options })).matches.map((line) => line.path));
		expect(await paths({})).toContain(".env");
		expect(await paths({})).not.toContain(".config/app.json");
		expect(await paths({ gitignore: false })).toContain(".config/app.json");
		expect([...(await paths({ hidden: false }))]).toEqual([]);
	});

	test("binary files are counted", async () => {
		expect((await grep({ pattern: "nosuch", cwd: join(base, "binary") })).skipped).toEqual({ binary: 3, unreadable: 0 });
	});

	test.runIf(process.getuid?.() === 0)("unreadable folders and files are counted and the rest is found", async () => {
		const cwd = join(base, "closed");
		mkdirSync(join(cwd, "folder/inner"), { recursive: true });
		for (const path of ["folder/f", "file", "open"]) writeFileSync(join(cwd, path), "needle\n");
		chmodSync(join(cwd, "folder"), 0);
		chmodSync(join(cwd, "file"), 0);
		chmodSync(base, 0o755);
		process.seteuid?.(65534);
		try {
			const result = await grep({ pattern: "needle", cwd });
			expect(result.text).toBe("open:1: needle");
			expect(result.skipped).toEqual({ binary: 0, unreadable: 2 });
			expect((await find({ pattern: "*", cwd })).paths).toEqual(["file", "folder/", "open"]);
		} finally {
			process.seteuid?.(0);
			chmodSync(join(cwd, "folder"), 0o755);
		}
	});

	test.each([
		["(?=x)", /look-around/],
		["(a)\\1", /backreferences/],
		["a(", /unclosed group/],
		["a\\nb", /not allowed/],
	])("a pattern that is refused: %s", async (pattern, message) => {
		await expect(grep({ pattern, cwd: base })).rejects.toMatchObject({ name: "SluiceError", code: "INVALID_PATTERN", message: expect.stringMatching(message) });
	});

	test("anchors of a whole text are those of lines", async () => {
		for (const pattern of ["needle\\z", "\\Ahay", "e\\z"]) {
			const found = await grep({ pattern, cwd: join(base, "context"), path: "other.txt" });
			expect((await grep({ pattern, cwd: join(base, "context"), glob: "other.txt" })).text).toBe(found.text);
			expect(found.matchCount).toBeGreaterThan(0);
		}
	});

	test("bad globs and paths are errors", async () => {
		await expect(grep({ pattern: "a", glob: "[x", cwd: base })).rejects.toMatchObject({ code: "INVALID_PATTERN" });
		await expect(find({ pattern: "a{b", cwd: base })).rejects.toMatchObject({ code: "INVALID_PATTERN" });
		await expect(grep({ pattern: "a", path: "absent", cwd: base })).rejects.toMatchObject({ code: "IO" });
		await expect(find({ pattern: "a", path: "absent", cwd: base })).rejects.toMatchObject({ code: "IO" });
		await expect(find({ pattern: "a", path: "empty/empty.txt", cwd: base })).rejects.toMatchObject({ code: "IO" });
	});
});

describe("find", () => {
	test("the limit takes the first paths in order", async () => {
		const cwd = join(base, "wide");
		const whole = await find({ pattern: "*", cwd, limit: 1e9 });
		for (const limit of [1, 2, 10, 299, 1000, whole.paths.length, whole.paths.length + 1]) {
			expect(await find({ pattern: "*", cwd, limit })).toEqual({ paths: whole.paths.slice(0, limit), limitReached: limit < whole.paths.length });
		}
	});

	test("outside a repository .gitignore holds, as with fd's --no-require-git", async () => {
		expect((await find({ pattern: "*.txt", cwd: join(base, "no-repository") })).paths).toEqual([]);
		expect((await find({ pattern: "*.txt", cwd: join(base, "no-repository"), gitignore: false })).paths).toEqual(["d/e/z.txt", "d/z.txt", "ignored-in-git.txt"]);
	});

	test("an absolute pattern matches whole paths", async () => {
		expect((await find({ pattern: `${base}/wide/d1*/x.txt`, cwd: join(base, "wide"), limit: 3 })).paths).toEqual(["d1/x.txt", "d10/x.txt", "d100/x.txt"]);
	});
});

test("a search ends within 50 ms of an abort", async () => {
	const cwd = join(base, "many");
	mkdirSync(cwd);
	for (let i = 0; i < 600; i++) writeFileSync(join(cwd, `f${i}`), `${"filler ".repeat(40)}\n`.repeat(3000));
	const controller = new AbortController();
	const searching = grep({ pattern: "(\\w+\\s){3,}nosuch(\\w+\\s)+", cwd, signal: controller.signal });
	// Soon enough that the fastest machine is still searching.
	await new Promise((resolve) => setTimeout(resolve, 3));
	const start = performance.now();
	controller.abort();
	await expect(searching).rejects.toMatchObject({ name: "AbortError" });
	expect(performance.now() - start).toBeLessThan(50);
	await expect(find({ pattern: "*", cwd, signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
});
