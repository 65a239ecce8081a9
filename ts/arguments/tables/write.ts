import type { Table } from "../types.ts";

const REPLACES = "write replaces the whole file, so read it first and send all of its new text, or add to it with >> in bash";

/** Names and shapes seen for `write`. */
export const write: Table = {
	fields: {
		path: { kind: "path", required: true, send: "send the path of the file to write" },
		content: { kind: "text", required: true, file: true, send: 'send the text of the file, or "" for an empty one' },
	},
	rows: [
		{ alias: "file_path", to: "path", source: "claude-code" },
		{ alias: "file", to: "path", source: "manus" },
		{ alias: "filename", to: "path", source: "pi-tool-guard" },
		{ alias: "target", to: "path", source: "pi-tool-guard" },
		{ alias: "target_file", to: "path", source: "cursor-1" },
		{ alias: "target_path", to: "path", source: "opencode-cursor" },
		{ alias: "absolute_path", to: "path", source: "gemini-cli" },
		{ alias: "relative_file_path", to: "path", source: "same" },
		{ alias: "relative_path", to: "path", source: "same" },
		{ alias: "relative_workspace_path", to: "path", source: "cursor-1" },
		{ alias: "uri", to: "path", source: "continue" },

		{ alias: "contents", to: "content", source: "cursor-2" },
		{ alias: "text", to: "content", source: "pi-tool-guard" },
		{ alias: "body", to: "content", source: "pi-tool-guard" },
		{ alias: "code", to: "content", source: "pi-tool-guard" },
		{ alias: "data", to: "content", source: "pi-tool-guard" },
		{ alias: "payload", to: "content", source: "opencode-cursor" },
		{ alias: "stream_content", to: "content", source: "opencode-cursor" },
		{ alias: "file_content", to: "content", source: "augment" },
		{ alias: "file_contents", to: "content", source: "pi-tool-guard" },
		{ alias: "file_text", to: "content", source: "anthropic-editor" },
		{ alias: "CodeContent", to: "content", source: "windsurf" },
		{ alias: "new_content", to: "content", source: "pi-tool-guard" },
		{ alias: "new_string", to: "content", source: "opencode-cursor" },
		{ alias: "EmptyFile", to: "content", as: "empty", source: "windsurf" },

		{ alias: "mode", drop: true, unless: ["append", "a", "a+", "ab", "insert", "prepend"], send: REPLACES, source: "kimi-cli" },
		{ alias: "append", drop: true, unless: [true], send: REPLACES, source: "manus" },
		{ alias: "overwrite", drop: true, unless: [false], send: "write replaces a file that exists, so look first and leave this out", source: "mistral-vibe" },
		{ alias: "command", drop: true, unless: ["str_replace", "insert", "undo_edit", "view"], send: "write only writes whole files: use edit or read", source: "anthropic-editor" },
		{ alias: "insert_line", refuse: "write replaces the whole file, so use edit to add lines", source: "anthropic-editor" },
		{ alias: "rewrite", drop: true, source: "trae" },
		{ alias: "line_count", drop: true, source: "roo" },
		{ alias: "explanation", drop: true, source: "cursor-1" },
		{ alias: "instructions_reminder", drop: true, source: "augment" },
		{ alias: "description", drop: true, source: "antigravity" },
	],
};
