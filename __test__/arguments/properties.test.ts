import { pathToFileURL, fileURLToPath } from "node:url";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compile } from "@earendil-works/pi-schema";
import { normalizeArguments, schemas, SluiceError, type ToolName } from "../../ts/index.ts";
import { tables } from "../../ts/arguments/tables/index.ts";
import type { Table } from "../../ts/arguments/types.ts";

const names = Object.keys(tables) as ToolName[];
const runs = { numRuns: 400 };
const tool = fc.constantFrom(...names);

/** A path as people write it: pi takes it as it is. */
const path = fc.stringMatching(/^(?:~\/|\/|\.\/)?[\w][\w .-]{0,12}(?:\/[\w][\w.-]{0,8}){0,3}$/);
const text = fc.oneof(fc.string({ unit: "grapheme" }), fc.lorem());
const positive = fc.integer({ min: 1, max: 1_000_000 });
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

/** Calls in the tools' own form. */
const canonical: Readonly<Record<ToolName, fc.Arbitrary<Record<string, unknown>>>> = {
	read: fc.record({ path, offset: some(positive), limit: some(positive) }),
	write: fc.record({ path, content: text }),
	edit: fc.record({ path, edits: fc.array(fc.record({ oldText: text, newText: text }), { maxLength: 3 }) }),
	bash: fc.record({ command: text.filter((line) => !/^\s*[[{]/.test(line)), timeout: some(fc.double({ min: 0.001, max: 1e6, noNaN: true })) }),
	grep: fc.record({ pattern: text.filter((pattern) => pattern !== ""), path: some(path), glob: some(fc.constantFrom("*.ts", "src/**/*.{js,ts}", "!*.md")), ignoreCase: some(fc.boolean()), literal: some(fc.boolean()), context: some(fc.nat()), limit: some(positive) }),
	find: fc.record({ pattern: fc.constantFrom("*.ts", "**/*", "src/**/*.{a,b}", "\\[id\\].ts"), path: some(path), limit: some(positive) }),
	ls: fc.record({ path: some(path), limit: some(positive) }),
};
const defined = (args: Record<string, unknown>) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));
const canonicalCall = tool.chain((name) => canonical[name].map((args) => ({ name, args: defined(args) })));

/** Names that the tables know, to get past "unknown key". */
const keysOf = (table: Table): string[] => [...Object.keys(table.fields), ...table.rows.map((row) => row.alias), ...(table.pairs ? keysOf(table.pairs.item) : [])];
const json = fc.jsonValue({ maxDepth: 4 });
const value = fc.oneof(json, path, positive, fc.constantFrom("10-20", "true", "", null, -1, "5", "@a", "file:///a%20b", "```\na\n```", "[a](http://a)", "a\n", "edits[0].oldText"), fc.constantFrom([10, 20], ["a"], ["ls", "-l"], [{ type: "text", text: "x" }], [{ old: "a", new: "b", path: "p" }], { path: "a" }));
const messyCall = tool.chain((name) =>
	fc
		.oneof(
			json,
			fc.dictionary(fc.oneof(fc.constantFrom(...keysOf(tables[name])), fc.string({ maxLength: 6 }), fc.constantFrom("__proto__", "constructor", "toString", "arguments", "input", "name")), value, { maxKeys: 6, noNullPrototype: true }),
			fc.dictionary(fc.constantFrom("arguments", "input", "result", "name", "parameters"), fc.oneof(json, fc.jsonValue().map((inner) => JSON.stringify(inner)))),
			json.map((inner) => JSON.stringify(inner)),
		)
		.map((args) => ({ name, args })),
);

/** The result, or undefined for a refusal. Everything else is a failure. */
function normalized(name: ToolName, args: unknown): { args: unknown; changed: string[] } | undefined {
	try {
		return normalizeArguments(name, args);
	} catch (error) {
		if (error instanceof SluiceError && error.code === "INVALID_ARGUMENTS") {
			expect(error.message).toMatch(/^[a-z]+ received .+; .+\.$/s);
			expect(error.message.length).toBeLessThan(700);
			return undefined;
		}
		throw error;
	}
}

