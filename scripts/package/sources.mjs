// The sources that pi loads: the extension's entry and what it imports at run time. Only these are packed; dist/ has the rest.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { readJson, root } from "./targets.mjs";

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;"]*?\bfrom\s+)?"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)/gm;

/** Paths relative to the root, sorted. */
export function extensionSources(manifest = readJson("package.json")) {
	const found = new Set();
	const visit = (path) => {
		if (found.has(path)) return;
		found.add(path);
		for (const [, fixed, dynamic] of readFileSync(join(root, path), "utf8").matchAll(IMPORT)) visit(posix.join(dirname(path), fixed ?? dynamic));
	};
	for (const entry of manifest.pi.extensions) visit(posix.normalize(entry));
	return [...found].sort();
}
