import { randomBytes } from "node:crypto";
import { resolve as resolvePath } from "node:path";
import { fromNative, SluiceError } from "../../errors.ts";
import { binding, type Binding } from "../../native.ts";
import type { RunOptions } from "./run.ts";

/** pi's limits: output beyond them is cut for the model, so the whole is kept as a file. */
export const LOG_MEMORY = { bytes: 50 * 1024, lines: 2000 };

/** A capture that has not started, and the promise of its result. */
export interface OpenCapture {
	readonly capture: Binding.Capture;
	readonly ended: Promise<Binding.CaptureResult>;
}

/** Makes the engine's side of a run. A callback that throws ends the capture and rejects the promise with its error. */
export function openCapture(nonce: string, windows: Binding.CaptureWindow[], options: RunOptions): OpenCapture {
	const { promise: ended, resolve, reject } = deferred<Binding.CaptureResult>();
	const onEvent = (event: Binding.CaptureEvent) => {
		if (event.end) resolve(event.end);
		else if (event.failure) reject(new SluiceError(event.failure.code, event.failure.message));
		try {
			if (event.output) options.onOutput?.(event.output, event.isStderr ? "stderr" : "stdout");
			if (event.preview) options.onPreview?.(event.preview);
		} catch (error) {
			reject(error);
			capture.stop();
		}
	};
	const capture = create(
		{
			nonce,
			windows,
			// The log's path is read by others, in other folders. TMPDIR may be relative, too.
			logDir: resolvePath(options.logDir),
			logId: randomBytes(8).toString("hex"),
			keepLog: options.keepLog,
			logMemoryBytes: LOG_MEMORY.bytes,
			logMemoryLines: LOG_MEMORY.lines,
			slowMs: options.slowMs,
			finishBytes: options.finishLimits.bytes,
			finishMs: options.finishLimits.ms,
			maxOutputBytes: options.maxOutputBytes,
		},
		onEvent,
	);
	return { capture, ended };
}

function create(options: Binding.CaptureOptions, onEvent: (event: Binding.CaptureEvent) => void): Binding.Capture {
	try {
		return binding().Capture.create(options, onEvent);
	} catch (error) {
		throw fromNative(error);
	}
}

function deferred<T>() {
	let resolve!: (value: T) => void;
	let reject!: (error: unknown) => void;
	const promise = new Promise<T>((yes, no) => {
		resolve = yes;
		reject = no;
	});
	// The owner may be busy with the child when this settles; it always looks later.
	promise.catch(() => {});
	return { promise, resolve, reject };
}
