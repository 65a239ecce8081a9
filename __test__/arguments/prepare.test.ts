import { createEditToolDefinition } from "@earendil-works/pi-coding-agent";
import { describe, expect, test } from "vitest";
import { prepareWith, SluiceError } from "../../ts/index.ts";

const builtin = createEditToolDefinition("/").prepareArguments;

describe("prepareWith", () => {
	test("hands the repaired arguments to pi's own", () => {
		const prepare = prepareWith("edit", builtin);
		const sent = Object.freeze({ file: "a", old_str: "x", new_str: "y" });
		expect(prepare(sent)).toEqual({ path: "a", edits: [{ oldText: "x", newText: "y" }] });
	});

	test("never lets pi's own change what was sent", () => {
		const sent = { path: "a", edits: '[{"oldText":"x","newText":"y"}]' };
		prepareWith("edit", builtin)(sent);
		expect(sent).toEqual({ path: "a", edits: '[{"oldText":"x","newText":"y"}]' });
		const mutating = prepareWith("read", (args) => Object.assign(args as object, { limit: 1 }));
		const canonical = { path: "a" };
		expect(mutating(canonical)).toEqual({ path: "a", limit: 1 });
		expect(canonical).toEqual({ path: "a" });
	});

	test("tells what was repaired, once a call, and nothing for a good call", () => {
		const told: (readonly string[])[] = [];
		const prepare = prepareWith("read", undefined, (changed) => told.push(changed));
		prepare({ path: "a" });
		prepare({ file_path: "a" });
		expect(told).toEqual([["file_path → path"]]);
	});

	test("lets a refusal through", () => {
		expect(() => prepareWith("write")({ path: "a", content: "x", append: true })).toThrow(SluiceError);
	});

	test("leaves {} to pi, which knows whether the arguments were JSON", () => {
		expect(prepareWith("read")({})).toEqual({});
		expect(prepareWith("edit", builtin)({})).toEqual({});
	});

	test.each([null, undefined, "text", 5, true, []])("passes %j on", (args) => {
		expect(prepareWith("read")(args)).toEqual(args);
	});
});
