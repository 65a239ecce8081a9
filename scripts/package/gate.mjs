// `npm run gate`: what is published for this machine, all of it: the engine linked by zig against an old C library, its
// symbols, libraries and size, the packages' contents, publint and attw, and installs with every package manager and pi.
// Linux only; needs Python, and the network for zig and the package managers. Some four minutes. Part of `npm test` in CI.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { suffixOf, thisMachine } from "../../ts/native/target.ts";
import { env, run } from "../setup.mjs";
import { root, targets } from "./targets.mjs";

/** The status that says that the gate could not run here. */
const SKIPPED = 75;

const target = targets().find(({ suffix }) => suffix === suffixOf(thisMachine()));
if (target?.os !== "linux") {
	console.log("gate: skipped: engines for other systems than Linux are checked by the build workflow");
	process.exit(SKIPPED);
}
const zig = join(root, ".cache", "zig", "bin");
if (!existsSync(join(zig, "cargo-zigbuild"))) {
	const steps = [["python3", "-m", "venv", join(root, ".cache", "zig")], [join(zig, "pip"), "install", "--quiet", "--requirement", "scripts/package/zig-requirements.txt"]];
	if (steps.some(([command, ...args]) => spawnSync(command, args, { cwd: root, stdio: "inherit" }).status !== 0)) {
		console.log("gate: skipped: zig cannot be installed: it needs Python 3 with venv, and PyPI");
		process.exit(SKIPPED);
	}
}
const script = (name, ...args) => run("npm", ["run", "--silent", name, "--", ...args], { env: { ...env, PATH: `${zig}${delimiter}${env.PATH}` } });
script("build:engine", target.triple);
script("pack:release");
script("check:packages");
script("test:packages", "--engines", "artifacts");
console.log("gate: ok");
