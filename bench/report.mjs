// Tables of results, and the verdict on a goal.
import { mad, median } from "./harness.mjs";

const digits = (ms) => (ms >= 100 ? ms.toFixed(0) : ms >= 10 ? ms.toFixed(1) : ms >= 0.1 ? ms.toFixed(2) : ms.toFixed(4));

/** Milliseconds for people. */
export const ms = (value) => `${digits(value)} ms`;

/**
 * A table of a race. `goals` maps a peer's name to the most that ours may take of its time (must), or an absolute
 * limit in milliseconds under the name "ours".
 */
export function raceTable(results, goals) {
	const ours = median(results[0].times);
	const lines = ["| peer | median ms | MAD | min | ours / peer | goal |", "|---|---:|---:|---:|---:|---|"];
	let met = true;
	for (const [i, { name, times }] of results.entries()) {
		const center = median(times);
		const ratio = ours / center;
		const goal = goals[i === 0 ? "ours" : name];
		let verdict = "";
		if (goal !== undefined) {
			const good = i === 0 ? ours <= goal : ratio <= goal;
			met &&= good;
			verdict = `${i === 0 ? `<= ${goal} ms` : `<= ${goal}x`}: ${good ? "met" : "**missed**"}`;
		}
		const share = i === 0 ? "" : `${ratio.toFixed(ratio < 0.1 ? 4 : 2)}x`;
		lines.push(`| ${name} | ${digits(center)} | ${digits(mad(times))} | ${digits(Math.min(...times))} | ${share} | ${verdict} |`);
	}
	return { text: lines.join("\n"), met };
}

/** A table of single measurements: `[what, value, limit, unit]`; at most the limit is good. */
export function valueTable(rows) {
	const lines = ["| what | measured | goal |", "|---|---:|---|"];
	let met = true;
	for (const [what, value, limit, unit] of rows) {
		const good = limit === undefined || value <= limit;
		met &&= good;
		const verdict = limit === undefined ? "" : `<= ${limit} ${unit}: ${good ? "met" : "**missed**"}`;
		lines.push(`| ${what} | ${digits(value)} ${unit} | ${verdict} |`);
	}
	return { text: lines.join("\n"), met };
}