test("a call in the tool's own form passes as it is", () => {
	fc.assert(
		fc.property(canonicalCall, ({ name, args }) => {
			const result = normalizeArguments(name, args);
			expect(JSON.stringify(result.args)).toBe(JSON.stringify(args));
			expect(result.changed).toEqual([]);
		}),
		runs,
	);
});

test("the result is a new object", () => {
	fc.assert(
		fc.property(canonicalCall, ({ name, args }) => {
			expect(normalizeArguments(name, args).args).not.toBe(args);
		}),
		runs,
	);
});

test("the result of a result is itself", () => {
	fc.assert(
		fc.property(messyCall, ({ name, args }) => {
			const once = normalized(name, args);
			if (once === undefined) return;
			expect(normalizeArguments(name, once.args)).toEqual({ args: once.args, changed: [] });
		}),
		{ numRuns: 3000 },
	);
});

test("the input is never touched", () => {
	const frozen = (input: unknown): unknown => {
		if (typeof input === "object" && input !== null) Object.values(Object.freeze(input)).forEach(frozen);
		return input;
	};
	fc.assert(
		fc.property(messyCall, ({ name, args }) => {
			const before = JSON.stringify(args);
			normalized(name, frozen(args));
			expect(JSON.stringify(args)).toBe(before);
		}),
		{ numRuns: 2000 },
	);
});

test("whatever comes in, the result validates or pi's validator reports it", () => {
	const validators = Object.fromEntries(names.map((name) => [name, compile(JSON.parse(JSON.stringify(schemas[name])), { coerce: true })]));
	fc.assert(
		fc.property(messyCall, ({ name, args }) => {
			const result = normalized(name, args);
			if (result === undefined) return;
			const checked = validators[name]?.parse(structuredClone(result.args));
			expect(checked?.ok === true || (checked?.errors.length ?? 0) > 0).toBe(true);
		}),
		{ numRuns: 2000 },
	);
});

test("unknown keys stay for the validator", () => {
	fc.assert(
		fc.property(canonicalCall, fc.constantFrom("zzz", "__proto__", "constructor", "hasOwnProperty", "x-y"), json, ({ name, args }, key, extra) => {
			const sent = Object.fromEntries([...Object.entries(args), [key, extra]]);
			fc.pre(Object.keys(args).length > 0);
			const result = normalizeArguments(name, sent);
			expect(JSON.stringify(result.args)).toBe(JSON.stringify(sent));
			expect(Object.getPrototypeOf(result.args)).toBe(Object.prototype);
		}),
		runs,
	);
});

describe("a field's own name wins over every alias", () => {
	const renames = names.flatMap((name) => tables[name].rows.filter((row) => "to" in row && row.as === undefined).map((row) => ({ name, alias: row.alias, to: "to" in row ? row.to : "" })));
	test.each(renames.filter(({ to, name }) => !(name === "edit" && to === "edits")))("$name: $alias", ({ name, alias, to }) => {
		fc.assert(
			fc.property(canonical[name], (args) => {
				const own = defined(args);
				fc.pre(Object.hasOwn(own, to));
				expect(normalizeArguments(name, { ...own, [alias]: "zzz" }).args).toEqual(own);
			}),
			{ numRuns: 10 },
		);
	});
});

test("a path is the one that pi makes of it", async () => {
	const entry = fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent"));
	const { resolveToCwd } = (await import(pathToFileURL(join(entry, "../core/tools/path-utils.js")).href)) as { resolveToCwd(path: string, cwd: string): string };
	const resolve = (raw: string): string => {
		try {
			return resolveToCwd(raw, "/project");
		} catch (error) {
			return `throws ${String(error)}`;
		}
	};
	const parts = fc.constantFrom("@", "~", "/", "file://", "file:///", "%20", "%C2%A0", "%2F", "\u00a0", "a", "b.ts", ".", "..", " ", "~/", "localhost", "%", "C:", "\\");
	fc.assert(
		fc.property(fc.array(parts, { minLength: 1, maxLength: 6 }), (pieces) => {
			const raw = pieces.join("");
			const result = normalized("ls", { path: raw });
			const cleaned = (result?.args as { path?: string } | undefined)?.path ?? "";
			expect(resolve(cleaned)).toBe(resolve(raw));
		}),
		{ numRuns: 3000 },
	);
});
