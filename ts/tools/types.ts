import type { TSchema } from "@sinclair/typebox";

/** A part of a tool's result. */
export type ToolContent =
	| { readonly type: "text"; readonly text: string }
	| { readonly type: "image"; readonly data: string; readonly mimeType: string };

/** What a tool returns; failures are thrown. */
export interface ToolResult<Details = unknown> {
	/** What the model sees. */
	content: ToolContent[];
	/** For renderers; absent if there is nothing to say. */
	details?: Details | undefined;
	/** For programmatic callers. */
	structuredContent?: unknown;
	/** Whether the call failed, where the result is still worth keeping. */
	isError?: boolean;
}

/** Called with the result so far while a tool runs. */
export type ToolUpdate<Details = unknown> = (partial: ToolResult<Details>) => void;

/** What pi hands a tool besides its arguments. Only `cwd` is used. */
export interface ToolContext {
	readonly cwd?: string;
}

/** A tool in pi's definition format. */
// oxlint-disable-next-line typescript/no-explicit-any
export interface ToolDefinition<Params = any, Details = any> {
	/** The name that the model calls. */
	name: string;
	/** The name for people. */
	label: string;
	/** What the model is told. */
	description: string;
	/** One line for the system prompt. */
	promptSnippet?: string;
	/** Advice for the system prompt. */
	promptGuidelines?: string[];
	/** JSON Schema of the arguments. */
	parameters: TSchema;
	/** Turns arguments of other shapes into valid ones, before they are validated. */
	// oxlint-disable-next-line typescript/no-explicit-any
	prepareArguments?: (args: unknown) => any;
	/** JSON Schema of `structuredContent`. */
	outputSchema?: unknown;
	/** How the model's sampling may be constrained. */
	constrainedSampling?: unknown;
	/** `sequential` if calls in one message must not overlap. */
	executionMode?: "sequential" | "parallel";
	/** Runs the tool. */
	execute(
		toolCallId: string,
		params: Params,
		signal?: AbortSignal,
		onUpdate?: ToolUpdate<Details>,
		ctx?: ToolContext,
	): Promise<ToolResult<Details>>;
}

/** A tool as an agent's runtime calls it. */
// oxlint-disable-next-line typescript/no-explicit-any
export interface AgentTool<Params = any, Details = any>
	extends Omit<ToolDefinition<Params, Details>, "promptSnippet" | "promptGuidelines" | "execute"> {
	/** Runs the tool. */
	// oxlint-disable-next-line typescript/no-explicit-any
	execute(toolCallId: string, params: Params, signal?: AbortSignal, onUpdate?: ToolUpdate<Details>, ctx?: any): Promise<ToolResult<Details>>;
}

/** A result of one text. */
export function textResult<Details>(text: string, details?: Details): ToolResult<Details> {
	return { content: [{ type: "text", text }], details };
}

/** pi's error for an aborted call, with the name that such errors have. */
export function aborted(): Error {
	return Object.assign(new Error("Operation aborted"), { name: "AbortError" });
}

/** What the work of a call yields, or pi's error as soon as the call is aborted, whatever the work still waits for. */
export function unlessAborted<T>(signal: AbortSignal | undefined, work: Promise<T>): Promise<T> {
	if (!signal) return work;
	return new Promise((resolve, reject) => {
		const abort = () => reject(aborted());
		signal.addEventListener("abort", abort, { once: true });
		void work.then(resolve, reject).finally(() => signal.removeEventListener("abort", abort));
	});
}

/** Throws pi's error if the call is aborted. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
	if (signal?.aborted) throw aborted();
}
