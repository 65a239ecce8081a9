import type { AgentTool, ToolDefinition } from "./types.ts";

/** A definition as an agent's runtime calls it; `ctxFactory` makes the context of calls that bring none. */
export function wrapToolDefinition<Params, Details>(
	definition: ToolDefinition<Params, Details>,
	ctxFactory?: (toolCallId?: string, signal?: AbortSignal) => unknown,
): AgentTool<Params, Details> {
	return {
		...shared(definition),
		execute: (toolCallId, params, signal, onUpdate, ctx) =>
			definition.execute(toolCallId, params, signal, onUpdate, ctx ?? (ctxFactory?.(toolCallId, signal) as never)),
	};
}

/** A definition with what an agent's tool has: no prompt texts, and the context is not passed on. */
export function createToolDefinitionFromAgentTool<Params, Details>(tool: AgentTool<Params, Details>): ToolDefinition<Params, Details> {
	return {
		...shared(tool),
		execute: async (toolCallId, params, signal, onUpdate) => tool.execute(toolCallId, params, signal, onUpdate),
	};
}

function shared<T extends Omit<AgentTool, "execute">>(tool: T): Omit<AgentTool, "execute"> {
	const { name, label, description, parameters, outputSchema, constrainedSampling, prepareArguments, executionMode } = tool;
	return {
		name,
		label,
		description,
		parameters,
		...defined({ outputSchema, constrainedSampling, prepareArguments, executionMode }),
	};
}

/** Without the members that are undefined. */
function defined<T extends object>(members: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
	return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as never;
}
