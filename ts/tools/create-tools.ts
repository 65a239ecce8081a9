import type { ToolName } from "../schemas/index.ts";
import { prepareWith } from "../arguments/prepare.ts";
import { bashTool } from "./bash.ts";
import { editTool } from "./edit.ts";
import { findTool } from "./find.ts";
import { grepTool } from "./grep.ts";
import { lsTool } from "./ls.ts";
import type { Operations } from "./operations.ts";
import { readTool } from "./read.ts";
import { type ToolDefinition, unlessAborted } from "./types.ts";
import { writeTool } from "./write.ts";

/** Options of {@link createTools}. */
export interface CreateToolsOptions {
	/** The folder that relative paths are relative to, unless a call's context has another. */
	readonly cwd: string;
	/** Where a tool works, by tool name. @default the local file system, natively */
	readonly operations?: Partial<Operations>;
}

/**
 * pi's seven tools as plain definitions, for any agent: pi's schemas, texts and details. Arguments under other names or in
 * other shapes are repaired before they are validated.
 */
export function createTools({ cwd, operations = {} }: CreateToolsOptions): Record<ToolName, ToolDefinition> {
	const tools: Record<ToolName, ToolDefinition> = {
		read: readTool(cwd, operations.read),
		write: writeTool(cwd, operations.write),
		edit: editTool(cwd, operations.edit),
		bash: bashTool(cwd, operations.bash),
		grep: grepTool(cwd, operations.grep, operations.find),
		find: findTool(cwd, operations.find),
		ls: lsTool(cwd, operations.ls),
	};
	for (const tool of Object.values(tools)) {
		tool.prepareArguments = prepareWith(tool.name as ToolName);
		// An aborted command has an end and output of its own.
		if (tool.name !== "bash") tool.execute = endsWithAbort(tool.execute);
	}
	return tools;
}

/** A tool's function that rejects as soon as it is aborted, be it that its operations never answer. */
function endsWithAbort(execute: ToolDefinition["execute"]): ToolDefinition["execute"] {
	return (toolCallId, params, signal, onUpdate, ctx) => unlessAborted(signal, execute(toolCallId, params, signal, onUpdate, ctx));
}
