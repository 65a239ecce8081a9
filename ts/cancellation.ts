import { abortError, fromNative } from "./errors.ts";
import { binding, type Binding } from "./native.ts";

/**
 * Runs native work under an optional signal: rejects as soon as the signal is aborted, even if the work waits for a
 * free thread, and passes a token that the engine polls so that it ends too.
 * @throws `AbortError`, or a {@link SluiceError}.
 */
export async function withCancellation<T>(
	signal: AbortSignal | undefined,
	work: (token: Binding.Cancellation, engine: typeof Binding) => Promise<T>,
): Promise<T> {
	if (signal?.aborted) throw abortError(signal);
	const engine = binding();
	const token = new engine.Cancellation();
	let cancel = () => {};
	const aborted = new Promise<never>((_resolve, reject) => {
		cancel = () => {
			token.cancel();
			reject(abortError(signal));
		};
	});
	signal?.addEventListener("abort", cancel, { once: true });
	try {
		return await Promise.race([work(token, engine), aborted]);
	} catch (error) {
		throw fromNative(error, signal);
	} finally {
		signal?.removeEventListener("abort", cancel);
	}
}
