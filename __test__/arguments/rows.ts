// Which cases each row of the evidence stands for. A row that nothing here speaks about fails the test.
import type { ToolName } from "../../ts/index.ts";
import { call, type Case, COMPLETE, dropped, renamed, type Row } from "./evidence.ts";

const path = "src/a.ts";
const pair = { oldText: "a", newText: "b" };

/** Rows that ask for a conversion, by tool, canonical name and alias. */
const CONVERSIONS: Readonly<Record<string, readonly Case[]>> = {
	"read limit end_line": [
		call("read", { start_line: 10, end_line: 20 }, { offset: 10, limit: 11 }),
		call("read", { end_line: 20 }, { limit: 20 }),
		call("read", { start_line: 0, end_line: 20 }, /line numbers start at 1/),
	],
	"read limit EndLine": [call("read", { StartLine: 10, EndLine: 20 }, { offset: 10, limit: 11 })],
	"read limit end_line_one_indexed": [call("read", { start_line_one_indexed: 3, end_line_one_indexed: 3 }, { offset: 3, limit: 1 })],
	"read offset+limit view_range": [
		call("read", { view_range: [10, 20] }, { offset: 10, limit: 11 }),
		call("read", { view_range: [10, -1] }, { offset: 10 }),
		call("read", { view_range: [20, 10] }, /comes before/),
	],
	"read offset+limit $range_string 10-20": [
		call("read", { offset: "10-20" }, { offset: 10, limit: 11 }),
		call("read", { lines: "10-20" }, { offset: 10, limit: 11 }),
		call("read", { view_range: "10-20" }, { offset: 10, limit: 11 }),
		call("read", { lines: "10:20" }, /10:20/),
	],
	"read offset $numeric_string": [call("read", { offset: "380", limit: "50" }, { offset: 380, limit: 50 })],
	"read offset $zero_or_negative": [call("read", { offset: 0 }, { offset: 1 }), call("read", { offset: -5 }, /offset -5/)],
	"read path $markdown_autolink": [call("read", { path: "[notes.md](http://notes.md)" }, { path: "notes.md" })],
	"read path path": [{ tool: "read", sent: { path }, expected: { path } }],
	"edit edits edit": [
		{ tool: "edit", sent: { path, edit: { old: "a", new: "b" } }, expected: { path, edits: [pair] } },
		{ tool: "edit", sent: { path, edit: [{ old: "a", new: "b" }] }, expected: { path, edits: [pair] } },
	],
	"edit edits multi": [
		{ tool: "edit", sent: { multi: [{ path, ...pair }, { path, oldText: "c", newText: "" }] }, expected: { path, edits: [pair, { oldText: "c", newText: "" }] } },
		{ tool: "edit", sent: { multi: [{ path, ...pair }, { path: "b.ts", ...pair }] }, expected: /one file/ },
	],
	"edit edits $json_string": [call("edit", { edits: JSON.stringify([pair]) }, { edits: [pair] })],
	"edit edits $json_string_raw_control_chars": [call("edit", { edits: '[{"oldText":"a\n\tb","newText":"c\r\n"}]' }, { edits: [{ oldText: "a\n\tb", newText: "c\r\n" }] })],
	"edit edits $single_object": [call("edit", { edits: pair }, { edits: [pair] })],
	"edit edits $toplevel_oldText_newText": [
		{ tool: "edit", sent: { path, ...pair }, expected: { path, edits: [pair] } },
		{ tool: "edit", sent: { path, old_string: "a", newContent: "b" }, expected: { path, edits: [pair] } },
	],
	"edit edits[].oldText $object_instead_of_string": [call("edit", { edits: [{ oldText: { a: 1 }, newText: "x" }] }, /edits\[0\]\.oldText/)],
	"edit edits[].* $extra_invented_fields": [call("edit", { edits: [{ ...pair, reason: "why" }] }, { edits: [{ ...pair, reason: "why" }] })],
	"edit edits[].oldText $null": [
		call("edit", { edits: [{ oldText: null, newText: "x" }] }, /oldText null; send the exact text/),
		{ tool: "edit", sent: { path, old_text: null, new_text: "x" }, expected: /old_text null; send the exact text/ },
	],
	// pi refuses the empty text itself; what matters is that it is not taken for something else.
	"edit edits[].oldText $empty_string": [call("edit", { edits: [{ oldText: "", newText: "x" }] }, { edits: [{ oldText: "", newText: "x" }] })],
	"edit edits[].newText $empty_string": [
		call("edit", { edits: [{ oldText: "a", newText: "" }] }, { edits: [{ oldText: "a", newText: "" }] }),
		{ tool: "edit", sent: { path, old_string: "a", new_string: "" }, expected: { path, edits: [{ oldText: "a", newText: "" }] } },
		{ tool: "edit", sent: { path, old_string: "a" }, expected: { path, edits: [{ oldText: "a" }] } },
	],
	"edit $reject diff": [{ tool: "edit", sent: { path, diff: "<<<<<<< SEARCH" }, expected: /diff .*send edits/ }],
	"write content $object_instead_of_string": [
		call("write", { path: "a.json", content: { a: [1] } }, { path: "a.json", content: '{\n  "a": [\n    1\n  ]\n}' }),
		call("write", { content: { a: 1 } }, /content an object/),
	],
	"write content $missing": [{ tool: "write", sent: { path }, expected: { path } }, call("write", { content: "" }, { content: "" }), call("write", { content: null }, /content null/)],
	"write path $missing": [{ tool: "write", sent: { content: "x" }, expected: { content: "x" } }],
	"write content $text_blocks": [
		call("write", { content: [{ type: "text", text: "one" }] }, { content: "one" }),
		call("write", { content: [{ type: "text", text: "one\n" }, { type: "text", text: "two" }] }, { content: "one\ntwo" }),
		call("write", { content: [{ type: "text", text: "one" }, { type: "text", text: "two" }] }, /a list of 2/),
	],
	"write content $code_fence": [
		call("write", { content: "\n```ts\nlet a;\n```\n" }, { content: "let a;\n" }),
		call("write", { path: "a.md", content: "```ts\nlet a;\n```\n" }, { path: "a.md", content: "```ts\nlet a;\n```\n" }),
		call("write", { content: "Here it is:\n```ts\nlet a;\n```\n" }, { content: "Here it is:\n```ts\nlet a;\n```\n" }),
		call("write", { content: "```\na\n```\nb\n```\nc\n```" }, { content: "```\na\n```\nb\n```\nc\n```" }),
	],
	"write $drop mode": [dropped({ tool: "write", canonical: "", alias: "mode", model_or_source: "" }, "overwrite"), call("write", { mode: "append" }, /replaces the whole file/)],
	"write $drop append": [dropped({ tool: "write", canonical: "", alias: "append", model_or_source: "" }, false), call("write", { append: true }, /replaces the whole file/)],
	"write $drop EmptyFile": [
		dropped({ tool: "write", canonical: "", alias: "EmptyFile", model_or_source: "" }, false),
		{ tool: "write", sent: { TargetFile: path, EmptyFile: true }, expected: { path, content: "" } },
		{ tool: "write", sent: { TargetFile: path, EmptyFile: true, CodeContent: "x" }, expected: { path, content: "x" } },
	],
	"bash command command": [
		call("bash", { command: ["bash", "-lc", "ls -la | wc -l"] }, { command: "ls -la | wc -l" }),
		call("bash", { command: ["grep", "-r", "it's", "my dir"] }, { command: "grep -r 'it'\\''s' 'my dir'" }),
		call("bash", { command: ["ls", "|", "head"] }, /one string/),
	],
	"bash command $array": [call("bash", { command: ["echo hello"] }, { command: "echo hello" }), call("bash", { command: null }, /command null/)],
	"bash command $empty": [{ tool: "bash", sent: {}, expected: /empty arguments/ }],
	"bash timeout timeout_ms": [call("bash", { timeout_ms: 1500 }, { timeout: 1.5 })],
	"bash timeout timeout": [call("bash", { timeout: 120000 }, { timeout: 120000 }), call("bash", { timeout: 30 }, { timeout: 30 })],
	"bash $projection tail": [
		call("bash", { tail: 5 }, { command: "ls 2>&1 | tail -n 5" }),
		call("bash", { command: "ls # all", head: 5 }, { command: "{ ls # all\n} 2>&1 | head -n 5" }),
	],
	"grep path paths": [call("grep", { paths: ["src"] }, { path: "src" }), call("grep", { paths: ["src", "lib"] }, /one path/)],
	"grep glob include_globs": [call("grep", { include_globs: ["*.ts", "*.js"] }, { glob: "{*.ts,*.js}" })],
	"grep glob Includes": [call("grep", { Includes: ["*.ts"] }, { glob: "*.ts" })],
	"grep glob type": [call("grep", { type: "rust" }, { glob: "*.rs" }), call("grep", { type: "klingon" }, /send glob/)],
	"grep $exclude exclude_pattern": [call("grep", { exclude_pattern: "*.test.ts" }, { glob: "!*.test.ts" }), call("grep", { include: "*.ts", exclude_pattern: "*.test.ts" }, /one glob/)],
	"grep ignoreCase case_sensitive": [call("grep", { case_sensitive: false }, { ignoreCase: true }), call("grep", { case_sensitive: true }, { ignoreCase: false })],
	"grep ignoreCase caseSensitive": [call("grep", { caseSensitive: "false" }, { ignoreCase: true })],
	"grep literal isRegexp": [call("grep", { isRegexp: false }, { literal: true })],
	"grep literal IsRegex": [call("grep", { IsRegex: true }, { literal: false })],
	"grep context -A": [call("grep", { "-A": 3, "-B": 5 }, { context: 5 })],
	"grep context -B": [call("grep", { "-B": 5, "-C": 1 }, { context: 5 })],
	"grep context -C": [call("grep", { "-C": "2" }, { context: 2 })],
	"grep $drop output_mode": [
		call("grep", { output_mode: "content" }, {}),
		call("grep", { output_mode: "files_with_matches" }, {}),
		call("grep", { output_mode: "count" }, /grep -c/),
	],
	"grep $drop offset": [call("grep", { offset: 0 }, {}), call("grep", { offset: 50, head_limit: 20 }, { limit: 70 })],
	"grep pattern $empty": [{ tool: "grep", sent: { pattern: "" }, expected: /find for file names and ls/ }],
	"grep glob $leading_dot_slash": [call("grep", { glob: "./src/*.ts" }, { glob: "src/*.ts" })],
	"grep glob $brace_split": [call("grep", { include_globs: ["**/*.{ts", "js}"] }, { glob: "**/*.{ts,js}" })],
	"find pattern query": [
		{ tool: "find", sent: { query: "**/*.rs" }, expected: { pattern: "**/*.rs" } },
		{ tool: "find", sent: { query: "conf" }, expected: { pattern: "*conf*" } },
	],
	"find pattern $windows_separators": [{ tool: "find", sent: { pattern: "src\\**\\*.ts" }, expected: { pattern: "src/**/*.ts" } }],
	"ls $drop recursive": [dropped({ tool: "ls", canonical: "", alias: "recursive", model_or_source: "" }, false), call("ls", { recursive: true }, /use find/)],
	"* $unwrap arguments": [
		{ tool: "read", sent: { arguments: { path } }, expected: { path } },
		{ tool: "read", sent: { arguments: { arguments: { arguments: { file_path: path } } } }, expected: { path } },
	],
	"* $unwrap result": [{ tool: "write", sent: { result: COMPLETE.write }, expected: COMPLETE.write }],
	"* $unwrap arguments (JSON string)": [{ tool: "bash", sent: { arguments: '{"command":"ls"}' }, expected: { command: "ls" } }],
	"* $unwrap name+arguments": [
		{ tool: "read", sent: { name: "read", arguments: { path } }, expected: { path } },
		{ tool: "read", sent: { name: "write", arguments: { path } }, expected: { name: "write", arguments: { path } } },
	],
	"* $unwrap parameters (JSON string)": [{ tool: "grep", sent: { parameters: '{"pattern":"TODO"}' }, expected: { pattern: "TODO" } }],
	"* $json_string any array or object field": [
		call("edit", { edits: [JSON.stringify(pair)] }, { edits: [pair] }),
		call("write", { content: '{"a": 1}' }, { content: '{"a": 1}' }),
		call("grep", { pattern: "[abc]" }, { pattern: "[abc]" }),
	],
	"* $json_string whole arguments object": [
		{ tool: "read", sent: JSON.stringify({ path }), expected: { path } },
		{ tool: "read", sent: "path", expected: "path" },
	],
	"* $omit null": [
		call("read", { offset: null, limit: null }, {}),
		call("edit", { edits: {} }, { edits: [] }),
		call("grep", { path: null, glob: null, ignoreCase: null }, {}),
	],
	"* $omit empty string": [call("grep", { path: "", glob: "", limit: "" }, {})],
	"* $xml_spill <arg_key>/<arg_value>": [
		call("read", { path: "src/a.ts</arg_value>" }, {}),
		call("read", { path: "src/a.ts</arg_value><arg_key>limit</arg_key><arg_value>5" }, /call format/),
	],
	"* $xml_spill <tool_call> / <minimax:tool_call>": [call("read", { path: "src/a.ts</minimax:tool_call>" }, /call format/), call("ls", { path: "<tool_call>" }, /call format/)],
	"* $flattened_key questions[0].id": [
		{ tool: "edit", sent: { path, "edits[0].oldText": "a", "edits[0].newText": "b" }, expected: { path, edits: [pair] } },
		{ tool: "edit", sent: { path, "edits.1.old_string": "c", "edits.1.new_string": "", "edits.0.old_string": "a", "edits.0.new_string": "b" }, expected: { path, edits: [pair, { oldText: "c", newText: "" }] } },
	],
	'* $quoted_key "\\"path\\""': [{ tool: "read", sent: { '"path"': path }, expected: { path } }],
	"* $garbage harmony tokens in path": [call("read", { path: "src/a.ts to=functions.read" }, /call format/), call("write", { path: "a<|channel|>b" }, /call format/)],
	"* $empty {}": [{ tool: "read", sent: {}, expected: /empty arguments/ }, { tool: "ls", sent: {}, expected: {} }],
	"* path $trailing_newline": [call("read", { path: "src/a.ts\r\n" }, {}), call("write", { path: "src/a.ts \n" }, { path: "src/a.ts " })],
};

