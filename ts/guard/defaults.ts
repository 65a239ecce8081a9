/** What applies where nothing is set. Times are milliseconds. */
export const DEFAULTS = {
	/** From when on a command is slow. */
	slowMs: 10_000,
	/** How long logs are kept. */
	retentionMs: 24 * 60 * 60 * 1000,
	/** How much longer a producer may run once its views have seen enough. */
	finishLimits: { ms: 10 * 60 * 1000, bytes: 64 * 1024 * 1024 },
	/** How many bytes of each stream a result holds. */
	maxOutputBytes: 16 * 1024 * 1024,
} as const;
