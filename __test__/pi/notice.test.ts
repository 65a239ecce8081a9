import { describe, expect, it } from "vitest";
import type { PiToolGuardDetails } from "../../ts/guard/record.ts";
import { addNotices, takeFailure, withoutNotice } from "../../ts/pi/bash/notice.ts";

const record: PiToolGuardDetails = {
	version: 1,
	originalCommand: "npm test | tail -1",
	cleanedCommand: "npm test",
	removed: ["tail"],
	removedPipeline: "tail -1",
	outcome: "projection-applied",
	slow: true,
};
const log = { path: "/tmp/pi-bash-guard-0123456789abcdef.log", lines: 3_000_000, bytes: 22_888_896 };
const whole = { failed: false, cut: false };
const notice = /^\[Showing the requested view of 3000000 lines \(21\.8MB\)\. .*read.*sed -n.* Full output: \/tmp\/pi-bash-guard-0123456789abcdef\.log\]$/;

describe("addNotices", () => {
	it("changes nothing without facts", () => {
		for (const text of ["a\n", "(no output)", "a\n\n\nCommand exited with code 1", "x\n\n[Showing lines 2-3 of 3. Full output: /tmp/a]"]) {
			expect(addNotices(text, { failed: true, cut: true }, {})).toBe(text);
			expect(addNotices(text, whole, {})).toBe(text);
		}
	});

	it("ends the text with the log, in the form of pi's footer", () => {
		for (const text of ["last\n", "last"]) {
			const [output, footer] = addNotices(text, whole, { log }).split("\n\n");
			expect(output).toBe("last");
			expect(footer).toMatch(notice);
		}
	});

	it("stays before pi's status line", () => {
		const text = addNotices("last\n\n\nCommand exited with code 1", { failed: true, cut: false }, { log });
		const blocks = text.split("\n\n");
		expect(blocks[0]).toBe("last");
		expect(blocks[1]).toMatch(notice);
		expect(blocks[2]).toBe("Command exited with code 1");
	});

	it("takes the place of pi's footer and keeps what it says", () => {
		const cut = "a\nb\n\n[Showing lines 2-3 of 3 (50.0KB limit). Full output: /tmp/pi-bash-1.log]";
		const text = addNotices(cut, { failed: false, cut: true }, { log });
		expect(text).toMatch(/^a\nb\n\n\[Showing lines 2-3 of 3 \(50\.0KB limit\) of the requested view \(all of it: \/tmp\/pi-bash-1\.log\) of 3000000 lines/);
		expect(text.match(/Full output: [^\]]*\]/g)).toEqual([`Full output: ${log.path}]`]);
	});

	it("does not take output that looks like pi's endings for them", () => {
		const text = "x\n\n[Showing off. Full output: none]\n\nCommand line: y";
		expect(addNotices(text, whole, { hidden: { exitCode: 2, views: "tail -1" } })).toBe(`${text}\n\n[The command before "| tail -1" exited with code 2]`);
	});

	it("tells a hidden failure and a lost log, each once, before the footer", () => {
		const facts = { hidden: { exitCode: 7, views: "tail -1" }, logError: "ENOSPC: no space\nleft", log };
		const blocks = addNotices("x", whole, facts).split("\n\n");
		expect(blocks.slice(0, 3)).toEqual(["x", '[The command before "| tail -1" exited with code 7]', "[The full output could not be kept: ENOSPC: no space left]"]);
		expect(blocks[3]).toMatch(notice);
	});
});

describe("withoutNotice", () => {
	it("removes exactly the block that names the log", () => {
		for (const ending of ["", "\n\nCommand exited with code 1"]) {
			const shape = { failed: ending !== "", cut: false };
			const text = addNotices(`x\n\n[a]${ending}`, shape, { log });
			const result = { content: [{ type: "text", text }], details: { fullOutputPath: log.path } };
			expect(withoutNotice(result, record).content).toEqual([{ type: "text", text: `x\n\n[a]${ending}` }]);
		}
	});
});

describe("takeFailure", () => {
	const hidden = { exitCode: 7, views: "grep '\n' | tail -1" };
	const failed = { ...record, commandExitCode: 7 };
	const resultOf = (text: string) => ({ content: [{ type: "text", text }], details: undefined });

	it("takes the line that was added, and only that", () => {
		for (const output of ["x\n", "(no output)", 'a\n\n[The command before "| b" exited with code 7]\n']) {
			const { result, failure } = takeFailure(resultOf(addNotices(output, whole, { hidden })), failed);
			expect(failure).toBe("[The command before \"| grep ' ' | tail -1\" exited with code 7]");
			expect(result.content[0]!.text).toBe(output.trimEnd());
		}
	});

	it("leaves output alone that only speaks of it", () => {
		for (const text of ["x", '\n\n[The command before "| b" exited with code 8]', '\n\n[The command before "| b" exited with code 7]\ny']) {
			expect(takeFailure(resultOf(text), failed)).toEqual({ result: resultOf(text) });
			expect(takeFailure(resultOf(text), record)).toEqual({ result: resultOf(text) });
		}
	});
});
