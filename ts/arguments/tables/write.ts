import type { Table } from "../types.ts";
import { COMMENTS, FILE_PATHS } from "./shared.ts";

const REPLACES = "write replaces the whole file, so read it first and send all of its new text, or add to it with >> in bash";

/** Names and shapes seen for `write`. */
export const write: Table = {
	fields: {
		path: { kind: "path", required: true, send: "send the path of the file to write" },
		content: { kind: "text", required: true, file: true, send: 'send the text of the file, or "" for an empty one' },
	},
	rows: [
		...FILE_PATHS,

		{ alias: "contents", to: "content", source: "cursor-2" },
		{ alias: "text", to: "content", source: "pi-tool-guard" },
		{ alias: "body", to: "content", source: "pi-tool-guard" },
		{ alias: "code", to: "content", source: "pi-tool-guard" },
		{ alias: "data", to: "content", source: "pi-tool-guard" },
		{ alias: "payload", to: "content", source: "opencode-cursor" },
		{ alias: "stream_content", to: "content", source: "opencode-cursor" },
		{ alias: "file_content", to: "content", source: "augment" },
		{ alias: "file_contents", to: "content", source: "analogy" },
		{ alias: "file_text", to: "content", source: "anthropic-editor" },
		{ alias: "CodeContent", to: "content", source: "windsurf" },
		{ alias: "new_content", to: "content", source: "analogy" },
		{ alias: "new_string", to: "content", source: "opencode-cursor" },
		{ alias: "add_last_line_newline", to: "content", as: "line-end", source: "augment" },
		{ alias: "trailing_newline", to: "content", as: "line-end", source: "manus" },
		{ alias: "EmptyFile", to: "content", as: "empty", source: "windsurf" },

		{ alias: "mode", drop: true, unless: ["append", "a", "a+", "ab", "insert", "prepend"], send: REPLACES, source: "kimi-cli" },
		{ alias: "append", drop: true, unless: [true], send: REPLACES, source: "manus" },
		{ alias: "overwrite", drop: true, unless: [false], send: "write replaces a file that exists, so look first and leave this out", source: "mistral-vibe" },
		{ alias: "command", drop: true, unless: ["str_replace", "insert", "undo_edit", "view"], send: "write only writes whole files: use edit or read", source: "anthropic-editor" },
		{ alias: "encoding", drop: true, unless: ["base64", "hex", "binary"], send: "write takes plain text, so decode it first, or use base64 -d in bash", source: "desktop-commander" },
		{ alias: "insert_line", refuse: "write replaces the whole file, so use edit to add lines", source: "anthropic-editor" },
		{ alias: "leading_newline", drop: true, source: "manus" },
		{ alias: "sudo", drop: true, source: "manus" },
		{ alias: "modified_by_user", drop: true, source: "gemini-cli" },
		{ alias: "ai_proposed_content", drop: true, source: "gemini-cli" },
		{ alias: "smart_apply", drop: true, source: "same" },
		{ alias: "Complexity", drop: true, source: "antigravity" },
		{ alias: "IsArtifact", drop: true, source: "antigravity" },
		...COMMENTS,
		{ alias: "rewrite", drop: true, source: "trae" },
		{ alias: "line_count", drop: true, source: "roo" },
		{ alias: "instructions_reminder", drop: true, source: "augment" },
	],
};
