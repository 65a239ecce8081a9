import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import {
	createBashToolDefinition,
	createEditToolDefinition,
	createFindToolDefinition,
	createGrepToolDefinition,
	createLsToolDefinition,
	createReadToolDefinition,
	createWriteToolDefinition,
} from "@earendil-works/pi-coding-agent";
import { Kind } from "@sinclair/typebox";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { schemas, type ToolName } from "../../ts/index.ts";

const pi: Record<ToolName, { parameters: unknown }> = {
	read: createReadToolDefinition("/"),
	write: createWriteToolDefinition("/"),
	edit: createEditToolDefinition("/"),
	bash: createBashToolDefinition("/"),
	grep: createGrepToolDefinition("/"),
	find: createFindToolDefinition("/"),
	ls: createLsToolDefinition("/"),
};
const names = Object.keys(pi) as ToolName[];

/** The chapter's table: field, JSON type, required. */
const chapter: Record<ToolName, readonly (readonly [string, string, boolean])[]> = {
	read: [["path", "string", true], ["offset", "number", false], ["limit", "number", false]],
	write: [["path", "string", true], ["content", "string", true]],
	edit: [["path", "string", true], ["edits", "array", true]],
	bash: [["command", "string", true], ["timeout", "number", false]],
	find: [["pattern", "string", true], ["path", "string", false], ["limit", "number", false]],
	grep: [
		["pattern", "string", true],
		["path", "string", false],
		["glob", "string", false],
		["ignoreCase", "boolean", false],
		["literal", "boolean", false],
		["context", "number", false],
		["limit", "number", false],
	],
	ls: [["path", "string", false], ["limit", "number", false]],
};

interface ObjectSchema {
	readonly properties: Record<string, { readonly type: string; readonly items?: ObjectSchema }>;
	readonly required?: readonly string[];
}

/** A schema as it goes over the wire. */
const wire = (schema: unknown): string => JSON.stringify(schema);
const json = (schema: unknown): unknown => JSON.parse(wire(schema));

test("all seven tools have a schema, and no other", () => {
	expect(Object.keys(schemas).toSorted()).toEqual(names.toSorted());
});

describe.each(names)("%s", (name) => {
	test("is the JSON Schema of pi", () => {
		expect(json(schemas[name])).toEqual(json(pi[name].parameters));
	});

	test("has the fields of the chapter's table", () => {
		const schema = json(schemas[name]) as ObjectSchema;
		const fields = Object.entries(schema.properties).map(([field, { type }]) => [
			field,
			type,
			schema.required?.includes(field) ?? false,
		]);
		expect(fields).toEqual(chapter[name]);
	});
});

test("an edit is a pair of required texts", () => {
	const { items } = (json(schemas.edit) as ObjectSchema).properties["edits"] ?? {};
	expect(items?.required).toEqual(["oldText", "newText"]);
	expect(Object.keys(items?.properties ?? {})).toEqual(["oldText", "newText"]);
});

test("outside pi the schemas are those of the installed TypeBox", () => {
	for (const name of names) expect(schemas[name][Kind]).toBe("Object");
});

test("the sources type-check against either TypeBox", async () => {
	const root = fileURLToPath(new URL("../../", import.meta.url));
	const folder = await mkdtemp(join(tmpdir(), "sluice-types-"));
	try {
		const other = fileURLToPath(import.meta.resolve("typebox")).replace(/\.mjs$/, ".d.mts");
		const compilerOptions = { paths: { "@sinclair/typebox": [other] }, typeRoots: [join(root, "node_modules/@types")] };
		const config = { extends: join(root, "tsconfig.json"), compilerOptions, include: [join(root, "ts/schemas"), join(root, "ts/arguments")] };
		await writeFile(join(folder, "tsconfig.json"), JSON.stringify(config));
		// The installed one is what `npm run typecheck` uses.
		const { stdout } = await promisify(execFile)(process.execPath, [join(root, "node_modules/typescript/bin/tsc"), "--noEmit", "-p", folder]);
		expect(stdout).toBe("");
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}, 60_000);

describe("inside pi, where @sinclair/typebox is pi's own TypeBox", () => {
	let folder = "";
	const shared = globalThis as { sluiceSchemas?: Record<ToolName, unknown> };

	beforeAll(async () => {
		folder = await mkdtemp(join(tmpdir(), "sluice-schemas-"));
		const sources = fileURLToPath(new URL("../../ts/schemas/index.ts", import.meta.url));
		await writeFile(
			join(folder, "extension.ts"),
			`import { schemas } from ${JSON.stringify(sources)};\nexport default () => { globalThis.sluiceSchemas = schemas; };\n`,
		);
		const entry = fileURLToPath(import.meta.resolve("@earendil-works/pi-coding-agent"));
		const loader = (await import(pathToFileURL(join(entry, "../core/extensions/loader.js")).href)) as {
			loadExtensions(paths: string[], cwd: string): Promise<{ errors: unknown[] }>;
		};
		const { errors } = await loader.loadExtensions([join(folder, "extension.ts")], folder);
		expect(errors).toEqual([]);
	});
	afterAll(async () => {
		delete shared.sluiceSchemas;
		await rm(folder, { recursive: true, force: true });
	});

	test.each(names)("%s is byte for byte that of pi", (name) => {
		const inside = shared.sluiceSchemas?.[name];
		expect(wire(inside)).toBe(wire(pi[name].parameters));
		// The installed TypeBox marks its types with a symbol that pi's TypeBox does not use: so it really was the other one.
		expect((inside as { [Kind]?: string })[Kind]).toBeUndefined();
	});
});
