/** Delay before retry number `attempt` (from 0): doubles from `base` up to `cap`, in milliseconds. */
export function backoff(attempt, { base = 100, cap = 30_000 } = {}) {
	if (!Number.isInteger(attempt) || attempt < 0) throw new RangeError(`attempt must be 0 or more, not ${attempt}`);
	return Math.min(cap, base * 2 ** attempt);
}

/** The same with full jitter: a random delay up to the whole one. */
export function jittered(attempt, options = {}, random = Math.random) {
	return Math.floor(random() * backoff(attempt, options));
}
