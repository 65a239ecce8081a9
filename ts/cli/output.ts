import { writeSync } from "node:fs";

/** The status of a program whose reader went away, as a shell reports it. */
export const BROKEN_PIPE = 141;

/** The reader of stdout went away. */
export class BrokenPipe extends Error {}

/** Writes all of `bytes` to stdout before it returns, so that a slow reader slows the producer. @throws BrokenPipe */
export function writeOut(bytes: Uint8Array): void {
	const pause = new Int32Array(new SharedArrayBuffer(4));
	for (let at = 0; at < bytes.length; ) {
		try {
			at += writeSync(1, bytes, at);
		} catch (error) {
			const { code } = error as NodeJS.ErrnoException;
			if (code === "EPIPE") throw new BrokenPipe();
			// A pipe that somebody else made non-blocking is full.
			if (code !== "EAGAIN") throw error;
			Atomics.wait(pause, 0, 0, 1);
		}
	}
}