/** The cases of a row. Empty: nothing is known about it. */
export function casesOf(row: Row): readonly Case[] {
	const special = CONVERSIONS[`${row.tool} ${row.canonical} ${row.alias}`];
	if (special !== undefined) return special;
	if (row.tool === "*") return [];
	if (row.alias === "$at_prefix @src/a.ts") return [call(row.tool, { path: "@src/a.ts" }, { path })];
	if (row.canonical === "$cwd") {
		return [
			call(row.tool, { [row.alias]: "/my project" }, { command: "cd -- '/my project' || exit 1; ls" }),
			call(row.tool, { [row.alias]: "sub" }, { command: "cd -- ./sub || exit 1; ls" }),
			call(row.tool, { [row.alias]: "." }, {}),
		];
	}
	if (row.canonical === "$drop" && (row.alias.startsWith("should_") || row.alias.startsWith("read_"))) {
		return [call(row.tool as ToolName, { [row.alias]: true, offset: 5, limit: 6 }, {}), call(row.tool as ToolName, { [row.alias]: false, offset: 5 }, { offset: 5 })];
	}
	if (row.canonical === "$drop") return [dropped(row, "remark"), dropped(row, true), dropped(row, null)];
	if (row.canonical.startsWith("$") || row.alias.startsWith("$")) return [];
	// The names are matched without case and separators too.
	return [renamed(row), ...(row.alias.length > 3 ? [renamed(row, row.alias.toUpperCase()), renamed(row, row.alias.toLowerCase())] : [])];
}
