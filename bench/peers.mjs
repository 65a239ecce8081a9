// Peers that are packages. pi is a development dependency; the engine of oh-my-pi is used if BENCH_OMP names its .node file.
import { createRequire } from "node:module";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const modules = fileURLToPath(new URL("../node_modules/", import.meta.url));
/** pi's exports. */
export const pi = await import("@earendil-works/pi-coding-agent").catch(() => undefined);
/** What pi does not export: its output accumulator. */
export const { OutputAccumulator: PiAccumulator } = await import(
	join(modules, "@earendil-works/pi-coding-agent/dist/core/tools/output-accumulator.js")
).catch(() => ({}));
/** The engine of oh-my-pi, or undefined. */
export const omp = process.env.BENCH_OMP ? createRequire(import.meta.url)(process.env.BENCH_OMP) : undefined;
