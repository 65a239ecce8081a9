// Runs a TypeScript file of this checkout, set up first. Needs nothing that `npm install` brings.
import { spawnSync } from "node:child_process";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Sets up, runs `file` with the Node that is a development dependency, and exits with its status. */
export function runWithCheckout(file) {
	run(process.execPath, [join(root, "scripts", "setup.mjs")]);
	run(join(root, "node_modules", ".bin", "node"), [join(root, file), ...process.argv.slice(2)]);
}

function run(command, args) {
	const { error, signal, status } = spawnSync(command, args, { cwd: root, stdio: "inherit" });
	if (error) throw error;
	if (status !== 0) process.exit(status ?? 128 + (signal === null ? 0 : 1));
}
