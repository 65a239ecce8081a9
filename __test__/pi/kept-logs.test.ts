import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it, vi } from "vitest";
import { binding } from "../../ts/native.ts";
import { KeptLogs } from "../../ts/pi/bash/kept-logs.ts";

const HOUR = 60 * 60 * 1000;
const dir = mkdtempSync(join(tmpdir(), "sluice-kept-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

function oldLog(digit: string): string {
	const path = join(dir, `pi-bash-guard-${digit.repeat(16)}.log`);
	const dayBefore = new Date(Date.now() - 25 * HOUR);
	writeFileSync(path, digit);
	utimesSync(path, dayBefore, dayBefore);
	return path;
}

it("logs of a running pi stay, however old; those of others go", async () => {
	const [mine, other] = [oldLog("a"), oldLog("b")];
	const logs = new KeptLogs();
	logs.add(mine, 24 * HOUR);
	await logs.refresh();
	expect(await binding().purgeLogs(dir, 24 * HOUR)).toBe(1);
	expect([existsSync(mine), existsSync(other)]).toEqual([true, false]);
});

it("they are refreshed in time, and what a link in their place leads to is not touched", async () => {
	vi.useFakeTimers({ toFake: ["setInterval"] });
	try {
		const [gone, mine, target] = [oldLog("c"), oldLog("d"), oldLog("e")];
		const logs = new KeptLogs();
		logs.add(gone, HOUR);
		logs.add(mine, HOUR);
		rmSync(gone);
		symlinkSync(target, gone);
		vi.advanceTimersByTime(HOUR / 4 + 1);
		await vi.waitFor(() => expect(Date.now() - statSync(mine).mtimeMs).toBeLessThan(HOUR));
		expect(Date.now() - statSync(target).mtimeMs).toBeGreaterThan(24 * HOUR);
		expect(readdirSync(dir)).toContain("pi-bash-guard-cccccccccccccccc.log");
	} finally {
		vi.useRealTimers();
	}
});
