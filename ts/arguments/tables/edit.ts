import type { Row, Table } from "../types.ts";
import { COMMENTS, FILE_PATHS } from "./shared.ts";

const AS_LIST = "send edits, a list of objects with oldText, the exact text to replace, and newText";
const UNIQUE = "edit makes replacements only";

// All of these only speak about the edit: pi replaces one place, and says so if there are more.
const REMARKS: readonly Row[] = [
	{ alias: "replace_all", drop: true, source: "claude-code" },
	{ alias: "change_all", drop: true, source: "droid" },
	{ alias: "AllowMultiple", drop: true, source: "windsurf" },
	{ alias: "expected_replacements", drop: true, source: "roo" },
	{ alias: "instruction", drop: true, source: "gemini-cli" },
	{ alias: "instructions", drop: true, source: "analogy" },
	...COMMENTS,
];

/** Names seen for one replacement. */
const pair: Table = {
	fields: {
		oldText: { kind: "text", required: true, send: "send the exact text to replace" },
		newText: { kind: "text", required: true, send: 'send the replacement, or "" to delete' },
		path: { kind: "path" },
	},
	rows: [
		{ alias: "old_string", to: "oldText", source: "claude-code" },
		{ alias: "old_str", to: "oldText", source: "anthropic-editor" },
		{ alias: "old_content", to: "oldText", source: "pi-tool-guard" },
		{ alias: "old_code", to: "oldText", source: "analogy" },
		{ alias: "old", to: "oldText", source: "kimi-cli" },
		{ alias: "original", to: "oldText", source: "pi-tool-guard" },
		{ alias: "original_text", to: "oldText", source: "analogy" },
		{ alias: "search", to: "oldText", source: "roo" },
		{ alias: "search_text", to: "oldText", source: "analogy" },
		{ alias: "find", to: "oldText", source: "find-replace" },
		{ alias: "find_text", to: "oldText", source: "analogy" },
		{ alias: "TargetContent", to: "oldText", source: "windsurf" },

		{ alias: "new_string", to: "newText", source: "claude-code" },
		{ alias: "new_str", to: "newText", source: "anthropic-editor" },
		{ alias: "new_content", to: "newText", source: "pi-tool-guard" },
		{ alias: "new_code", to: "newText", source: "analogy" },
		{ alias: "new", to: "newText", source: "kimi-cli" },
		{ alias: "replacement", to: "newText", source: "pi-tool-guard" },
		{ alias: "replacement_text", to: "newText", source: "analogy" },
		{ alias: "replace", to: "newText", when: "string", source: "roo" },
		{ alias: "replace_text", to: "newText", source: "analogy" },
		{ alias: "ReplacementContent", to: "newText", source: "windsurf" },
		{ alias: "old_str_start_line_number", drop: true, source: "augment" },
		{ alias: "old_str_end_line_number", drop: true, source: "augment" },
		...FILE_PATHS,
		...REMARKS,
	],
};

/** Names and shapes seen for `edit`. */
export const edit: Table = {
	fields: {
		path: { kind: "path", required: true, send: "send the path of the file to edit" },
		edits: { kind: "pairs", required: true, send: AS_LIST },
	},
	pairs: { field: "edits", item: pair, once: "path" },
	rows: [
		...FILE_PATHS,
		{ alias: "edit", to: "edits", source: "kimi-cli" },
		{ alias: "replacements", to: "edits", source: "copilot" },
		{ alias: "replace_blocks", to: "edits", source: "trae" },
		{ alias: "ReplacementChunks", to: "edits", source: "windsurf" },
		{ alias: "multi", to: "edits", source: "multi-edit" },
		{ alias: "operations", to: "edits", source: "roo" },
		{ alias: "changes", to: "edits", when: "list", source: "analogy" },
		...REMARKS,
		{ alias: "command", drop: true, unless: ["create", "insert", "undo_edit", "view"], send: `${UNIQUE}: use write or read, or put text to insert next to an oldText`, source: "anthropic-editor" },
		{ alias: "insert_line", refuse: `${UNIQUE}, so send an oldText next to the place and repeat it in newText`, source: "anthropic-editor" },
		{ alias: "dry_run", drop: true, unless: [true], send: "edit always changes the file, so leave this out", source: "mcp-filesystem" },
		{ alias: "diff", refuse: AS_LIST, instead: "edits", source: "roo" },
		{ alias: "input", when: "string", refuse: AS_LIST, instead: "edits", source: "codex" },
		{ alias: "patch", refuse: AS_LIST, instead: "edits", source: "codex" },
		{ alias: "code_edit", refuse: AS_LIST, instead: "edits", source: "cursor-1" },
		{ alias: "smart_apply", drop: true, source: "same" },
		{ alias: "instruction_reminder", drop: true, source: "augment" },
		{ alias: "sudo", drop: true, source: "manus" },
		{ alias: "Complexity", drop: true, source: "antigravity" },
		{ alias: "TargetLintErrorIds", drop: true, source: "windsurf" },
		{ alias: "CodeMarkdownLanguage", drop: true, source: "windsurf" },
	],
};
