import type { Table } from "../types.ts";
import { COMMENTS, FOLDER_PATHS, RESULT_LIMITS } from "./shared.ts";

/** Names and shapes seen for `ls`. */
export const ls: Table = {
	fields: {
		path: { kind: "path" },
		limit: { kind: "count" },
	},
	rows: [
		...FOLDER_PATHS,
		{ alias: "relative_workspace_path", to: "path", source: "cursor-1" },
		{ alias: "relative_dir_path", to: "path", source: "same" },
		{ alias: "relative_path", to: "path", source: "analogy" },
		{ alias: "absolute_path", to: "path", source: "gemini-cli" },
		{ alias: "DirectoryPath", to: "path", source: "windsurf" },
		{ alias: "folder_path", to: "path", source: "analogy" },
		{ alias: "target", to: "path", source: "analogy" },
		{ alias: "file_path", to: "path", source: "opencode-cursor" },

		...RESULT_LIMITS,
		{ alias: "max_entries", to: "limit", as: "total", source: "analogy" },
		{ alias: "offset", drop: true, source: "codex" },

		{ alias: "recursive", drop: true, unless: [true], send: "ls lists one level, so use find with the pattern ** for the whole tree", source: "roo" },
		{ alias: "depth", drop: true, source: "crush" },
		{ alias: "max_depth", drop: true, source: "trae" },
		{ alias: "ignore", drop: true, source: "claude-code" },
		{ alias: "ignore_globs", drop: true, source: "cursor-2" },
		{ alias: "ignore_patterns", drop: true, source: "droid" },
		{ alias: "file_filtering_options", drop: true, source: "gemini-cli" },
		{ alias: "respect_git_ignore", drop: true, source: "analogy" },
		{ alias: "show_hidden", drop: true, source: "analogy" },
		{ alias: "all", drop: true, source: "analogy" },
		...COMMENTS,
	],
};
