import { constants } from "node:fs";
import { access, open, readFile } from "node:fs/promises";
import { schemas } from "../schemas/index.ts";
import { decode } from "../truncate/truncate.ts";
import { imageSignature } from "./image.ts";
import type { ReadOperations } from "./operations.ts";
import { resolveToCwd, resolveToRead } from "./paths.ts";
import { isRange, type ReadArguments, type ReadDetails, readText, selectFromFile, selectFromText } from "./read-text.ts";
import { toToolError } from "./search-text.ts";
import { throwIfAborted, type ToolDefinition, type ToolResult } from "./types.ts";

const local: ReadOperations = {
	readFile: (path) => readFile(path),
	access: (path) => access(path, constants.R_OK),
	async detectImageMimeType(path) {
		// Opening a FIFO would wait for a writer.
		const handle = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
		try {
			const stats = await handle.stat();
			if (stats.isFIFO() || stats.isSocket()) throw new Error(`Not a file that can be read: ${path}`);
			if (stats.isCharacterDevice()) return undefined;
			const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
			return imageSignature(buffer.subarray(0, bytesRead));
		} finally {
			await handle.close();
		}
	},
};

/** The read tool. Locally files of any size are read natively; other operations load the file. */
export function readTool(cwd: string, operations?: ReadOperations): ToolDefinition<ReadArguments, ReadDetails> {
	const ops = operations ?? local;
	return {
		name: "read",
		label: "read",
		description:
			"Read the contents of a file. Supports text files and images (jpg, png, gif, webp, bmp). Images are sent as attachments. For text files, output is truncated to 2000 lines or 50KB (whichever is hit first). Use offset/limit for large files. When you need the full file, continue with offset until complete.",
		promptSnippet: "Read file contents",
		promptGuidelines: ["Use read to examine files instead of cat or sed."],
		parameters: schemas.read,
		async execute(_toolCallId, args, signal, _onUpdate, ctx) {
			throwIfAborted(signal);
			const base = ctx?.cwd || cwd;
			const path = operations ? resolveToCwd(args.path, base) : await resolveToRead(args.path, base);
			await ops.access(path);
			throwIfAborted(signal);
			const mimeType = await ops.detectImageMimeType?.(path);
			throwIfAborted(signal);
			if (mimeType) return image(mimeType, await ops.readFile(path));
			if (!operations && isRange(args)) {
				return readText(args, await selectFromFile(path, args, signal).catch((error) => Promise.reject(toToolError(error))));
			}
			const bytes = await ops.readFile(path);
			throwIfAborted(signal);
			return readText(args, selectFromText(decode(bytes), args));
		},
	};
}

function image(mimeType: string, bytes: Uint8Array): ToolResult<ReadDetails> {
	return {
		content: [
			{ type: "text", text: `Read image file [${mimeType}]` },
			{ type: "image", data: Buffer.from(bytes).toString("base64"), mimeType },
		],
	};
}
