/** What a chain of views made of its input. */
export interface Projection {
	/**
	 * The bytes that the real pipeline would have written to stdout. From {@link Projector.finish}: those that
	 * no `push` has returned.
	 */
	readonly output: Uint8Array;
	/** What the real pipeline would have written to stderr. */
	readonly stderr: string;
	/** The exit code of the last view. */
	readonly exitCode: number;
	/** What was seen of the input. A field that was not counted is absent. */
	readonly input: ProjectionInput;
}

/** Counts of input. */
export interface ProjectionInput {
	/** Lines; an unterminated last line counts. Absent if the file was not read line by line from its start. */
	readonly lines?: number;
	/** Bytes. Absent if reading did not begin at the start of the file. */
	readonly bytes?: number;
}

/** The environment variables that views read; absent is unset. */
export interface ViewEnvironment {
	readonly LC_ALL?: string | undefined;
	readonly LC_CTYPE?: string | undefined;
	readonly LANG?: string | undefined;
	/** Read by `grep --color=always`. */
	readonly GREP_COLORS?: string | undefined;
}

/** Options of a projection. */
export interface ProjectOptions {
	/** The environment of the views. @default that of this process */
	readonly env?: ViewEnvironment | undefined;
	/** Stops the projection, which rejects with an `AbortError`. */
	readonly signal?: AbortSignal | undefined;
	/** Is called with each piece of the output, in order, as soon as it is known. Never with an empty one. */
	onOutput?(chunk: Uint8Array): void;
}

/** Runs a chain of views over chunks as they arrive. */
export interface Projector {
	/**
	 * Takes the next chunk, of any length, and returns what the last view writes for it. Runs on the calling
	 * thread. How the input is cut into chunks never changes the result.
	 * @throws SluiceError `NEEDS_REAL_TOOL`; an `AbortError`
	 */
	push(chunk: Uint8Array): Uint8Array;
	/** Ends the input. Its `output` is what no push has returned. Call it once. @throws as `push` */
	finish(): Projection;
	/** True once more input would change neither output nor exit code: the real views would have exited. */
	readonly satisfied: boolean;
}
