import { Type } from "./typebox.ts";

/** Arguments of `write`: the whole new text of one file. */
export const writeSchema = Type.Object({
	path: Type.String({ description: "Path to the file to write (relative or absolute)" }),
	content: Type.String({ description: "Content to write to the file" }),
});
