// One projection, or one guarded command, in a process of its own; reports by how many MB the resident set grew at most.
import { readFileSync } from "node:fs";
import { env, sluice } from "./engine.mjs";

const [kind, view, path] = process.argv.slice(2);
// Loads the engine and lets the allocators settle.
for (let i = 0; i < 3; i++) {
	if (kind === "run") await sluice.runGuarded("printf 'a\\nb\\n' | tail -1");
	else await sluice.project(Buffer.from("a\nb\n"), view, { env });
}
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
if (kind === "run") await sluice.runGuarded(view, { keepLog: "never" });
else await sluice.projectFile(path, view, { env });
clearInterval(timer);
process.send?.(Math.max(0, Math.max(sampled, peak()) - before));
process.disconnect?.();
