import { withCancellation } from "../cancellation.ts";
import { abortError, SluiceError } from "../errors.ts";
import type { Binding } from "../native.ts";
import { guarded, nativeProjector, toProjection } from "./projector.ts";
import type { Projection, ProjectOptions } from "./types.ts";
import { nativeEnv, nativePipeline, type ViewPipeline } from "./view.ts";

/** Up to this many bytes a projection costs less than handing it to another thread. */
const HERE_BYTES = 64 * 1024;
/** Larger input crosses in slices of this many bytes, so that no copy holds the event loop up. */
const SLICE_BYTES = 2 * 1024 * 1024;

/**
 * Projects bytes in memory, or a stream of chunks. A stream is read until it ends or the views are satisfied, and is
 * then closed. Input beyond 64 KiB is worked on off the JavaScript thread.
 * @throws SluiceError `UNSUPPORTED_VIEW`, `NEEDS_REAL_TOOL`, `INVALID_ARGUMENT`; an `AbortError`
 */
export async function project(
	input: Uint8Array | AsyncIterable<Uint8Array>,
	view: string | ViewPipeline,
	options: ProjectOptions = {},
): Promise<Projection> {
	const { signal } = options;
	if (signal?.aborted) throw abortError(signal);
	if (!(input instanceof Uint8Array)) return await projectStream(input, view, options);
	if (input.length > HERE_BYTES) return await projectStream(slices(input), view, options);
	const pipeline = nativePipeline(view);
	return await withCancellation(signal, async (_token, engine) => {
		const projection = toProjection(engine.projectNow(pipeline, nativeEnv(options.env), input));
		if (projection.output.length > 0) options.onOutput?.(projection.output);
		return projection;
	});
}

async function projectStream(
	input: AsyncIterable<Uint8Array>,
	view: string | ViewPipeline,
	options: ProjectOptions,
): Promise<Projection> {
	if (typeof input?.[Symbol.asyncIterator] !== "function") {
		throw new SluiceError("INVALID_ARGUMENT", `input is a Uint8Array or a stream of them, not ${typeof input}`);
	}
	const projector = nativeProjector(view, options);
	const pieces: Uint8Array[] = [];
	const emit = (piece: Uint8Array) => {
		if (piece.length === 0) return;
		pieces.push(piece);
		options.onOutput?.(piece);
	};
	return await withCancellation(options.signal, async () => {
		const iterator = input[Symbol.asyncIterator]();
		let open = true;
		try {
			while (!projector.satisfied) {
				const step = await orAbort(iterator.next(), options.signal);
				if (step.done) {
					open = false;
					break;
				}
				await pushAll(projector, step.value, emit, options.signal);
			}
		} finally {
			// Not awaited after an abort: a source that hangs must not hold the rejection up.
			const closed = open ? Promise.resolve(iterator.return?.()) : undefined;
			if (options.signal?.aborted) closed?.catch(() => {});
			else await closed;
		}
		const end = toProjection(projector.finish());
		emit(end.output);
		return { ...end, output: pieces.length === 1 && pieces[0] ? pieces[0] : Buffer.concat(pieces) };
	});
}

async function pushAll(
	projector: Binding.Projector,
	chunk: unknown,
	emit: (piece: Uint8Array) => void,
	signal: AbortSignal | undefined,
): Promise<void> {
	if (!(chunk instanceof Uint8Array)) {
		throw new SluiceError("INVALID_ARGUMENT", `a chunk is a Uint8Array, not ${chunk === null ? "null" : typeof chunk}`);
	}
	if (chunk.length <= HERE_BYTES) return emit(guarded(() => projector.push(chunk)));
	for (let at = 0; at < chunk.length && !projector.satisfied; at += SLICE_BYTES) {
		if (signal?.aborted) throw abortError(signal);
		emit(await projector.pushLater(chunk.subarray(at, at + SLICE_BYTES)));
	}
}

/** One chunk as a stream, which `pushAll` cuts into slices. */
async function* slices(input: Uint8Array): AsyncGenerator<Uint8Array> {
	yield input;
}

/** Waits for `promise`, but not longer than until the signal is aborted. */
async function orAbort<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
	if (!signal) return await promise;
	let abort = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		abort = () => reject(abortError(signal));
	});
	signal.addEventListener("abort", abort, { once: true });
	if (signal.aborted) abort();
	try {
		return await Promise.race([promise, aborted]);
	} finally {
		signal.removeEventListener("abort", abort);
	}
}
