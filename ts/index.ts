export { SluiceError } from "./errors.ts";
export { native } from "./native.ts";
export { schemas, type ToolName } from "./schemas/index.ts";
