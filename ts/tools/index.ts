export { type CreateToolsOptions, createTools } from "./create-tools.ts";
export type {
	BashOperations,
	EditOperations,
	FindOperations,
	GrepOperations,
	LsOperations,
	Operations,
	ReadOperations,
	WriteOperations,
} from "./operations.ts";
export type { AgentTool, ToolContent, ToolContext, ToolDefinition, ToolResult, ToolUpdate } from "./types.ts";
export { createToolDefinitionFromAgentTool, wrapToolDefinition } from "./wrap.ts";
