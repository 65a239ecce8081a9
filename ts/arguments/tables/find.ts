import type { Table } from "../types.ts";
import { COMMENTS, FOLDER_PATHS, RESULT_LIMITS } from "./shared.ts";

/** Names and shapes seen for `find`. */
export const find: Table = {
	fields: {
		pattern: { kind: "glob", required: true, send: "send a glob, for example **/*.ts" },
		path: { kind: "path" },
		limit: { kind: "count", fallback: 1000 },
	},
	rows: [
		{ alias: "glob", to: "pattern", source: "manus" },
		{ alias: "glob_pattern", to: "pattern", source: "cursor-2" },
		{ alias: "file_pattern", to: "pattern", source: "amp" },
		{ alias: "search_pattern", to: "pattern", source: "opencode-cursor" },
		{ alias: "include_pattern", to: "pattern", source: "analogy" },
		{ alias: "include", to: "pattern", source: "analogy" },
		{ alias: "patterns", to: "pattern", source: "droid" },
		{ alias: "globs", to: "pattern", source: "analogy" },
		{ alias: "name_pattern", to: "pattern", source: "analogy" },
		{ alias: "file_name", to: "pattern", source: "analogy" },
		{ alias: "name", to: "pattern", source: "analogy" },
		{ alias: "query", to: "pattern", as: "fuzzy", source: "cursor-1" },

		...FOLDER_PATHS,
		{ alias: "directory_path", to: "path", source: "opencode-cursor" },
		{ alias: "SearchDirectory", to: "path", source: "windsurf" },
		{ alias: "search_path", to: "path", source: "analogy" },
		{ alias: "base_path", to: "path", source: "analogy" },
		{ alias: "root", to: "path", source: "analogy" },

		...RESULT_LIMITS,
		{ alias: "offset", to: "limit", as: "skip", source: "amp" },

		{ alias: "respect_git_ignore", drop: true, source: "gemini-cli" },
		{ alias: "respect_gemini_ignore", drop: true, source: "gemini-cli" },
		{ alias: "case_sensitive", drop: true, source: "gemini-cli" },
		{ alias: "exclude_pattern", drop: true, source: "same" },
		{ alias: "exclude_patterns", drop: true, source: "droid" },
		{ alias: "exclude", drop: true, source: "gemini-cli" },
		{ alias: "Excludes", drop: true, source: "windsurf" },
		{ alias: "Extensions", drop: true, source: "windsurf" },
		{ alias: "FullPath", drop: true, source: "windsurf" },
		{ alias: "MaxDepth", drop: true, source: "windsurf" },
		{ alias: "Type", drop: true, source: "windsurf" },
		{ alias: "include_dirs", drop: true, source: "kimi-cli" },
		{ alias: "recursive", drop: true, source: "analogy" },
		...COMMENTS,
	],
};
