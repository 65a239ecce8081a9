// `npm run gate`: what is published for this machine, all of it: the engine linked by zig against an old C library, its
// symbols, libraries and size, the packages' contents, publint and attw, and installs with every package manager and pi.
// Linux only; needs Python, and the network for zig and the package managers. Some four minutes.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { suffixOf, thisMachine } from "../../ts/native/target.ts";
import { env, run } from "../setup.mjs";
import { root, targets } from "./targets.mjs";

const target = targets().find(({ suffix }) => suffix === suffixOf(thisMachine()));
if (target?.os !== "linux") {
	console.log("gate: engines for other systems than Linux are checked by the build workflow");
	process.exit(0);
}
const zig = join(root, ".cache", "zig", "bin");
if (!existsSync(join(zig, "cargo-zigbuild"))) {
	run("python3", ["-m", "venv", join(root, ".cache", "zig")]);
	run(join(zig, "pip"), ["install", "--quiet", "--requirement", "scripts/package/zig-requirements.txt"]);
}
const script = (name, ...args) => run("npm", ["run", "--silent", name, "--", ...args], { env: { ...env, PATH: `${zig}${delimiter}${env.PATH}` } });
script("build:engine", target.triple);
script("pack:release");
script("check:packages");
script("test:packages", "--engines", "artifacts");
console.log("gate: ok");
