// `npm run bump -- <version>`: sets the version everywhere (package.json, lock file, npm/*, Cargo, ts/version.ts) and turns
// the CHANGELOG's [Unreleased] into that version's heading, dated today (UTC).
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { root } from "./targets.mjs";

/** The changelog with `## [Unreleased]` kept, empty, and its entries under the version's heading. */
export function release(changelog, version, date) {
	const heading = "## [Unreleased]\n";
	if (!changelog.includes(heading)) throw new Error("CHANGELOG.md has no [Unreleased] heading");
	if (changelog.includes(`## [${version}]`)) throw new Error(`CHANGELOG.md already has ${version}`);
	const start = changelog.indexOf(heading) + heading.length;
	const next = changelog.indexOf("\n## [", start);
	const entries = changelog.slice(start, next === -1 ? undefined : next).trim();
	if (entries === "") throw new Error("CHANGELOG.md has nothing under [Unreleased]");
	return `${changelog.slice(0, start)}\n## [${version}] - ${date}\n\n${entries}\n${next === -1 ? "" : changelog.slice(next)}`;
}

/** A number that npm and Cargo both accept. */
export const isVersion = (text) => /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(-[0-9A-Za-z-]+(\.[0-9A-Za-z-]+)*)?$/.test(text);

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const version = process.argv[2] ?? "";
	if (!isVersion(version)) {
		console.error("usage: npm run bump -- <version>, for example 0.2.0");
		process.exit(2);
	}
	const changelog = join(root, "CHANGELOG.md");
	writeFileSync(changelog, release(readFileSync(changelog, "utf8"), version, new Date().toISOString().slice(0, 10)));
	const manifest = join(root, "package.json");
	writeFileSync(manifest, readFileSync(manifest, "utf8").replace(/("version": ")[^"]*/, `$1${version}`));
	execFileSync(process.execPath, [join(root, "scripts/package/manifests.mjs")], { stdio: "inherit" });
	console.log(`now ${version}; the addon is the old one until npm run setup`);
}
