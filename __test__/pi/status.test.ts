import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { DEFAULT_SETTINGS } from "../../ts/pi/settings.ts";
import { RunningStatus } from "../../ts/pi/status.ts";

let shown: (string | undefined)[];
const ctx = { hasUI: true, mode: "rpc", ui: { setStatus: (_key: string, text: string | undefined) => shown.push(text) } } as unknown as ExtensionContext;

beforeEach(() => {
	shown = [];
	vi.useFakeTimers();
});
afterEach(() => void vi.useRealTimers());

it("names a command once it is slow, ticks, counts others, and goes", () => {
	const status = new RunningStatus();
	const [first, second] = [status.watch(ctx, "npm\ttest", DEFAULT_SETTINGS), status.watch(ctx, "make", DEFAULT_SETTINGS)];
	vi.advanceTimersByTime(9_999);
	expect(shown).toEqual([]);
	vi.advanceTimersByTime(1_001);
	expect(shown.at(-1)).toBe("🛡 11s · keeping the full log of npm test and 1 more");
	first.stop();
	expect(shown.at(-1)).toBe("🛡 11s · keeping the full log of make");
	second.stop();
	expect(shown.at(-1)).toBeUndefined();
	vi.advanceTimersByTime(60_000);
	expect(shown.at(-1)).toBeUndefined();
});

it("says nothing of a log that is not kept, nor before a threshold beyond timers", () => {
	const status = new RunningStatus();
	status.watch(ctx, "make", { ...DEFAULT_SETTINGS, keepLog: "never" });
	status.watch(ctx, "never slow", { ...DEFAULT_SETTINGS, slowMs: 1e12 });
	vi.advanceTimersByTime(10_000);
	expect(shown).toEqual(["🛡 10s · running make"]);
	status.end();
});

it("is silent after the session, whatever still runs or stops", () => {
	const status = new RunningStatus();
	const [shownAlready, waiting] = [status.watch(ctx, "a", { ...DEFAULT_SETTINGS, slowMs: 1000 }), status.watch(ctx, "b", DEFAULT_SETTINGS)];
	vi.advanceTimersByTime(2_500);
	shown = [];
	status.end();
	vi.advanceTimersByTime(20_000);
	shownAlready.stop();
	waiting.stop();
	expect(shown).toEqual([]);
});
