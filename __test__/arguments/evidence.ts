// The evidence file, and for each kind of row a call that shows it and what must become of it.
import { readFileSync } from "node:fs";
import type { ToolName } from "../../ts/index.ts";

/** One row: a name or shape that was seen, and what it stands for. */
export interface Row {
	readonly tool: ToolName | "*";
	readonly canonical: string;
	readonly alias: string;
	readonly model_or_source: string;
	readonly note?: string;
}

export const rows: readonly Row[] = readFileSync(new URL("../fixtures/aliases.jsonl", import.meta.url), "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line) as Row);

/** A call and what must come of it: arguments, or a refusal whose message matches. */
export interface Case {
	readonly tool: ToolName;
	readonly sent: unknown;
	readonly expected: unknown;
}

/** A complete call of each tool. */
export const COMPLETE: Readonly<Record<ToolName, Readonly<Record<string, unknown>>>> = {
	read: { path: "src/a.ts" },
	write: { path: "src/a.ts", content: "text\n" },
	edit: { path: "src/a.ts", edits: [{ oldText: "a", newText: "b" }] },
	bash: { command: "ls" },
	grep: { pattern: "TODO" },
	find: { pattern: "*.ts" },
	ls: {},
};

const VALUES: Readonly<Record<string, unknown>> = {
	path: "lib/b.ts",
	content: "other text\n",
	command: "npm test",
	pattern: "**/*.rs",
	glob: "*.rs",
	ignoreCase: true,
	literal: true,
	context: 3,
	offset: 20,
	limit: 7,
	timeout: 9,
	edits: [{ oldText: "x", newText: "y" }],
};

/** A row that renames a key, under the given spelling: the value arrives where it belongs, and the key is gone. */
export function renamed(row: Row, alias: string = row.alias): Case {
	const tool = row.tool as ToolName;
	const base: Record<string, unknown> = { ...COMPLETE[tool] };
	const part = /^edits\[\]\.(oldText|newText)$/.exec(row.canonical)?.[1];
	if (part !== undefined) {
		const number = /_(\d+)$/.exec(alias)?.[0] ?? "";
		const other = part === "oldText" ? `new_str${number}` : `old_str${number}`;
		delete base["edits"];
		return { tool, sent: { ...base, [alias]: "mine", [other]: "other" }, expected: { ...base, edits: [part === "oldText" ? { oldText: "mine", newText: "other" } : { oldText: "other", newText: "mine" }] } };
	}
	delete base[row.canonical];
	const value = VALUES[row.canonical];
	return { tool, sent: { ...base, [alias]: value }, expected: { ...base, [row.canonical]: value } };
}

/** A row whose key is left out of the call. */
export function dropped(row: Row, value: unknown): Case {
	const tool = row.tool as ToolName;
	return { tool, sent: { ...COMPLETE[tool], [row.alias]: value }, expected: COMPLETE[tool] };
}

/** A complete call with more or other keys. */
export function call(tool: ToolName, more: Readonly<Record<string, unknown>>, expected: unknown): Case {
	return { tool, sent: { ...COMPLETE[tool], ...more }, expected: expected instanceof RegExp ? expected : { ...COMPLETE[tool], ...(expected as object) } };
}
