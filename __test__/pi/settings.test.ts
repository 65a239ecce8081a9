import { homedir } from "node:os";
import { describe, expect, it } from "vitest";
import { DEFAULT_SETTINGS, readSettings } from "../../ts/pi/settings.ts";
import { shellSettings } from "../../ts/pi/shell.ts";

describe("readSettings", () => {
	it("needs none", () => expect(readSettings(undefined)).toEqual({ settings: DEFAULT_SETTINGS, problems: [] }));

	it("takes what is given and keeps the other defaults", () => {
		const { settings, problems } = readSettings({ slowMs: 500, keepLog: "always", tools: { grep: false }, notices: { receipt: false } });
		expect(problems).toEqual([]);
		expect(settings).toEqual({
			...DEFAULT_SETTINGS,
			slowMs: 500,
			keepLog: "always",
			tools: { ...DEFAULT_SETTINGS.tools, grep: false },
			notices: { ...DEFAULT_SETTINGS.notices, receipt: false },
		});
	});

	it.each([
		[{ slowMs: "fast" }, 'sluice.slowMs must be a number, 0 or more, not "fast"'],
		[{ logRetentionHours: 0 }, "sluice.logRetentionHours must be a number, 1 or more, not 0"],
		[{ slowMs: -1 }, "sluice.slowMs must be a number, 0 or more, not -1"],
		[{ keepLog: "sometimes" }, 'sluice.keepLog must be one of auto, always, never, not "sometimes"'],
		[{ notices: { log: 1 } }, "sluice.notices.log must be true or false, not 1"],
		[{ tools: [] }, "sluice.tools must be an object, not []"],
		[{ toolz: {} }, /^sluice\.toolz is unknown; known are enabled, tools, repairArguments, slowMs, keepLog, /],
		[false, "sluice must be an object, not false"],
	])("refuses %j and names the key", (value, problem) => {
		const { settings, problems } = readSettings(value);
		expect(problems).toEqual([problem instanceof RegExp ? expect.stringMatching(problem) : problem]);
		expect(settings).toEqual(DEFAULT_SETTINGS);
	});

	it("keeps the good entries beside a bad one", () => {
		const { settings, problems } = readSettings({ slowMs: 1, finish: 3 });
		expect(problems).toHaveLength(1);
		expect(settings.slowMs).toBe(1);
	});
});

describe("shellSettings", () => {
	it("resolves the path as pi does", () => {
		expect(shellSettings({})).toEqual({});
		expect(shellSettings({ shellPath: "~/bin/sh" })).toEqual({ shellPath: `${homedir()}/bin/sh` });
		expect(shellSettings({ shellPath: "file:///bin/d%20sh" })).toEqual({ shellPath: "/bin/d sh" });
		expect(shellSettings({ shellPath: "/bin/dash", shellCommandPrefix: "x" })).toEqual({ shellPath: "/bin/dash", commandPrefix: "x" });
	});
});
