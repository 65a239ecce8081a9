import { describe, expect, test } from "vitest";
import { fold } from "../../ts/arguments/keys.ts";
import { SOURCES } from "../../ts/arguments/sources.ts";
import { tables } from "../../ts/arguments/tables/index.ts";
import type { Row, Table } from "../../ts/arguments/types.ts";
import { schemas, type ToolName } from "../../ts/index.ts";

const all = Object.entries(tables).flatMap(([name, table]) => [[name, table] as const, ...(table.pairs ? [[`${name}[]`, table.pairs.item] as const] : [])]);

/** What a row does, as far as two spellings of one name must agree on it. */
const effect = (row: Row): string => JSON.stringify({ ...row, alias: "", source: "" });

describe.each(all)("the table of %s", (name, table: Table) => {
	test("has the fields of the schema, required where they are", () => {
		const schema = JSON.parse(JSON.stringify(schemas[name.replace("[]", "") as ToolName]));
		const { properties, required } = name.endsWith("[]") ? schema.properties.edits.items : schema;
		const fields = Object.keys(table.fields).filter((field) => !(name === "edit[]" && field === "path"));
		expect(fields).toEqual(Object.keys(properties));
		expect(fields.filter((field) => table.fields[field]?.required)).toEqual(required ?? []);
	});

	test("renames to fields only", () => {
		for (const row of table.rows) if ("to" in row) expect(Object.keys(table.fields)).toContain(row.to);
	});

	test("gives a source for every row", () => {
		for (const { source } of table.rows) if (source !== "analogy") expect(SOURCES[source].url).toMatch(/^https:/);
	});

	test("has each name once", () => {
		const seen = table.rows.map((row) => `${row.alias} ${row.when ?? ""}`);
		expect(new Set(seen).size).toBe(seen.length);
		for (const row of table.rows) expect(Object.keys(table.fields)).not.toContain(row.alias);
	});

	test("means the same by every spelling of a name", () => {
		const meanings = new Map<string, Set<string>>();
		for (const field of Object.keys(table.fields)) meanings.set(fold(field), new Set([effect({ alias: "", source: "spelling", to: field })]));
		for (const row of table.rows) {
			const key = fold(row.alias);
			if (key !== "") meanings.set(key, new Set([...(meanings.get(key) ?? []), effect(row)]));
		}
		for (const [key, effects] of meanings) {
			const whens = [...effects].filter((text) => text.includes('"when"'));
			expect([key, effects.size - whens.length]).toEqual([key, Math.min(1, effects.size - whens.length)]);
		}
	});
});

test("every source is used", () => {
	const used = new Set(all.flatMap(([, table]) => table.rows.map((row) => row.source)));
	expect(Object.keys(SOURCES).filter((id) => id !== "spelling" && !used.has(id as Row["source"]))).toEqual([]);
});
