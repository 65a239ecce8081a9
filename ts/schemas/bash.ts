import { Type } from "./typebox.ts";

/** Arguments of `bash`: free text for the shell. `timeout` is in seconds. */
export const bashSchema = Type.Object({
	command: Type.String({ description: "Shell command to execute" }),
	timeout: Type.Optional(Type.Number({ description: "Timeout in seconds (optional, no default timeout)" })),
});
