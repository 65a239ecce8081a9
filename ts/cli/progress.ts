import { formatSize } from "../truncate/index.ts";

/** Work that ends sooner than this shows no progress, in milliseconds. */
const QUIET_MS = 1000;
const INTERVAL_MS = 200;

/** A line on the terminal that tells how far a job is; nothing if stderr is not a terminal. */
export class ProgressLine {
	readonly #timer: NodeJS.Timeout | undefined;
	readonly #start = performance.now();
	#visible = false;

	/** `bytes` tells how much was read so far, `total` how much there is, if that is known. */
	constructor(bytes: () => number, total: number | undefined) {
		if (!process.stderr.isTTY) return;
		this.#timer = setInterval(() => {
			if (performance.now() - this.#start < QUIET_MS) return;
			const read = bytes();
			const share = total ? ` of ${formatSize(total)}, ${Math.min(100, Math.floor((100 * read) / total))} %` : "";
			process.stderr.write(`\r\x1b[Ksluice: ${formatSize(read)}${share}`);
			this.#visible = true;
		}, INTERVAL_MS);
		this.#timer.unref();
	}

	/** Clears the line, so that other output can be written. It comes back by itself. */
	clear(): void {
		if (this.#visible) process.stderr.write("\r\x1b[K");
		this.#visible = false;
	}

	/** Ends it. */
	stop(): void {
		clearInterval(this.#timer);
		this.clear();
	}
}
