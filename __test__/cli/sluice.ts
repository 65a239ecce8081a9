import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";

/** The command line's entry. */
export const main = join(import.meta.dirname, "../../ts/cli/main.ts");
/** A Node that strips types, whichever runs the tests. */
export const node = join(dirname(createRequire(import.meta.url).resolve("node/package.json")), "bin/node");

/** Runs `sluice` with these arguments. */
export function sluice(args: readonly string[], input = ""): [stdout: string, stderr: string, status: number | null] {
	const env = { ...process.env, LC_ALL: "C.UTF-8", NODE_NO_WARNINGS: "1" };
	const { stdout, stderr, status } = spawnSync(node, [main, ...args], { input, env, encoding: "utf8" });
	return [stdout, stderr, status];
}
