// Calls as models send them, and what must reach the tool inside the real pi.
import type { ToolName } from "../../ts/index.ts";

/** A call, the arguments with which pi must run the tool (or the refusal), and a text that the result must hold. */
export interface EndToEndCase {
	readonly shape: string;
	readonly tool: ToolName;
	readonly sent: Record<string, unknown>;
	readonly prepared: Record<string, unknown> | RegExp;
	readonly result?: RegExp;
	/** A file of the working folder after the call. */
	readonly file?: readonly [name: string, text: string];
}

/** The working folder before the first call. */
export const FILES: Readonly<Record<string, string>> = {
	"lines.txt": Array.from({ length: 30 }, (_, index) => `line ${index + 1}\n`).join(""),
	"src/deep/needle.ts": "const needle = 1;\nconst Needle = 2;\n",
	"notes.md": "notes\n",
	...Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`edit${index}.ts`, "let a = 1;\nlet b = 2;\n"])),
};

const A = { oldText: "let a = 1;", newText: "let a = 3;" };
const EDITED = "let a = 3;\nlet b = 2;\n";
const READ_10_TO_12 = /^line 10\nline 11\nline 12\n/;

export const CASES: readonly EndToEndCase[] = [
	// One alias of each tool.
	{ shape: "alias", tool: "read", sent: { file_path: "notes.md" }, prepared: { path: "notes.md" }, result: /^notes/ },
	{ shape: "alias", tool: "write", sent: { filePath: "w0.ts", contents: "x\n" }, prepared: { path: "w0.ts", content: "x\n" }, file: ["w0.ts", "x\n"] },
	{ shape: "alias", tool: "edit", sent: { file: "edit0.ts", old_str: A.oldText, new_str: A.newText }, prepared: { path: "edit0.ts", edits: [A] }, file: ["edit0.ts", EDITED] },
	{ shape: "alias", tool: "bash", sent: { cmd: "echo alias", description: "says it" }, prepared: { command: "echo alias" }, result: /^alias/ },
	{ shape: "alias", tool: "grep", sent: { query: "needle", include: "*.ts", "-i": true }, prepared: { pattern: "needle", glob: "*.ts", ignoreCase: true }, result: /Needle = 2/ },
	{ shape: "alias", tool: "find", sent: { glob_pattern: "*needle*" }, prepared: { pattern: "*needle*" } },
	{ shape: "alias", tool: "ls", sent: { DirectoryPath: "src" }, prepared: { path: "src" }, result: /^deep\// },
	{ shape: "case and separators", tool: "read", sent: { FILE_PATH: "notes.md" }, prepared: { path: "notes.md" }, result: /^notes/ },
	// The shapes of edit.
	{ shape: "one pair at the top", tool: "edit", sent: { path: "edit1.ts", ...A }, prepared: { path: "edit1.ts", edits: [A] }, file: ["edit1.ts", EDITED] },
	{ shape: "edits as JSON text", tool: "edit", sent: { path: "edit2.ts", edits: JSON.stringify([A]) }, prepared: { path: "edit2.ts", edits: [A] }, file: ["edit2.ts", EDITED] },
	{
		shape: "edits as JSON text with raw line breaks",
		tool: "edit",
		sent: { path: "edit3.ts", edits: '[{"oldText":"let a = 1;\nlet b","newText":"let a = 3;\nlet b"}]' },
		prepared: { path: "edit3.ts", edits: [{ oldText: "let a = 1;\nlet b", newText: "let a = 3;\nlet b" }] },
		file: ["edit3.ts", EDITED],
	},
	{ shape: "edits as one object", tool: "edit", sent: { path: "edit4.ts", edits: { search: A.oldText, replace: A.newText } }, prepared: { path: "edit4.ts", edits: [A] }, file: ["edit4.ts", EDITED] },
	{
		shape: "mixed names inside edits",
		tool: "edit",
		sent: { path: "edit5.ts", edits: [{ old_string: A.oldText, newContent: A.newText }, { oldText: "let b = 2;\n", new: "" }] },
		prepared: { path: "edit5.ts", edits: [A, { oldText: "let b = 2;\n", newText: "" }] },
		file: ["edit5.ts", "let a = 3;\n"],
	},
	{ shape: "missing newText", tool: "edit", sent: { path: "edit6.ts", old_string: A.oldText }, prepared: /newText/, file: ["edit6.ts", "let a = 1;\nlet b = 2;\n"] },
	{ shape: "several files", tool: "edit", sent: { edits: [{ path: "edit7.ts", ...A }, { path: "edit8.ts", ...A }] }, prepared: /one call changes one file/, file: ["edit7.ts", "let a = 1;\nlet b = 2;\n"] },
	{ shape: "null oldText", tool: "edit", sent: { path: "edit7.ts", edits: [{ oldText: null, newText: "x" }] }, prepared: /send the exact text to replace/ },
	{ shape: "flattened keys", tool: "edit", sent: { path: "edit9.ts", "edits[0].oldText": A.oldText, "edits[0].newText": A.newText }, prepared: { path: "edit9.ts", edits: [A] }, file: ["edit9.ts", EDITED] },
	// Wrappers.
	{ shape: "arguments", tool: "read", sent: { arguments: { path: "notes.md" } }, prepared: { path: "notes.md" }, result: /^notes/ },
	{ shape: "input as JSON text", tool: "read", sent: { input: '{"path":"notes.md"}' }, prepared: { path: "notes.md" }, result: /^notes/ },
	{ shape: "result", tool: "ls", sent: { result: { path: "src" } }, prepared: { path: "src" }, result: /^deep\// },
	{ shape: "name and arguments", tool: "bash", sent: { name: "bash", arguments: { command: "echo wrapped" } }, prepared: { command: "echo wrapped" }, result: /^wrapped/ },
	// Numbers, nulls, ranges.
	{ shape: "numbers as text", tool: "read", sent: { path: "lines.txt", offset: "10", limit: "3" }, prepared: { path: "lines.txt", offset: 10, limit: 3 }, result: READ_10_TO_12 },
	{ shape: "null for optional", tool: "read", sent: { path: "notes.md", offset: null, limit: null }, prepared: { path: "notes.md" }, result: /^notes/ },
	{ shape: "range as text", tool: "read", sent: { path: "lines.txt", lines: "10-12" }, prepared: { path: "lines.txt", offset: 10, limit: 3 }, result: READ_10_TO_12 },
	{ shape: "range as list", tool: "read", sent: { path: "lines.txt", view_range: [10, 12] }, prepared: { path: "lines.txt", offset: 10, limit: 3 }, result: READ_10_TO_12 },
	{ shape: "first and last line", tool: "read", sent: { path: "lines.txt", start_line: 10, end_line: 12 }, prepared: { path: "lines.txt", offset: 10, limit: 3 }, result: READ_10_TO_12 },
	{ shape: "ambiguous range", tool: "read", sent: { path: "lines.txt", lines: "10:12" }, prepared: /send the first line as offset/ },
	// Paths.
	{ shape: "leading @", tool: "read", sent: { path: "@notes.md" }, prepared: { path: "notes.md" }, result: /^notes/ },
	{ shape: "line break after a path", tool: "read", sent: { path: "notes.md\n" }, prepared: { path: "notes.md" }, result: /^notes/ },
	{ shape: "path as a link", tool: "read", sent: { path: "[notes.md](http://notes.md)" }, prepared: { path: "notes.md" }, result: /^notes/ },
	{ shape: "~ stays for the tool", tool: "write", sent: { path: "~/home.txt", content: "h" }, prepared: { path: "~/home.txt", content: "h" }, result: /~\/home\.txt/ },
	{ shape: "call format in a path", tool: "write", sent: { path: "a.ts<|channel|>commentary", content: "x" }, prepared: /call format/ },
	{ shape: "null path", tool: "write", sent: { path: null, content: "x" }, prepared: /send the path of the file to write/ },
	{ shape: "null content", tool: "write", sent: { path: "null.ts", content: null }, prepared: /send the text of the file/ },
	// Text of files.
	{ shape: "code fence", tool: "write", sent: { path: "fence.ts", content: "```ts\nlet a;\n```" }, prepared: { path: "fence.ts", content: "let a;\n" }, file: ["fence.ts", "let a;\n"] },
	{ shape: "code fence in Markdown", tool: "write", sent: { path: "fence.md", content: "```ts\nlet a;\n```" }, prepared: { path: "fence.md", content: "```ts\nlet a;\n```" }, file: ["fence.md", "```ts\nlet a;\n```"] },
	{ shape: "object for a JSON file", tool: "write", sent: { path: "o.json", content: { a: 1 } }, prepared: { path: "o.json", content: '{\n  "a": 1\n}' }, file: ["o.json", '{\n  "a": 1\n}'] },
	{ shape: "append", tool: "write", sent: { path: "notes.md", content: "more", mode: "append" }, prepared: /replaces the whole file/, file: ["notes.md", "notes\n"] },
	{ shape: "aliases that differ", tool: "write", sent: { path: "d.ts", text: "a", body: "b" }, prepared: /text "a" and body "b"/ },
	// Commands.
	{ shape: "command as a list", tool: "bash", sent: { command: ["bash", "-lc", "echo list | cat"] }, prepared: { command: "echo list | cat" }, result: /^list/ },
	{ shape: "words as a list", tool: "bash", sent: { command: ["printf", "%s|", "it's", "a  b"] }, prepared: { command: "printf '%s|' 'it'\\''s' 'a  b'" }, result: /^it's\|a  b\|/ },
	{ shape: "working folder", tool: "bash", sent: { command: "ls; echo \"$PWD\"", workdir: "src" }, prepared: { command: "cd -- ./src || exit 1; ls; echo \"$PWD\"" }, result: /^deep\n.*\/src/ },
	{ shape: "working folder that is missing", tool: "bash", sent: { command: "touch here.txt", cwd: "gone" }, prepared: { command: "cd -- ./gone || exit 1; touch here.txt" }, result: /exited with code 1/ },
	{ shape: "milliseconds", tool: "bash", sent: { command: "echo ms", timeout_ms: 5000 }, prepared: { command: "echo ms", timeout: 5 }, result: /^ms/ },
	{ shape: "view beside the command", tool: "bash", sent: { command: "seq 9", tail: 2 }, prepared: { command: "seq 9 2>&1 | tail -n 2" }, result: /^8\n9/ },
	// Searches.
	{
		shape: "grep of Claude Code",
		tool: "grep",
		sent: { pattern: "NEEDLE", path: "src", "-i": true, "-A": 1, "-n": true, head_limit: 1, output_mode: "content", type: "ts" },
		prepared: { pattern: "NEEDLE", path: "src", ignoreCase: true, context: 1, limit: 1, glob: "{*.cts,*.mts,*.ts,*.tsx}" },
		result: /needle = 1/,
	},
	{ shape: "grep counts", tool: "grep", sent: { pattern: "needle", output_mode: "count" }, prepared: /grep -c/ },
	{ shape: "split braces", tool: "grep", sent: { pattern: "needle", include_globs: ["**/*.{js", "ts}"] }, prepared: { pattern: "needle", glob: "**/*.{js,ts}" }, result: /needle = 1/ },
	{ shape: "tree of ls", tool: "ls", sent: { path: "src", recursive: true }, prepared: /use find/ },
];
