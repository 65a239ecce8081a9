export { SluiceError } from "./errors.ts";
export { native } from "./native.ts";
export { schemas, type ToolName } from "./schemas/index.ts";
export { planCommand } from "./guard/plan/plan.ts";
export type { CommandPlan, GuardPlan, PassPlan, PassReason, PlannedWindow } from "./guard/plan/types.ts";
export type { PiToolGuardDetails } from "./guard/record.ts";
export { readPiToolGuardDetails } from "./guard/record.ts";
export { type GuardedResult, type GuardOptions, runGuarded } from "./guard/run-guarded.ts";
