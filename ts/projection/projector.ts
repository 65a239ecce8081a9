import { abortError, fromNative } from "../errors.ts";
import { type Binding, binding } from "../native.ts";
import type { Projection, ProjectOptions, Projector } from "./types.ts";
import { nativeEnv, nativePipeline, type ViewPipeline } from "./view.ts";

/**
 * Runs a chain of views over chunks as they arrive. Memory is what the views keep.
 * @throws SluiceError `UNSUPPORTED_VIEW`
 */
export function createProjector(view: string | ViewPipeline, options: ProjectOptions = {}): Projector {
	return new StreamProjector(nativeProjector(view, options), options);
}

/** The binding's projector. @throws SluiceError `UNSUPPORTED_VIEW` */
export function nativeProjector(view: string | ViewPipeline, options: ProjectOptions): Binding.Projector {
	const pipeline = nativePipeline(view);
	return guarded(() => binding().Projector.create(pipeline, nativeEnv(options.env)));
}

class StreamProjector implements Projector {
	readonly #native: Binding.Projector;
	readonly #options: ProjectOptions;

	constructor(native: Binding.Projector, options: ProjectOptions) {
		this.#native = native;
		this.#options = options;
	}

	push(chunk: Uint8Array): Uint8Array {
		this.#check();
		const output = guarded(() => this.#native.push(chunk));
		if (output.length > 0) this.#options.onOutput?.(output);
		return output;
	}

	finish(): Projection {
		this.#check();
		const projection = toProjection(guarded(() => this.#native.finish()));
		if (projection.output.length > 0) this.#options.onOutput?.(projection.output);
		return projection;
	}

	get satisfied(): boolean {
		return this.#native.satisfied;
	}

	#check(): void {
		if (this.#options.signal?.aborted) throw abortError(this.#options.signal);
	}
}

/** The public form of the binding's result. */
export function toProjection(end: Binding.ProjectionResult): Projection {
	const { output, stderr, exitCode, inputLines: lines, inputBytes: bytes } = end;
	return { output, stderr, exitCode, input: { lines, bytes } };
}

/** Runs native work with its errors made public ones. */
export function guarded<T>(work: () => T): T {
	try {
		return work();
	} catch (error) {
		throw fromNative(error);
	}
}
