// Numbers for people: fixed to English forms, whatever the locale of the process.

/** `1234567` as `1,234,567`. */
export function formatCount(value: number): string {
	return String(Math.round(value)).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** A counted noun: `1 line`, `1,234 lines`. */
export function plural(count: number, noun: string): string {
	return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** Bytes in binary units with at most three digits: `512 B`, `19 KiB`, `1.5 MiB`. */
export function formatBytes(bytes: number): string {
	const units = ["B", "KiB", "MiB", "GiB", "TiB"];
	let value = bytes;
	let unit = 0;
	while (value >= 1023.5 && unit < units.length - 1) {
		value /= 1024;
		unit += 1;
	}
	const digits = unit === 0 || value >= 9.95 ? value.toFixed(0) : value.toFixed(1).replace(/\.0$/, "");
	return `${digits} ${units[unit]}`;
}

/** A duration as pi shows it, and below a tenth of a second in milliseconds: `33ms`, `4.2s`, `1m 30s`, `2h 3m 4s`. */
export function formatDuration(ms: number): string {
	if (ms < 99.5) return `${Math.ceil(ms)}ms`;
	return ms < 60_000 ? `${(ms / 1000).toFixed(1)}s` : formatSeconds(ms);
}

/** A duration in whole seconds, for a clock that ticks: `4s`, `1m 30s`, `2h 3m 4s`. */
export function formatSeconds(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	const minutes = Math.floor(seconds / 60);
	if (minutes === 0) return `${seconds}s`;
	if (minutes < 60) return `${minutes}m ${seconds % 60}s`;
	return `${Math.floor(minutes / 60)}h ${minutes % 60}m ${seconds % 60}s`;
}

/** How much smaller `after` is, in whole percent rounded down; 0 if it is not smaller. */
export function percentSmaller(before: number, after: number): number {
	return before <= after || before <= 0 ? 0 : Math.floor(((before - after) / before) * 100);
}
