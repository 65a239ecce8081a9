import type { TSchema } from "@sinclair/typebox";
import { bashSchema } from "./bash.ts";
import { editSchema } from "./edit.ts";
import { findSchema } from "./find.ts";
import { grepSchema } from "./grep.ts";
import { lsSchema } from "./ls.ts";
import { readSchema } from "./read.ts";
import { writeSchema } from "./write.ts";

/** The seven tools that Sluice knows, by pi's names. */
export type ToolName = "read" | "write" | "edit" | "bash" | "grep" | "find" | "ls";

/** Each tool's argument schema (TypeBox), as JSON Schema equal to that of pi 1.6.0. */
export const schemas: {
	readonly read: typeof readSchema;
	readonly write: typeof writeSchema;
	readonly edit: typeof editSchema;
	readonly bash: typeof bashSchema;
	readonly grep: typeof grepSchema;
	readonly find: typeof findSchema;
	readonly ls: typeof lsSchema;
} & Readonly<Record<ToolName, TSchema>> = {
	read: readSchema,
	write: writeSchema,
	edit: editSchema,
	bash: bashSchema,
	grep: grepSchema,
	find: findSchema,
	ls: lsSchema,
};
