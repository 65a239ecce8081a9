// Slow commands, with a threshold of half a second: notice, kept log, record, hidden failure, structured content.
import { lstatSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";
import { bash, runPi, type CallReport } from "../rig/headless.ts";

const SLOW = { sluice: { slowMs: 500 } };
const NOTICE = (lines: number, size: string, path: string) =>
	`[Showing the requested view of ${lines} lines (${size}). To see more, use read with offset and limit, or sed -n 'START,ENDp', ` +
	`on the full output instead of running the command again. Full output: ${path}]`;

describe("a slow command", () => {
	const logs = new Map<string, string>();
	const files = new Map<string, { folder: boolean; regular: boolean; mode: number }>();
	let view: CallReport;
	let noop: CallReport;
	let failedView: CallReport;
	let failedCommand: CallReport;
	let truncated: CallReport;
	let timedOut: CallReport;
	let plainTimeout: CallReport;
	let cutTimeout: CallReport;
	beforeAll(async () => {
		const script = [
			[
				bash("sleep 0.6; seq 1 1234 | grep 7 | tail -2"),
				bash("sleep 0.6; printf 'a\\nb\\n' | tail -20"),
				bash("sleep 0.6; seq 1 1234 | grep nothing"),
				bash("sh -c 'sleep 0.6; seq 1 1234; exit 7' | tail -1"),
				bash("sleep 0.6; seq 1 9000 | grep 1"),
				bash("(seq 1 1234; sleep 30) | grep 12", 1),
				bash("seq 1 3; sleep 30", 1),
				bash("seq 1 9000; sleep 30 | tail -1", 1),
			],
		];
		await runPi(script, { settings: SLOW }, (report, { home }) => {
			[view, noop, failedView, failedCommand, truncated, timedOut, plainTimeout, cutTimeout] = report.calls as [CallReport, CallReport, CallReport, CallReport, CallReport, CallReport, CallReport, CallReport];
			for (const { details } of report.calls) {
				const path = details.fullOutputPath;
				if (path === undefined) continue;
				logs.set(path, readFileSync(path, "utf8"));
				const stats = lstatSync(path);
				const folder = realpathSync(dirname(path)) === realpathSync(home.tmp);
				files.set(path, { folder, regular: stats.isFile(), mode: stats.mode & 0o777 });
			}
		});
	}, 60_000);

	const seq = (last: number) => Array.from({ length: last }, (_, i) => `${i + 1}\n`).join("");

	it("returns one block: the view, then where the rest is and how to read it", () => {
		const path = view.details.fullOutputPath;
		expect(view.received).toEqual({ text: `1217\n1227\n\n${NOTICE(1234, "4.9KB", path)}`, blocks: 1, isError: false });
		expect(logs.get(path)).toBe(seq(1234));
	});

	it("carries the whole record", () => {
		const record = readPiToolGuardDetails(view.details)!;
		expect(record).toMatchObject({
			originalCommand: "sleep 0.6; seq 1 1234 | grep 7 | tail -2",
			cleanedCommand: "sleep 0.6; seq 1 1234",
			removed: ["grep", "tail"],
			removedPipeline: "grep 7 | tail -2",
			outcome: "projection-applied",
			sourcePath: view.details.fullOutputPath,
			projection: { inputLines: 1234, inputBytes: 5063, outputLines: 2, outputBytes: 10 },
			noop: false,
			slow: true,
		});
		const { commandMs, extractorMs, totalMs } = record.timing!;
		expect(totalMs).toBeGreaterThanOrEqual(600);
		expect(totalMs).toBeLessThan(10_000);
		expect(commandMs + extractorMs).toBeCloseTo(totalMs, 3);
	});

	it("gives scripts the exact output, without notices", () => {
		expect(view.structured).toEqual({
			output: "1217\n1227\n",
			truncated: false,
			exit_code: 0,
			wall_time_seconds: expect.any(Number),
			full_output_path: view.details.fullOutputPath,
		});
		expect(view.structured.wall_time_seconds).toBeGreaterThanOrEqual(0.6);
	});

	it("is what readers of pi's logs look for: one block, pi's footer, a private regular file in the temp folder itself", () => {
		for (const { received, details } of [view, failedView, failedCommand, truncated, timedOut]) {
			const path = details.fullOutputPath as string;
			expect(received.blocks).toBe(1);
			expect(Object.getPrototypeOf(details)).toBe(Object.prototype);
			expect(received.text.match(/\[Showing [^\n]*Full output: ([^\]\n]+)\]/)?.[1]).toBe(path);
			expect(basename(path)).toMatch(/^pi-bash-[^/\\]+\.log$/);
			expect(files.get(path)).toEqual({ folder: true, regular: true, mode: 0o600 });
		}
	});

	it("is silent if the view changed nothing", () => {
		expect(noop.received).toEqual({ text: "a\nb\n", blocks: 1, isError: false });
		expect(readPiToolGuardDetails(noop.details)).toMatchObject({ noop: true, slow: true });
	});

	it("fails as its view fails, with the record on the error", () => {
		const path = failedView.details.fullOutputPath;
		expect(failedView.received).toEqual({
			text: `(no output)\n\n${NOTICE(1234, "4.9KB", path)}\n\nCommand exited with code 1`,
			blocks: 1,
			isError: true,
		});
		expect(failedView.structured).toMatchObject({ output: "", exit_code: 1 });
		expect(readPiToolGuardDetails(failedView.message["details"])).toMatchObject({ slow: true, sourcePath: path });
		expect(logs.get(path)).toBe(seq(1234));
	});

	it("tells of a failure that its view hid, and does not make it one", () => {
		const path = failedCommand.details.fullOutputPath;
		expect(failedCommand.received).toEqual({
			text: `1234\n\n[The command before "| tail -1" exited with code 7]\n\n${NOTICE(1234, "4.9KB", path)}`,
			blocks: 1,
			isError: false,
		});
		expect(readPiToolGuardDetails(failedCommand.details)).toMatchObject({ commandExitCode: 7 });
		expect(failedCommand.structured).toMatchObject({ output: "1234\n", exit_code: 0 });
	});

	it("keeps pi's truncation of a long view, and names both files", () => {
		const { fullOutputPath, truncation } = truncated.details;
		const record = readPiToolGuardDetails(truncated.details)!;
		expect(record.sourcePath).toBe(fullOutputPath);
		expect(record.projectionPath).toMatch(/\/pi-bash-[0-9a-f]{16}\.log$/);
		expect(truncation).toMatchObject({ truncated: true, truncatedBy: "lines", outputLines: 2000, totalLines: 3168, maxLines: 2000 });
		const footer = truncated.received.text.split("\n\n").at(-1);
		expect(footer).toContain(`[Showing lines 1169-3168 of 3168 of the requested view (all of it: ${record.projectionPath}) of 9000 lines`);
		expect(footer).toMatch(new RegExp(`Full output: ${fullOutputPath}\\]$`));
		expect(logs.get(fullOutputPath)).toBe(seq(9000));
	});

	it("names both files for a timeout whose output pi cut", () => {
		const { fullOutputPath, piToolGuard } = cutTimeout.details;
		expect(piToolGuard.projectionPath).toMatch(/\/pi-bash-[0-9a-f]{16}\.log$/);
		const [footer, status] = cutTimeout.received.text.split("\n\n").slice(-2);
		expect(footer).toMatch(/^\[Showing lines 7001-9000 of 9000 of the requested view \(all of it: /);
		expect(footer!.endsWith(`Full output: ${fullOutputPath}]`)).toBe(true);
		expect(status).toBe("Command timed out after 1 seconds");
		expect(cutTimeout.received.text.match(/Full output: /g)).toHaveLength(1);
	});

	it("keeps pi's words for a timeout, and the log of what there was", () => {
		expect(plainTimeout.received).toEqual({ text: "1\n2\n3\n\n\nCommand timed out after 1 seconds", blocks: 1, isError: true });
		const path = timedOut.details.fullOutputPath;
		// What the view has printed by then depends on when its tools are killed.
		expect(timedOut.received).toMatchObject({ blocks: 1, isError: true });
		expect(timedOut.received.text.endsWith(`${NOTICE(1234, "4.9KB", path)}\n\nCommand timed out after 1 seconds`)).toBe(true);
		expect(timedOut.structured).toBeUndefined();
		expect(logs.get(path)).toBe(seq(1234));
	});
});
