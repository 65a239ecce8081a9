import { execFileSync } from "node:child_process";
import { appendFileSync, closeSync, mkdtempSync, openSync, rmSync, statSync, truncateSync, utimesSync, writeFileSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { readLines } from "../../ts/files/index.ts";

const dir = mkdtempSync(join(tmpdir(), "lines-"));
afterAll(() => rmSync(dir, { recursive: true }), 60_000);

const bytes = fc
	.array(fc.oneof(fc.constantFrom("\n", "a", "é", "漢", "😀", "\r\n").map((t) => Buffer.from(t)), fc.uint8Array({ maxLength: 4 }).map((b) => Buffer.from(b))), { maxLength: 60 })
	.map((parts) => Buffer.concat(parts));

describe("readLines", () => {
	test("selects what splitting the decoded text selects", async () => {
		const path = join(dir, "random");
		await fc.assert(
			fc.asyncProperty(bytes, fc.nat(20), fc.option(fc.nat(20), { nil: undefined }), async (content, skip, limit) => {
				writeFileSync(path, content);
				const lines = content.toString("utf-8").split("\n");
				const options = { offset: skip + 1, ...(limit === undefined ? {} : { limit }) };
				if (skip >= lines.length) {
					await expect(readLines(path, options)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
					return;
				}
				const end = limit === undefined ? lines.length : Math.min(skip + limit, lines.length);
				const result = await readLines(path, options);
				expect(result).toEqual({
					text: lines.slice(skip, end).join("\n"),
					startLine: skip + 1,
					endLine: end,
					totalLines: lines.length,
					...(end < lines.length ? { nextOffset: end + 1 } : {}),
				});
			}),
			{ numRuns: 500 },
		);
	});

	test("pages through a large file by nextOffset, also when it is answered from the index", async () => {
		const path = join(dir, "large");
		const lines = Array.from({ length: 200_000 }, (_, i) => `line ${i} ${"é".repeat(i % 40)}`);
		const text = `${lines.join("\n")}\n`;
		writeFileSync(path, text);
		const old = new Date(Date.now() - 60_000);
		utimesSync(path, old, old);
		for (let round = 0; round < 2; round++) {
			for (const offset of [1, 2, 77_777, 199_999, 200_001]) {
				const page = await readLines(path, { offset, limit: 3 });
				expect(page.text).toBe([...lines, ""].slice(offset - 1, offset + 2).join("\n"));
				expect(page.totalLines).toBe(200_001);
			}
		}
		let read = "";
		let offset: number | undefined = 1;
		while (offset !== undefined) {
			const page: Awaited<ReturnType<typeof readLines>> = await readLines(path, { offset, maxLines: 40_000, maxBytes: 1e9 });
			expect(page.startLine).toBe(offset);
			read += page.text;
			if (page.nextOffset !== undefined) read += "\n";
			offset = page.nextOffset;
		}
		expect(read).toBe(text);
	});

	test("sees every change of an indexed file", async () => {
		const path = join(dir, "changing");
		const total = async () => (await readLines(path, { limit: 1 })).totalLines;
		writeFileSync(path, "x\n".repeat(3_000_000));
		const old = new Date(Date.now() - 60_000);
		utimesSync(path, old, old);
		expect(await total()).toBe(3_000_001);
		appendFileSync(path, "x\n");
		expect(await total()).toBe(3_000_002);
		// The same size and, put back, the same modification time: the change time still differs.
		const fd = openSync(path, "r+");
		writeSync(fd, "\n\n\n\n", 0);
		closeSync(fd);
		utimesSync(path, old, old);
		expect(statSync(path).mtimeMs).toBe(old.getTime());
		expect(await total()).toBe(3_000_004);
		truncateSync(path, 10);
		expect(await total()).toBe((await readLines(path)).text.split("\n").length);
	});

	test("truncates as truncateHead does", async () => {
		const path = join(dir, "long");
		writeFileSync(path, `${"y".repeat(60_000)}\n${"z\n".repeat(3000)}`);
		const first = await readLines(path);
		expect(first).toMatchObject({ text: "", startLine: 1, endLine: 0, totalLines: 3002, nextOffset: 2 });
		expect(first.truncation).toMatchObject({ firstLineExceedsLimit: true, totalLines: 3001, totalBytes: 66_001 });
		const rest = await readLines(path, { offset: 2 });
		expect(rest).toMatchObject({ startLine: 2, endLine: 2001, nextOffset: 2002 });
		expect(rest.truncation).toMatchObject({ truncatedBy: "lines", outputLines: 2000, totalLines: 3000 });
		expect((await readLines(path, { offset: 2, maxBytes: 5 })).text).toBe("z\nz\nz");
	});

	test("refuses what is not a file, never hanging", async () => {
		const fifo = join(dir, "fifo");
		execFileSync("mkfifo", [fifo]);
		await expect(readLines(fifo)).rejects.toMatchObject({ name: "SluiceError", code: "IO" });
		await expect(readLines(dir)).rejects.toMatchObject({ code: "IO" });
		await expect(readLines(join(dir, "absent"))).rejects.toMatchObject({ code: "IO" });
		await expect(readLines("/dev/zero")).rejects.toMatchObject({ code: "IO" });
		await expect(readLines(join(dir, "large"), { offset: 1.5 })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
	});

	test.runIf(process.platform === "linux")("reads files that do not know their size", async () => {
		expect((await readLines("/proc/self/status")).text).toMatch(/^Name:/);
		expect(await readLines("/dev/null")).toEqual({ text: "", startLine: 1, endLine: 1, totalLines: 1 });
	});

	test("ends within 50 ms of an abort", async () => {
		const path = join(dir, "huge");
		writeFileSync(path, "");
		truncateSync(path, 20e9); // sparse: takes seconds to scan, no disk
		const controller = new AbortController();
		const reading = readLines(path, { limit: 1, signal: controller.signal });
		setTimeout(() => controller.abort(), 100);
		const start = performance.now();
		await expect(reading).rejects.toMatchObject({ name: "AbortError" });
		expect(performance.now() - start).toBeLessThan(100 + 50 + 100);
	});
});
