import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { visibleWidth } from "@earendil-works/pi-tui";
import { describe, expect, it } from "vitest";
import type { PiToolGuardDetails } from "../../ts/guard/record.ts";
import { drawSummary } from "../../ts/pi/command/draw.ts";
import { summarizeRecords } from "../../ts/pi/command/summary.ts";
import { PLAIN } from "../../ts/pi/format/palette.ts";

const record = (originalCommand: string, totalMs: number, inputLines: number, more: Partial<PiToolGuardDetails> = {}): PiToolGuardDetails => ({
	version: 1,
	originalCommand,
	cleanedCommand: "",
	removed: ["tail"],
	removedPipeline: "tail -5",
	outcome: "projection-applied",
	timing: { commandMs: totalMs, extractorMs: 0, totalMs },
	projection: { inputLines, inputBytes: inputLines * 40, outputLines: 5, outputBytes: 200 },
	...more,
});
const records = [
	record("npm test 2>&1 | tail -5", 192_000, 12_345, { slow: true, commandExitCode: 1 }),
	record("cargo build 2>&1 | grep -E '^(warning|error)' | tail -5", 64_000, 2_000, { slow: true }),
	record("git log --oneline | tail -5", 20, 5, { noop: true }),
];
const logs = [{ path: "/tmp/pi-bash-guard-0123456789abcdef.log", size: 493_800, command: "npm test 2>&1 | tail -5" }];
const summary = { ...summarizeRecords(records, { on: true, repaired: 1 }), logs };

describe("the summary", () => {
	it("is aligned, with bars in proportion", () => {
		expect(drawSummary(summary, 100, PLAIN).join("\n")).toMatchInlineSnapshot(`
			"🛡 Sluice · 3 guarded · 2 slow · 1 unchanged by the view · 1 failed behind the view
			   1 call repaired
			   Kept out of the context
			   lines  14,350 → 15      ████████████████████   99%
			   bytes  561 KiB → 600 B  ████████████████████   99%
			   Longest runs
			      3m 12s  ████████████████████  npm test 2>&1 | tail -5
			       1m 4s  ███████░░░░░░░░░░░░░  cargo build 2>&1 | grep -E '^(warning|error)' | tail -5
			        20ms  ░░░░░░░░░░░░░░░░░░░░  git log --oneline | tail -5
			   Kept logs
			     482 KiB  npm test 2>&1 | tail -5
			              /tmp/pi-bash-guard-0123456789abcdef.log"
		`);
	});

	it("loses no number, and no part of a path, at 40 columns", () => {
		expect(drawSummary(summary, 39, PLAIN).join("\n")).toMatchInlineSnapshot(`
			"🛡 Sluice · 3 guarded · 2 slow
			   1 unchanged by the view
			   1 failed behind the view
			   1 call repaired
			   Kept out of the context
			   lines  14,350 → 15      ██████   99%
			   bytes  561 KiB → 600 B  ██████   99%
			   Longest runs
			      3m 12s  ███████  npm test 2>&1 |[0m…[0m
			       1m 4s  ██░░░░░  cargo build 2>&[0m…[0m
			        20ms  ░░░░░░░  git log --oneli[0m…[0m
			   Kept logs
			     482 KiB  npm test 2>&1 | tail -5
			   /tmp/pi-bash-guard-0123456789abcdef.
			   log"
		`);
	});

	it.each([1, 8, 20, 39, 40, 60, 80, 120, 200])("fits %d cells", (width) => {
		for (const line of drawSummary(summary, width, PLAIN)) expect(visibleWidth(line)).toBeLessThanOrEqual(width);
	});

	it("lists logs that exist, the newest first, and no file that a command only showed", () => {
		const dir = mkdtempSync(join(tmpdir(), "sluice-summary-"));
		try {
			const kept = ["0", "1", "2"].map((digit) => join(dir, `pi-bash-guard-${digit.repeat(16)}.log`));
			const shown = join(dir, "build.log");
			for (const path of [...kept.slice(0, 2), shown]) writeFileSync(path, "x");
			const records = [...kept, shown].map((sourcePath) => record("x", 1, 9, { sourcePath }));
			expect(summarizeRecords(records, { on: true, repaired: 0 }).logs.map(({ path }) => path)).toEqual([kept[1], kept[0]]);
		} finally {
			rmSync(dir, { recursive: true });
		}
	});

	it("of nothing is one line", () => {
		expect(drawSummary(summarizeRecords([], { on: false, repaired: 0 }), 80, PLAIN)).toEqual(["🛡 Sluice (off) · no command was guarded yet"]);
	});
});
