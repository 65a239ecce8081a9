// The README's alias tables through the real pi: every alias reaches the tool, before validation.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { bash, runPi } from "../rig/headless.ts";
import { createHome } from "../rig/home.ts";
import type { ScriptedCall } from "../rig/model.ts";

const PATHS = ["path", "file", "filePath", "file_path", "target", "filename", "file_name"];
const OLD = ["oldText", "old_str", "old_string", "old_text", "oldStr", "oldString", "oldContent", "old_content", "old", "original", "search"];
const NEW = ["newText", "new_str", "new_string", "new_text", "newStr", "newString", "newContent", "new_content", "new", "replacement", "replace"];
const CONTENT = ["content", "text", "body", "code", "data", "fileContent", "file_content", "contents"];
const OFFSET = ["offset", "start", "startLine", "start_line", "from", "line"];
const LIMIT = ["limit", "lines", "maxLines", "max_lines", "count", "numLines", "num_lines"];

/** One row of the table: a call, and what it must have done. */
interface Row {
	readonly call: ScriptedCall;
	readonly file?: readonly [name: string, content: string];
	readonly text?: string;
}

const edit = (name: string, args: Record<string, unknown>): Row => ({ call: { name: "edit", arguments: args }, file: [name, "bar\n"] });
const rows: Row[] = [
	...PATHS.map((key) => edit(`e-${key}`, { [key]: `e-${key}`, edits: [{ oldText: "foo", newText: "bar" }] })),
	...OLD.map((key) => edit(`o-${key}`, { path: `o-${key}`, edits: [{ [key]: "foo", newText: "bar" }] })),
	...NEW.map((key) => edit(`n-${key}`, { path: `n-${key}`, edits: [{ oldText: "foo", [key]: "bar" }] })),
	edit("top", { path: "top", oldText: "foo", newText: "bar" }),
	edit("top-alias", { file: "top-alias", old_str: "foo", new_str: "bar" }),
	edit("json", { path: "json", edits: JSON.stringify([{ oldText: "foo", newText: "bar" }]) }),
	...PATHS.map((key): Row => ({ call: { name: "write", arguments: { [key]: `w-${key}`, content: "x\n" } }, file: [`w-${key}`, "x\n"] })),
	...CONTENT.map((key): Row => ({ call: { name: "write", arguments: { path: `c-${key}`, [key]: "x\n" } }, file: [`c-${key}`, "x\n"] })),
	...PATHS.map((key): Row => ({ call: { name: "read", arguments: { [key]: "lines" } }, text: "1\n2\n3\n4\n" })),
	...OFFSET.map((key): Row => ({ call: { name: "read", arguments: { path: "lines", [key]: "3", limit: 1 } }, text: "3\n\n[2 more lines in file. Use offset=4 to continue.]" })),
	...LIMIT.map((key): Row => ({ call: { name: "read", arguments: { path: "lines", offset: 2, [key]: "1" } }, text: "2\n\n[3 more lines in file. Use offset=3 to continue.]" })),
	{ call: { name: "bash", arguments: { cmd: "echo repaired | tail -1" } }, text: "repaired\n" },
];

describe("arguments", () => {
	it("are repaired before pi validates them, in every spelling of the tables; the transcript keeps the model's own", async () => {
		const home = createHome();
		mkdirSync(home.work, { recursive: true });
		writeFileSync(join(home.work, "lines"), "1\n2\n3\n4\n");
		for (const { call, file } of rows) if (call.name === "edit") writeFileSync(join(home.work, file![0]), "foo\n");
		try {
			const { calls, events } = await runPi(
				rows.map((row) => row.call),
				{ home },
			);
			rows.forEach(({ call, file, text }, index) => {
				const what = JSON.stringify(call);
				expect({ what, failed: calls[index]!.isError, said: calls[index]!.isError && calls[index]!.received.text }).toEqual({ what, failed: false, said: false });
				if (text !== undefined) expect({ what, text: calls[index]!.received.text.replace(/\n\n\[/, "\n\n[") }).toEqual({ what, text });
				if (file !== undefined) expect({ what, content: readFileSync(join(home.work, file[0]), "utf8") }).toEqual({ what, content: file[1] });
			});
			const asked = events.filter((event) => event.type === "tool_execution_start").map((event) => event["args"]);
			expect(asked).toEqual(rows.map((row) => row.call.arguments));
		} finally {
			home.remove();
		}
	}, 60_000);

	it("that are right, unknown or contradictory are left to pi or refused, as without us", async () => {
		const script = [bash("seq 3 | tail -1"), { name: "read", arguments: { nonsense: 1 } }, { name: "read", arguments: "{broken" }];
		const [plain, repaired] = await Promise.all([runPi(script, { extensions: [] }), runPi(script)]);
		expect(repaired.calls.map((call) => call.received)).toEqual(plain.calls.map((call) => call.received));
	});
});
