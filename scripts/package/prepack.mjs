// Around `npm pack` in a checkout, which makes a tarball that is complete on this machine: builds what is missing, narrows the
// sources to those that pi loads, and takes the platform packages out of the packed manifest, for the engine is inside and
// Yarn refuses names that are not published yet. `prepack.mjs restore` puts the manifest back. (What is published comes from pack.mjs.)
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { run } from "../setup.mjs";
import { suffixOf, thisMachine } from "../../ts/native/target.ts";
import { extensionSources } from "./sources.mjs";
import { root } from "./targets.mjs";

const manifest = join(root, "package.json");
const kept = join(root, ".cache", "package.json");

// Also after a run that was interrupted.
if (existsSync(kept)) renameSync(kept, manifest);
if (process.argv[2] !== "restore") {
	// npm prints the tarball's name, or JSON, on stdout: builds talk on stderr.
	const quiet = { stdio: ["ignore", 2, 2] };
	run("npm", ["run", "--silent", "build:ts"], quiet);
	if (!existsSync(join(root, "binding", `sluice.${suffixOf(thisMachine())}.node`))) run("npm", ["run", "--silent", "build:native"], quiet);
	const text = readFileSync(manifest, "utf8");
	const { optionalDependencies: _, ...packed } = JSON.parse(text);
	packed.files = packed.files.flatMap((pattern) => (pattern === "ts" ? extensionSources() : pattern));
	mkdirSync(dirname(kept), { recursive: true });
	writeFileSync(kept, text);
	writeFileSync(manifest, `${JSON.stringify(packed, null, 2)}\n`);
}
