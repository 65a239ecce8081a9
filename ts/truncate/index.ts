export { truncateFile } from "./file.ts";
export {
	DEFAULT_MAX_BYTES,
	DEFAULT_MAX_LINES,
	formatSize,
	GREP_MAX_LINE_LENGTH,
	type TruncationOptions,
	type TruncationResult,
} from "./limits.ts";
export { truncateLine } from "./line.ts";
export { truncateHead, truncateTail } from "./truncate.ts";
