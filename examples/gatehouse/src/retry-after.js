/** A `Retry-After` header as milliseconds from `now`: delta seconds or an HTTP date. `undefined` if it is neither. */
export function parseRetryAfter(header, now = Date.now()) {
	const text = header.trim();
	if (/^\d+$/.test(text)) return Number(text) * 1000;
	const date = Date.parse(text);
	// A date in the past should mean "now", that is 0. The demo's failing test shows that it does not.
	return Number.isNaN(date) ? undefined : date - now;
}

/** The header for a delay in milliseconds: whole seconds, rounded up. */
export function formatRetryAfter(ms) {
	return String(Math.max(0, Math.ceil(ms / 1000)));
}
