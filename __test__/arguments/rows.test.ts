import { describe, expect, test } from "vitest";
import { normalizeArguments, SluiceError } from "../../ts/index.ts";
import { type Case, rows } from "./evidence.ts";
import { casesOf } from "./rows.ts";

test("the evidence is complete", () => {
	expect(rows).toHaveLength(349);
});

function check({ tool, sent, expected }: Case): void {
	const before = structuredClone(sent);
	if (expected instanceof RegExp) {
		const refusal = refusalOf(() => normalizeArguments(tool, sent));
		expect(refusal.code).toBe("INVALID_ARGUMENTS");
		expect(refusal.message).toMatch(expected);
		expect(refusal.message).toMatch(new RegExp(`^${tool} received .*; .*\\.$`, "s"));
	} else {
		const { args, changed } = normalizeArguments(tool, sent);
		expect(args).toEqual(expected);
		expect(normalizeArguments(tool, args)).toEqual({ args, changed: [] });
		if (JSON.stringify(sent) !== JSON.stringify(args)) expect(changed).not.toEqual([]);
	}
	expect(sent).toEqual(before);
}

function refusalOf(run: () => unknown): SluiceError {
	try {
		const result = run();
		throw new Error(`not refused: ${JSON.stringify(result)}`);
	} catch (error) {
		if (error instanceof SluiceError) return error;
		throw error;
	}
}

describe.each(rows.map((row, index) => ({ ...row, line: index + 1 })))("line $line: $tool $canonical from $alias", (row) => {
	test("every case comes out right", () => {
		const cases = casesOf(row);
		expect(cases).not.toEqual([]);
		for (const each of cases) check(each);
	});
});
