/** Milliseconds between two updates. */
const INTERVAL = 100;

/** Runs `action` when asked, at most every 100 ms, and never after `stop`. */
export function throttled(action: () => void): { request(): void; stop(): void } {
	let last = Number.NEGATIVE_INFINITY;
	let timer: NodeJS.Timeout | undefined;
	const run = () => {
		timer = undefined;
		last = performance.now();
		action();
	};
	return {
		request() {
			if (timer !== undefined) return;
			const wait = INTERVAL - (performance.now() - last);
			if (wait <= 0) run();
			else timer = setTimeout(run, wait);
		},
		stop() {
			clearTimeout(timer);
		},
	};
}
