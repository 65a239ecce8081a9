import type { Row } from "../types.ts";

/** Names for the path of one file. */
export const FILE_PATHS: readonly Row[] = [
	{ alias: "file_path", to: "path", source: "claude-code" },
	{ alias: "file", to: "path", source: "manus" },
	{ alias: "filename", to: "path", source: "pi-tool-guard" },
	{ alias: "target", to: "path", source: "pi-tool-guard" },
	{ alias: "target_file", to: "path", source: "cursor-1" },
	{ alias: "target_path", to: "path", source: "opencode-cursor" },
	{ alias: "AbsolutePath", to: "path", source: "windsurf" },
	{ alias: "relative_file_path", to: "path", source: "same" },
	{ alias: "relative_path", to: "path", source: "serena" },
	{ alias: "relative_workspace_path", to: "path", source: "analogy" },
	{ alias: "uri", to: "path", source: "analogy" },
];

/** Names for the folder that is searched or listed. */
export const FOLDER_PATHS: readonly Row[] = [
	{ alias: "directory", to: "path", source: "kimi-cli" },
	{ alias: "dir", to: "path", source: "opencode-cursor" },
	{ alias: "dir_path", to: "path", source: "gemini-cli" },
	{ alias: "folder", to: "path", source: "droid" },
	{ alias: "target_directory", to: "path", source: "cursor-2" },
	{ alias: "target_path", to: "path", source: "opencode-cursor" },
	{ alias: "paths", to: "path", source: "augment" },
];

/** Names for how many results are wanted. */
export const RESULT_LIMITS: readonly Row[] = [
	{ alias: "max_results", to: "limit", as: "total", source: "copilot" },
	{ alias: "head_limit", to: "limit", as: "total", source: "claude-code" },
	{ alias: "max_count", to: "limit", as: "total", source: "analogy" },
];

/** Words about a call, which no tool acts on. */
export const COMMENTS: readonly Row[] = [
	{ alias: "explanation", drop: true, source: "cursor-1" },
	{ alias: "description", drop: true, source: "claude-code" },
	{ alias: "toolSummary", drop: true, source: "antigravity" },
	{ alias: "toolAction", drop: true, source: "antigravity" },
];
