/** A token bucket: `capacity` tokens, refilled at `perSecond`. Time comes from `now`, in milliseconds. */
export class TokenBucket {
	#tokens;
	#updatedAt;

	constructor({ capacity, perSecond, now = () => performance.now() }) {
		if (!(capacity > 0)) throw new RangeError(`capacity must be positive, not ${capacity}`);
		if (!(perSecond > 0)) throw new RangeError(`perSecond must be positive, not ${perSecond}`);
		this.capacity = capacity;
		this.perSecond = perSecond;
		this.now = now;
		this.#tokens = capacity;
		this.#updatedAt = now();
	}

	/** Tokens there are now. */
	get available() {
		this.#refill();
		return this.#tokens;
	}

	/** Takes `count` tokens if they are there. */
	take(count = 1) {
		this.#refill();
		if (this.#tokens < count) return false;
		this.#tokens -= count;
		return true;
	}

	/** Milliseconds until `count` tokens can be taken; Infinity if never. */
	waitFor(count = 1) {
		if (count > this.capacity) return Infinity;
		this.#refill();
		return Math.max(0, ((count - this.#tokens) / this.perSecond) * 1000);
	}

	#refill() {
		const now = this.now();
		this.#tokens = Math.min(this.capacity, this.#tokens + ((now - this.#updatedAt) / 1000) * this.perSecond);
		this.#updatedAt = now;
	}
}
