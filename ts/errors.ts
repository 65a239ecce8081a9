/** Every failure that Sluice itself reports. `code` is stable across releases. */
export class SluiceError extends Error {
	/** For example `UNSUPPORTED_VIEW`, `NATIVE_UNAVAILABLE`, `IO`. */
	readonly code: string;

	constructor(code: string, message: string, options?: { cause?: unknown }) {
		super(message, options);
		this.name = "SluiceError";
		this.code = code;
	}
}

/** Turns an error of the binding into a {@link SluiceError}, or an `AbortError` if it was cancelled; others pass unchanged. */
export function fromNative(error: unknown, signal?: AbortSignal): unknown {
	if (!(error instanceof Error) || !("code" in error) || typeof error.code !== "string") return error;
	if (error.code === "ABORTED") return abortError(signal);
	// Arguments of another type than declared are refused by the binding's own checks.
	const code = /^InvalidArg$|Expected$/.test(error.code) ? "INVALID_ARGUMENT" : error.code;
	return new SluiceError(code, error.message, { cause: error });
}

/** An error named `AbortError`, whose cause is the signal's own reason. */
export function abortError(signal?: AbortSignal): Error {
	const error = new Error("The operation was aborted", { cause: signal?.reason });
	error.name = "AbortError";
	return error;
}
