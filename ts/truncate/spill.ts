import { type FileHandle, open } from "node:fs/promises";

/** Unwritten bytes from which on the producer is asked to wait. */
const HIGH_WATER = 4 * 1024 * 1024;

/** A file that output is written to in the background, in order. */
export class Spill {
	readonly path: string;
	/** The first failure; nothing is written after it. */
	error: Error | undefined;
	#queue: Uint8Array[] = [];
	#unwritten = 0;
	#pump: Promise<void> | undefined;
	readonly #handle: Promise<FileHandle | undefined>;

	constructor(path: string) {
		this.path = path;
		this.#handle = open(path, "wx", 0o600).catch((error: Error) => {
			this.error = error;
			return undefined;
		});
	}

	/** Queues a chunk. Returns a promise if much is unwritten. */
	write(chunk: Uint8Array): Promise<void> | undefined {
		if (this.error) return undefined;
		this.#queue.push(chunk);
		this.#unwritten += chunk.length;
		this.#pump ??= this.#run();
		return this.#unwritten > HIGH_WATER ? this.#pump : undefined;
	}

	/** Writes what is left and closes the file. */
	async close(): Promise<void> {
		await this.#pump;
		await (await this.#handle)?.close();
	}

	async #run(): Promise<void> {
		const handle = await this.#handle;
		while (handle && this.#queue.length > 0) {
			const batch = this.#queue;
			this.#queue = [];
			try {
				await writeAll(handle, batch);
			} catch (error) {
				this.error = error instanceof Error ? error : new Error(String(error));
			}
			this.#unwritten -= batch.reduce((sum, chunk) => sum + chunk.length, 0);
			if (this.error) break;
		}
		if (this.error) this.#queue = [];
		this.#pump = undefined;
	}
}

async function writeAll(handle: FileHandle, batch: Uint8Array[]): Promise<void> {
	const total = batch.reduce((sum, chunk) => sum + chunk.length, 0);
	const { bytesWritten } = await handle.writev(batch);
	// A short write: go on one chunk at a time.
	for (let skip = bytesWritten, index = 0; bytesWritten < total && index < batch.length; index++) {
		const chunk = batch[index] ?? new Uint8Array();
		let at = Math.min(skip, chunk.length);
		skip -= at;
		while (at < chunk.length) at += (await handle.write(chunk, at)).bytesWritten;
	}
}
