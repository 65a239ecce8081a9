import { binding, type Binding } from "../native.ts";
import type { TruncationOptions, TruncationResult } from "./limits.ts";
import { Spill } from "./spill.ts";
import { lineCount } from "./totals.ts";
import { decode } from "./truncate.ts";
import { cutTail, fits, type Limits, limitsOf, reach, whole } from "./window.ts";

/** What is known about the output so far. */
export interface OutputSnapshot {
	/** The end of the output within the limits, with the totals of all of it. */
	readonly truncation: TruncationResult;
	/** UTF-8 bytes of the last line. */
	readonly lastLineBytes: number;
	/** The file with all of the output, once it is over a limit. */
	readonly fullOutputPath?: string;
	/** Why that file is missing or incomplete. */
	readonly spillError?: Error;
}

/**
 * Takes a command's output of any length in chunks: keeps the end, counts all, and writes all to a file once it is over
 * a limit. Memory is bounded by the limits if the producer waits for what {@link append} returns.
 */
export class OutputAccumulator {
	readonly #limits: Limits;
	readonly #counter: Binding.TextCounter;
	readonly #spillPath: () => string;
	#chunks: Uint8Array[] = [];
	#held = 0;
	#total = 0;
	#endsWithNewline = true;
	#spill: Spill | undefined;

	/** `spillPath` names the file for output that is over a limit; it is made with mode 0600 and must not exist. */
	constructor(options: TruncationOptions & { readonly spillPath: () => string }) {
		this.#limits = limitsOf(options);
		this.#counter = new (binding().TextCounter)();
		this.#spillPath = options.spillPath;
	}

	/** Adds a chunk, which must not change afterwards. Returns a promise if the file is behind and the producer should wait. */
	append(chunk: Uint8Array): Promise<void> | undefined {
		if (chunk.length === 0) return undefined;
		this.#counter.push(chunk);
		this.#endsWithNewline = chunk[chunk.length - 1] === 10;
		this.#chunks.push(chunk);
		this.#held += chunk.length;
		this.#total += chunk.length;
		const over = this.#total > this.#limits.maxBytes || this.#counter.newlines > this.#limits.maxLines;
		let drained: Promise<void> | undefined;
		if (this.#spill) drained = this.#spill.write(chunk);
		else if (over) {
			this.#spill = new Spill(this.#spillPath());
			for (const earlier of this.#chunks) drained = this.#spill.write(earlier);
		}
		this.#dropBeginning();
		return drained;
	}

	/** Ends the output and waits until the file is complete. */
	async finish(): Promise<void> {
		this.#counter.finish();
		await this.#spill?.close();
	}

	/** The output so far; a character that is not complete yet is left out. */
	snapshot(): OutputSnapshot {
		const held = Buffer.concat(this.#chunks);
		const text = decode(held.subarray(0, held.length - this.#counter.pending));
		const bytes = this.#counter.utf8Bytes;
		const totals = { lines: lineCount(this.#counter.newlines, this.#endsWithNewline, bytes), bytes };
		const isAll = this.#held === this.#total;
		const truncation = fits(totals, this.#limits) ? whole(text, totals, this.#limits) : cutTail(text, isAll, totals, this.#limits);
		return {
			truncation,
			lastLineBytes: this.#counter.lineBytes,
			...(this.#spill && !this.#spill.error ? { fullOutputPath: this.#spill.path } : {}),
			...(this.#spill?.error ? { spillError: this.#spill.error } : {}),
		};
	}

	#dropBeginning(): void {
		if (!this.#spill) return; // Everything may still have to be written.
		const needed = reach(this.#limits) + 8;
		while (this.#chunks[0] && this.#held - this.#chunks[0].length >= needed) {
			this.#held -= this.#chunks[0].length;
			this.#chunks.shift();
		}
	}
}
