import { open, stat } from "node:fs/promises";
import { imageSignature } from "./image.ts";
import { lsDirectory } from "./ls-directory.ts";
import { resolveToCwd, resolveToRead } from "./paths.ts";
import { isRange, readText, selectFromFile } from "./read-text.ts";
import { findTree, grepTree, toToolError } from "./search-text.ts";
import { throwIfAborted, type ToolResult } from "./types.ts";

// pi's own definition stays as it is - description, schema, prompt texts, renderers - and only `execute` is replaced. What is
// not an ordinary text file or folder goes to pi's execute, so that its errors and images are pi's own.

/** The part of a definition of pi's that is replaced. */
interface Executable {
	// oxlint-disable-next-line typescript/no-explicit-any
	execute(toolCallId: string, params: any, signal: AbortSignal | undefined, onUpdate: any, ctx: any): Promise<any>;
}

type Native = (params: never, cwd: string, signal: AbortSignal | undefined) => Promise<ToolResult | undefined>;

/** pi's grep in process: no `rg` to find or download, results in path order, the limit exact. */
export function nativeGrep<D extends Executable>(definition: D, cwd: string): D {
	return override(definition, cwd, async (params: Parameters<typeof grepTree>[0], cwd, signal) => {
		const path = resolveToCwd(params.path || ".", cwd);
		// Not left to pi, which would look for ripgrep first.
		if ((await kindOf(path)) === "missing") throw new Error(`Path not found: ${path}`);
		return grepTree(params, path, signal);
	});
}

/** pi's find in process: no `fd` to find or download, results sorted, the limit exact. */
export function nativeFind<D extends Executable>(definition: D, cwd: string): D {
	return override(definition, cwd, async (params: Parameters<typeof findTree>[0], cwd, signal) => {
		return findTree(params, resolveToCwd(params.path || ".", cwd), signal);
	});
}

/** pi's ls for folders of any size, off the event loop. */
export function nativeLs<D extends Executable>(definition: D, cwd: string): D {
	return override(definition, cwd, async (params: Parameters<typeof lsDirectory>[0], cwd, signal) => {
		const path = resolveToCwd(params.path || ".", cwd);
		return (await kindOf(path)) === "directory" ? lsDirectory(params, path, signal) : undefined;
	});
}

/** pi's read for text files of any size; images and whatever cannot be read stay pi's. */
export function nativeRead<D extends Executable>(definition: D, cwd: string): D {
	return override(definition, cwd, async (params: Parameters<typeof readText>[0], cwd, signal) => {
		const path = await resolveToRead(params.path, cwd);
		if (!isRange(params) || !(await isText(path))) return undefined;
		const result = readText(params, await selectFromFile(path, params, signal));
		const [block] = result.content;
		return { ...result, structuredContent: block?.type === "text" ? block.text : "" };
	});
}

function override<D extends Executable>(definition: D, cwd: string, native: Native): D {
	return {
		...definition,
		async execute(toolCallId, params, signal, onUpdate, ctx) {
			throwIfAborted(signal);
			try {
				const result = await native(params as never, ctx?.cwd || cwd, signal);
				if (result !== undefined) return result;
			} catch (error) {
				throw toToolError(error);
			}
			return definition.execute(toolCallId, params, signal, onUpdate, ctx);
		},
	};
}

async function kindOf(path: string): Promise<"directory" | "file" | "special" | "missing"> {
	const stats = await stat(path).catch(() => undefined);
	if (stats === undefined) return "missing";
	if (stats.isDirectory()) return "directory";
	return stats.isFile() ? "file" : "special";
}

/** Whether a path is for the engine: a file that can be read and does not begin as an image does, or a device or FIFO. */
async function isText(path: string): Promise<boolean> {
	const kind = await kindOf(path);
	// The engine refuses what would never end, such as a FIFO; opening it here would wait.
	if (kind === "special") return true;
	if (kind !== "file") return false;
	const handle = await open(path).catch(() => undefined);
	if (handle === undefined) return false;
	try {
		const { buffer, bytesRead } = await handle.read(Buffer.alloc(16), 0, 16, 0);
		return imageSignature(buffer.subarray(0, bytesRead)) === undefined;
	} finally {
		await handle.close();
	}
}
