import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { schemas } from "../schemas/index.ts";
import { writeFileAtomically } from "./atomic-write.ts";
import { fileIdentity, inFileOrder } from "./mutation-queue.ts";
import type { WriteOperations } from "./operations.ts";
import { resolveToCwd } from "./paths.ts";
import { textResult, throwIfAborted, type ToolDefinition } from "./types.ts";

/** Arguments of the write tool. */
export interface WriteArguments {
	readonly path: string;
	readonly content: string;
}

const local: WriteOperations = {
	writeFile: writeFileAtomically,
	mkdir: async (path) => void (await mkdir(path, { recursive: true })),
};

/** The write tool. Writes of one file follow one another; an abort leaves the old file or the new one. */
export function writeTool(cwd: string, operations?: WriteOperations): ToolDefinition<WriteArguments, undefined> {
	const ops = operations ?? local;
	return {
		name: "write",
		label: "write",
		description:
			"Write content to a file. Creates the file if it doesn't exist, overwrites if it does. Automatically creates parent directories.",
		promptSnippet: "Create or overwrite files",
		promptGuidelines: ["Use write only for new files or complete rewrites."],
		parameters: schemas.write,
		async execute(_toolCallId, { path, content }, signal, _onUpdate, ctx) {
			const absolute = resolveToCwd(path, ctx?.cwd || cwd);
			return inFileOrder(operations ? absolute : fileIdentity(absolute), async () => {
				throwIfAborted(signal);
				await ops.mkdir(dirname(absolute));
				throwIfAborted(signal);
				await ops.writeFile(absolute, content, signal);
				throwIfAborted(signal);
				return textResult(`Successfully wrote to ${path}`);
			});
		},
	};
}
