import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { type GuardOptions, project, runGuarded, truncateFile } from "../../ts/index.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-options-"));
const file = join(folder, "file");
writeFileSync(file, "a\n");
afterAll(() => rmSync(folder, { recursive: true }));

test.each<[Record<string, unknown>, string]>([
	[{ timeoutMs: Number.NaN }, "timeoutMs"],
	[{ timeoutMs: 0 }, "timeoutMs"],
	[{ timeoutMs: -1 }, "timeoutMs"],
	[{ timeoutMs: "5" }, "timeoutMs"],
	[{ slowMs: Number.NaN }, "slowMs"],
	[{ slowMs: -1 }, "slowMs"],
	[{ maxOutputBytes: -1 }, "maxOutputBytes"],
	[{ maxOutputBytes: null }, "maxOutputBytes"],
	[{ finishLimits: { ms: -1, bytes: 0 } }, "finishLimits.ms"],
	[{ finishLimits: { ms: 0, bytes: Number.NaN } }, "finishLimits.bytes"],
	[{ keepLog: "sometimes" }, "keepLog is one of auto, always, never, not sometimes"],
	[{ finish: true }, "finish"],
])("the option %j is refused by name, and nothing runs", async (options, message) => {
	const mark = join(folder, "ran");
	const running = runGuarded(`touch ${mark}; echo a | tail -1`, options as GuardOptions);
	await expect(running).rejects.toMatchObject({ name: "SluiceError", code: "INVALID_ARGUMENT", message: expect.stringContaining(message) });
	expect(existsSync(mark)).toBe(false);
});

test.each([[undefined], [7], ["echo a\0b | tail -1"], ["a\0"]])("the command %j is refused", async (command) => {
	await expect(runGuarded(command as string)).rejects.toMatchObject({ code: "INVALID_ARGUMENT", message: expect.stringContaining("NUL") });
});

test.each([2 ** 31, 1e15, Number.POSITIVE_INFINITY])("a timeout of %d ms never comes", async (timeoutMs) => {
	const { exitCode, timedOut, stdout } = await runGuarded("sleep 0.1; echo a | tail -1", { timeoutMs });
	expect([exitCode, timedOut, Buffer.from(stdout).toString()]).toEqual([0, false, "a\n"]);
});

test("an environment or a folder that no process can have is one clear error", async () => {
	const spawn = { name: "SluiceError", code: "SPAWN" };
	await expect(runGuarded("echo a | tail -1", { cwd: file })).rejects.toMatchObject({ ...spawn, message: expect.stringContaining(file) });
	await expect(runGuarded("echo a | tail -1", { env: { A: "a\0b" } })).rejects.toMatchObject(spawn);
	await expect(runGuarded("echo a", { cwd: file })).rejects.toMatchObject(spawn);
});

test("input of another type than promised is refused", async () => {
	const invalid = { name: "SluiceError", code: "INVALID_ARGUMENT" };
	await expect(project("text" as never, "head -1")).rejects.toMatchObject(invalid);
	await expect(project(null as never, "head -1")).rejects.toMatchObject(invalid);
	await expect(truncateFile(file, { keep: "middle" as "head" })).rejects.toMatchObject(invalid);
	await expect(truncateFile(7 as never, { keep: "head" })).rejects.toMatchObject(invalid);
});
