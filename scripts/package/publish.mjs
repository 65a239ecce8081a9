// `node scripts/package/publish.mjs DIR [--dry-run]`: publishes the tarballs of DIR, platform packages first. What is already
// there with the same content is skipped, so that a run that broke off is simply run again; other content is an error.
import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const directory = resolve(process.argv[2] ?? "packages");
const dryRun = process.argv.includes("--dry-run");

/** The platform packages, then the main one: it must never be there without them. */
const packages = readdirSync(directory)
	.filter((name) => name.endsWith(".tgz"))
	.map((name) => {
		const path = join(directory, name);
		const manifest = JSON.parse(execFileSync("tar", ["-xzOf", path, "package/package.json"], { encoding: "utf8" }));
		return { path, manifest, integrity: `sha512-${createHash("sha512").update(readFileSync(path)).digest("base64")}` };
	})
	.sort((a, b) => Number(Boolean(a.manifest.optionalDependencies)) - Number(Boolean(b.manifest.optionalDependencies)));

for (const { path, manifest, integrity } of packages) {
	const spec = `${manifest.name}@${manifest.version}`;
	const published = publishedIntegrity(spec);
	if (published === integrity) console.log(`${spec} is there already`);
	else if (published) throw new Error(`${spec} is there already with other content: a version is never published twice`);
	else {
		const args = ["publish", path, "--access", "public", ...(dryRun ? ["--dry-run"] : ["--provenance"]), ...(manifest.version.includes("-") ? ["--tag", "next"] : [])];
		if (spawnSync("npm", args, { stdio: "inherit" }).status !== 0) throw new Error(`publishing ${spec} failed`);
	}
}

/** The checksum in the registry; undefined if there is no such version. */
function publishedIntegrity(spec) {
	const { status, stdout, stderr } = spawnSync("npm", ["view", spec, "dist.integrity", "--json"], { encoding: "utf8" });
	if (status === 0) return stdout.trim() === "" ? undefined : JSON.parse(stdout);
	if (/E404/.test(stdout + stderr)) return undefined;
	throw new Error(`npm view ${spec}: ${stderr}`);
}
