import { abortError, fromNative } from "./errors.ts";
import { binding, type Binding } from "./native.ts";

/**
 * Runs native work under an optional signal: rejects at once if the signal is already aborted, and otherwise
 * passes a token that the engine polls. @throws `AbortError`, or a {@link SluiceError}.
 */
export async function withCancellation<T>(
	signal: AbortSignal | undefined,
	work: (token: Binding.Cancellation, engine: typeof Binding) => Promise<T>,
): Promise<T> {
	if (signal?.aborted) throw abortError(signal);
	const engine = binding();
	const token = new engine.Cancellation();
	const cancel = () => token.cancel();
	signal?.addEventListener("abort", cancel, { once: true });
	try {
		return await work(token, engine);
	} catch (error) {
		throw fromNative(error, signal);
	} finally {
		signal?.removeEventListener("abort", cancel);
	}
}
