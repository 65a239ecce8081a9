// Runs a TypeScript file of this checkout, set up first. Needs nothing that `npm install` brings.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { env, root, setup } from "../setup.mjs";

/** Sets up, and runs `file` with the Node that is a development dependency and with the arguments of this process. */
export function runWithCheckout(file) {
	setup();
	const node = join(root, "node_modules", ".bin", "node");
	const { error, status } = spawnSync(node, [join(root, file), ...process.argv.slice(2)], { cwd: root, env, stdio: "inherit" });
	if (error) throw error;
	process.exitCode = status ?? 1;
}
