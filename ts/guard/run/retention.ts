import { binding } from "../../native.ts";

/** A folder is looked through at most once in this time, in milliseconds. */
const INTERVAL_MS = 60 * 60 * 1000;

/** Removes old logs from a folder now and then, in the background. One per owner of runs; no timers. */
export class Retention {
	#last = new Map<string, number>();

	/** Called after a log was written. Never throws: a folder that cannot be read has nothing to remove. */
	purge(dir: string, retentionMs: number): void {
		const now = Date.now();
		if (now - (this.#last.get(dir) ?? 0) < INTERVAL_MS) return;
		this.#last.set(dir, now);
		binding()
			.purgeLogs(dir, retentionMs)
			.catch(() => {});
	}
}
