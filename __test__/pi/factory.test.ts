import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { describe, expect, it } from "vitest";
import sluice from "../../ts/pi/index.ts";

/** An API that records what is called, without the given methods. */
function fakePi(missing: readonly string[]) {
	const calls: [string, ...unknown[]][] = [];
	const handlers = new Map<string, (event: unknown, ctx: unknown) => void>();
	const pi = new Proxy({} as Record<string, unknown>, {
		get: (_target, name: string) => {
			if (missing.includes(name)) return undefined;
			return (...args: unknown[]) => {
				calls.push([name, ...args]);
				if (name === "on") handlers.set(args[0] as string, args[1] as never);
			};
		},
	});
	return { pi: pi as unknown as ExtensionAPI, calls, handlers };
}

describe("the factory", () => {
	it("registers no tool, and asks pi nothing that it cannot answer yet", () => {
		const { pi, calls } = fakePi([]);
		sluice(pi);
		expect(calls.map(([name]) => name).sort()).toEqual(["on", "on", "on", "registerCommand", "registerEntryRenderer", "registerToolRenderer"]);
	});

	it("completes the words of /sluice that are not whole yet", () => {
		const { pi, calls } = fakePi([]);
		sluice(pi);
		const command = calls.find(([name]) => name === "registerCommand")?.[2] as { getArgumentCompletions(prefix: string): { value: string }[] | null };
		const offered = (prefix: string) => command.getArgumentCompletions(prefix)?.map(({ value }) => value) ?? null;
		expect([offered(""), offered("o"), offered("on"), offered("x")]).toEqual([["on", "off", "settings", "export"], ["on", "off"], null, null]);
	});

	it("leaves a pi that is too old alone, and says so", () => {
		const { pi, calls, handlers } = fakePi(["registerToolRenderer", "registerEntryRenderer"]);
		sluice(pi);
		expect(calls.map(([name]) => name)).toEqual(["on"]);
		const said: string[] = [];
		handlers.get("session_start")?.({}, { hasUI: true, ui: { notify: (text: string) => said.push(text) } });
		expect(said).toEqual(["Sluice: pi 1.6 or newer is needed; nothing was changed."]);
	});
});
