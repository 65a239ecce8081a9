// Which sources import which: of the extension that pi loads (only these are packed; dist/ has the rest), and for bundle.mjs.
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { readJson, root } from "./targets.mjs";

const IMPORT = /^(?:import|export)\s+(?!type\b)(?:[^;"]*?\bfrom\s+)?"(\.[^"]+)"|\bimport\(\s*"(\.[^"]+)"\s*\)/gm;

/** The sources that one imports at run time. Paths are relative to the root. */
function importsOf(path) {
	const source = readFileSync(join(root, path), "utf8");
	return [...source.matchAll(IMPORT)].map(([, fixed, dynamic]) => posix.join(dirname(path), fixed ?? dynamic));
}

/** All sources behind `entries`, these included, sorted; what `inside` refuses is listed but not followed. */
export function reachable(entries, inside = () => true) {
	const found = new Set();
	const visit = (path) => {
		if (found.has(path)) return;
		found.add(path);
		if (inside(path)) importsOf(path).forEach(visit);
	};
	entries.forEach(visit);
	return [...found].sort();
}

/** The sources of the pi extension. */
export function extensionSources(manifest = readJson("package.json")) {
	return reachable(manifest.pi.extensions.map((entry) => posix.normalize(entry)));
}
