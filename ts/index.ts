export { SluiceError } from "./errors.ts";
export { native } from "./native.ts";
export { schemas, type ToolName } from "./schemas/index.ts";
export { planCommand } from "./guard/plan/plan.ts";
export type { CommandPlan, GuardPlan, PassPlan, PassReason, PlannedWindow } from "./guard/plan/types.ts";
export type { PiToolGuardDetails } from "./guard/record.ts";
export { readPiToolGuardDetails } from "./guard/record.ts";
export { type GuardedResult, type GuardOptions, runGuarded } from "./guard/run-guarded.ts";
export {
	createProjector,
	parseView,
	project,
	type Projection,
	type ProjectionInput,
	projectFile,
	type ProjectOptions,
	type Projector,
	type ViewEnvironment,
	type ViewPipeline,
} from "./projection/index.ts";
export { type ReadLinesOptions, type ReadLinesResult, readLines } from "./files/index.ts";
export {
	DEFAULT_MAX_BYTES,
	DEFAULT_MAX_LINES,
	formatSize,
	GREP_MAX_LINE_LENGTH,
	truncateFile,
	truncateHead,
	truncateLine,
	truncateTail,
	type TruncationOptions,
	type TruncationResult,
} from "./truncate/index.ts";
export { normalizeArguments, type NormalizedArguments } from "./arguments/normalize.ts";
export { prepareWith } from "./arguments/prepare.ts";
export { type FindOptions, type FindResult, find, type GrepLine, type GrepOptions, type GrepResult, grep } from "./search/index.ts";
export {
	type AgentTool,
	type BashOperations,
	createToolDefinitionFromAgentTool,
	createTools,
	type CreateToolsOptions,
	type EditOperations,
	type FindOperations,
	type GrepOperations,
	type LsOperations,
	type Operations,
	type ReadOperations,
	type ToolContent,
	type ToolContext,
	type ToolDefinition,
	type ToolResult,
	type ToolUpdate,
	wrapToolDefinition,
	type WriteOperations,
} from "./tools/index.ts";
