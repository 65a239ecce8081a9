/** Counts events in a sliding window of `ms` milliseconds. */
export class SlidingWindow {
	#events = [];

	constructor({ limit, ms, now = () => performance.now() }) {
		this.limit = limit;
		this.ms = ms;
		this.now = now;
	}

	/** Events in the window now. */
	get count() {
		const oldest = this.now() - this.ms;
		while (this.#events.length > 0 && this.#events[0] <= oldest) this.#events.shift();
		return this.#events.length;
	}

	/** Counts an event unless the window is full. */
	hit() {
		if (this.count >= this.limit) return false;
		this.#events.push(this.now());
		return true;
	}
}
