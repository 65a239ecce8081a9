// One projection in a process of its own; reports by how many MB the resident set grew at most.
import { readFileSync } from "node:fs";
import { env, sluice } from "./engine.mjs";

const [path, view] = process.argv.slice(2);
// Loads the engine and lets the allocators settle.
for (let i = 0; i < 3; i++) await sluice.project(Buffer.from("a\nb\n"), view, { env });
globalThis.gc?.();

/** The highest resident set so far in MB; Linux knows it, elsewhere it is sampled. */
function peak() {
	try {
		return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync("/proc/self/status", "utf8"))?.[1]) / 1024;
	} catch {
		return process.memoryUsage.rss() / 2 ** 20;
	}
}

const before = process.memoryUsage.rss() / 2 ** 20;
let sampled = 0;
const timer = setInterval(() => (sampled = Math.max(sampled, process.memoryUsage.rss() / 2 ** 20)), 2);
await sluice.projectFile(path, view, { env });
clearInterval(timer);
process.send?.(Math.max(0, Math.max(sampled, peak()) - before));
process.disconnect?.();
