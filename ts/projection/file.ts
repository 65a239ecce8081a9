import { withCancellation } from "../cancellation.ts";
import type { Binding } from "../native.ts";
import type { Projection, ProjectOptions } from "./types.ts";
import { nativeEnv, nativePipeline, type ViewPipeline } from "./view.ts";

/**
 * Projects a file, of the size it has when it is opened, off the JavaScript thread. Only what the views need is read:
 * the end for `tail -40` and `grep X | tail -40`, the start for `head -40`, otherwise all of it on every core. FIFOs and
 * devices are read as streams.
 *
 * Reading a file of more than 32 MiB from its end takes the part that is not read to be text; `input.bytes` is absent then.
 * @throws SluiceError `IO`, `UNSUPPORTED_VIEW`, `NEEDS_REAL_TOOL`; an `AbortError`
 */
export async function projectFile(
	path: string,
	view: string | ViewPipeline,
	options: ProjectOptions = {},
): Promise<Projection> {
	return await projectFileWith(path, view, options, { collect: true });
}

/** What only the command line needs. */
export interface FileProjectionExtras {
	/** Whether the result holds the output; if not, it is only passed to `onOutput`. */
	readonly collect: boolean;
	/** Is called once, before the work starts, with a function that tells how many bytes have been read. */
	onStart?(bytesRead: () => number): void;
}

/** {@link projectFile} with extras. */
export async function projectFileWith(
	path: string,
	view: string | ViewPipeline,
	options: ProjectOptions,
	extras: FileProjectionExtras,
): Promise<Projection> {
	const pipeline = nativePipeline(view);
	// An error of the caller's own function stops the native work and is what the promise rejects with.
	const stop = new AbortController();
	const signal = options.signal ? AbortSignal.any([options.signal, stop.signal]) : stop.signal;
	let failure: { readonly error: unknown } | undefined;
	const delivery = new Delivery((piece) => {
		if (failure || signal.aborted) return;
		try {
			options.onOutput?.(piece);
		} catch (error) {
			failure = { error };
			stop.abort(error);
		}
	});
	try {
		return await withCancellation(options.onOutput ? signal : options.signal, async (token, engine) => {
			const progress = new engine.ReadProgress();
			extras.onStart?.(() => progress.bytes);
			const fileOptions: Binding.FileOptions = { env: nativeEnv(options.env), collect: extras.collect };
			if (options.onOutput) fileOptions.onOutput = (piece) => delivery.take(piece);
			const end = await engine.projectFile(path, pipeline, fileOptions, progress, token);
			if (options.onOutput) await delivery.complete(end.outputBytes);
			if (failure) throw failure.error;
			return fromFile(end);
		});
	} catch (error) {
		throw failure ? failure.error : error;
	}
}

/** Pieces of output may arrive after the native promise has settled; this waits for the last one. */
class Delivery {
	readonly #take: (piece: Uint8Array) => void;
	#bytes = 0;
	#expected: number | undefined;
	#done: (() => void) | undefined;

	constructor(take: (piece: Uint8Array) => void) {
		this.#take = take;
	}

	take(piece: Uint8Array): void {
		this.#bytes += piece.length;
		this.#take(piece);
		if (this.#bytes === this.#expected) this.#done?.();
	}

	async complete(bytes: number): Promise<void> {
		this.#expected = bytes;
		if (this.#bytes >= bytes) return;
		await new Promise<void>((resolve) => {
			this.#done = resolve;
		});
	}
}

function fromFile(end: Binding.FileProjectionResult): Projection {
	const { output, stderr, exitCode, inputLines, inputBytes } = end;
	const lines = inputLines === undefined ? {} : { lines: inputLines };
	const bytes = inputBytes === undefined ? {} : { bytes: inputBytes };
	return { output, stderr, exitCode, input: { ...lines, ...bytes } };
}
