// Makes two runs comparable: random names of output files and folders, and times.
import type { CallReport } from "./headless.ts";

/** Replaces what differs from run to run. */
export function normalize(text: string): string {
	return text
		.replace(/\/[^\s\]]*\/(pi-bash(?:-guard)?)-[0-9a-f]{16}\.log/g, "<tmp>/$1-<hex>.log")
		.replace(/\/[^\s\]]*\/sluice-pi-\w+/g, "<home>");
}

/** All that the model, scripts and the session keep of a call, comparable; without the guard's own additions. */
export function comparable({ received, isError, details, structured }: CallReport): unknown {
	const { piToolGuard: record, ...rest } = details ?? {};
	const path = record === undefined ? rest.fullOutputPath : record.projectionPath;
	const kept = path === undefined ? { ...rest, fullOutputPath: undefined } : { ...rest, fullOutputPath: path };
	return JSON.parse(
		normalize(JSON.stringify({ received, isError, details: kept, structured: { ...structured, wall_time_seconds: 0 } })),
	);
}
