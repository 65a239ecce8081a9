// pi's own functions are the oracle.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pi from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { formatSize, truncateFile, truncateHead, truncateLine, truncateTail } from "../../ts/truncate/index.ts";

const unit = fc.oneof(
	{ weight: 4, arbitrary: fc.constantFrom("\n", "\r\n", "a", "bc", " ", "\t", "") },
	{ weight: 2, arbitrary: fc.constantFrom("é", "漢", "😀", "\u2028", "\uFEFF") },
	{ weight: 1, arbitrary: fc.constantFrom("\ud83d", "\ude00", "\ud800\ud800", "\udfff\udc00") },
	{ weight: 1, arbitrary: fc.string({ unit: "binary", maxLength: 8 }) },
);
const text = fc.array(unit, { maxLength: 60 }).map((parts) => parts.join(""));
const limit = fc.oneof(fc.constantFrom(0, 1, 2, 3, 1e9, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, 2.5), fc.nat(80));
const limits = fc.record({ maxLines: limit, maxBytes: limit }, { requiredKeys: [] });

// With negative limits pi throws on an empty text, so they are left out.
const both = [
	["head", pi.truncateHead, truncateHead],
	["tail", pi.truncateTail, truncateTail],
] as const;

describe.each(both)("truncate %s", (keep, theirs, ours) => {
	test("random strings", () => {
		fc.assert(fc.property(text, limits, (content, options) => {
			expect(ours(content, options)).toEqual(theirs(content, options));
		}), { numRuns: 4000 });
	});

	test("limits at the exact size, one less and one more", () => {
		fc.assert(
			fc.property(text, fc.integer({ min: -1, max: 1 }), fc.integer({ min: -1, max: 1 }), (content, lines, bytes) => {
				const { totalLines, totalBytes } = theirs(content);
				const options = { maxLines: Math.max(0, totalLines + lines), maxBytes: Math.max(0, totalBytes + bytes) };
				expect(ours(content, options)).toEqual(theirs(content, options));
			}),
			{ numRuns: 2000 },
		);
	});

	test("random bytes are their decoded text", () => {
		const bytes = fc.oneof(fc.uint8Array({ maxLength: 80 }), text.map((t) => new Uint8Array(Buffer.from(t))), fc.array(fc.constantFrom(10, 97, 0x80, 0xe2, 0x82, 0xac, 0xf0, 0x9f), { maxLength: 60 }).map((a) => Uint8Array.from(a)));
		fc.assert(
			fc.property(bytes, limits, (content, options) => {
				expect(ours(content, options)).toEqual(theirs(Buffer.from(content).toString("utf-8"), options));
			}),
			{ numRuns: 4000 },
		);
	});

	// Long enough for the native path; the odd lengths move every kind of character over its step boundaries.
	test.each(["plain ascii line\n", "caf\u00e9 latin1\n", "漢字 two-byte\n", "x😀\ud83d\n", "no newline 😀 "])("large text of %j", (pattern) => {
		for (const size of [16 * 1024 - 1, 16 * 1024, 128 * 1024 + 1, 300_001]) {
			const content = `x${pattern.repeat(Math.ceil(size / pattern.length))}`.slice(0, size);
			for (const options of [{}, { maxLines: 3 }, { maxBytes: 100 }, { maxLines: 1e9, maxBytes: 1e9 }, { maxLines: 1e9 }]) {
				expect(ours(content, options)).toEqual(theirs(content, options));
				expect(ours(Buffer.from(content), options)).toEqual(theirs(Buffer.from(content).toString(), options));
			}
		}
	});

	test("files", async () => {
		const path = join(dir, keep);
		const bytes = fc.oneof(fc.uint8Array({ maxLength: 200 }), text.map((t) => Buffer.from(t)));
		await fc.assert(
			fc.asyncProperty(bytes, limits, async (content, options) => {
				writeFileSync(path, content);
				expect(await truncateFile(path, { ...options, keep })).toEqual(theirs(Buffer.from(content).toString("utf-8"), options));
			}),
			{ numRuns: 300 },
		);
	});
});

const dir = mkdtempSync(join(tmpdir(), "truncate-"));
afterAll(() => rmSync(dir, { recursive: true }), 60_000);

test("truncateLine", () => {
	fc.assert(fc.property(text, fc.option(fc.integer({ min: -2, max: 70 }), { nil: undefined }), (line, max) => {
		expect(truncateLine(line, max)).toEqual(pi.truncateLine(line, max));
	}), { numRuns: 3000 });
});

test("formatSize", () => {
	fc.assert(fc.property(fc.nat(2 ** 31 - 1), (n) => {
		expect(formatSize(n)).toBe(pi.formatSize(n));
	}));
});

test("truncateFile reports a missing file, a folder and an abort", async () => {
	await expect(truncateFile(join(dir, "absent"), { keep: "head" })).rejects.toMatchObject({ name: "SluiceError", code: "IO" });
	await expect(truncateFile(dir, { keep: "tail" })).rejects.toMatchObject({ code: "IO" });
	await expect(truncateFile(dir, { keep: "tail", signal: AbortSignal.abort() })).rejects.toMatchObject({ name: "AbortError" });
});
