import { lutimes } from "node:fs/promises";

/** How often the age of logs is reset at least, in milliseconds. */
const LONGEST_MS = 60 * 60 * 1000;

/**
 * The logs that this pi has made. The session names them, so they must not grow old while it runs: any other pi on the
 * machine removes old logs, and their age is all that it can tell.
 */
export class KeptLogs {
	readonly #paths = new Set<string>();
	#timer: NodeJS.Timeout | undefined;

	/** Keeps a log young; `retentionMs` is the age at which it would be removed. */
	add(path: string, retentionMs: number): void {
		this.#paths.add(path);
		// Four times in that age: one delayed or lost refresh does no harm.
		if (this.#timer !== undefined) return;
		this.#timer = setInterval(() => void this.refresh(), Math.min(LONGEST_MS, retentionMs / 4)).unref();
	}

	/** Makes all of them as young as a log that has just been written. */
	async refresh(): Promise<void> {
		const now = new Date();
		await Promise.all(
			[...this.#paths].map((path) =>
				lutimes(path, now, now).catch(() => {
					// Removed by hand.
					this.#paths.delete(path);
				}),
			),
		);
	}
}
