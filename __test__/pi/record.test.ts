import { describe, expect, it } from "vitest";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";

const minimal = { version: 1, originalCommand: "a | tail", cleanedCommand: "a", removed: ["tail"], removedPipeline: "tail", outcome: "full-output" };
const full = {
	...minimal,
	outcome: "projection-applied",
	sourcePath: "/tmp/x.log",
	timing: { commandMs: 1, extractorMs: 2, totalMs: 3 },
	projection: { inputLines: 1, inputBytes: 2, outputLines: 3, outputBytes: 4 },
	noop: false,
	slow: true,
	commandExitCode: 1,
};

describe("readPiToolGuardDetails", () => {
	it.each([minimal, full, { ...full, addedLater: { any: 1 } }])("reads %j", (record) => {
		expect(readPiToolGuardDetails({ fullOutputPath: "x", piToolGuard: record })).toEqual(record);
	});

	it.each([undefined, null, 1, "x", [], {}, { piToolGuard: null }, { piToolGuard: [] }, full])("finds none in %j", (details) => {
		expect(readPiToolGuardDetails(details)).toBeUndefined();
	});

	it.each([
		["version", 2],
		["version", "1"],
		["originalCommand", undefined],
		["cleanedCommand", 1],
		["removed", "tail"],
		["removed", [1]],
		["removedPipeline", null],
		["outcome", "something-else"],
		["sourcePath", 1],
		["timing", { commandMs: 1, extractorMs: 2 }],
		["timing", null],
		["timing", { commandMs: -1, extractorMs: 2, totalMs: 3 }],
		["timing", { commandMs: 1, extractorMs: Number.NaN, totalMs: 3 }],
		["projection", { inputLines: 1, inputBytes: 2, outputLines: 3, outputBytes: "4" }],
		["noop", "no"],
		["slow", 1],
		["commandExitCode", "1"],
	])("refuses %s = %j", (key, value) => {
		expect(readPiToolGuardDetails({ piToolGuard: { ...full, [key]: value } })).toBeUndefined();
	});
});
