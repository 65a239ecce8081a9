import { Type } from "./typebox.ts";

/** Arguments of `ls`: the entries of one directory. */
export const lsSchema = Type.Object({
	path: Type.Optional(Type.String({ description: "Directory to list (default: current directory)" })),
	limit: Type.Optional(Type.Number({ description: "Maximum number of entries to return (default: 500)" })),
});
