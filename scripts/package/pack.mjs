// `npm run pack:release -- [--engines DIR] [--all] [--out DIR]`: the tarballs as they are published. The main package
// without an engine, and one package for each engine found in DIR (default: artifacts/). --all fails if one is missing.
import { execFileSync } from "node:child_process";
import { copyFileSync, cpSync, existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { env, run } from "../setup.mjs";
import { stale } from "./manifests.mjs";
import { extensionSources } from "./sources.mjs";
import { readJson, repositoryOf, root, targets } from "./targets.mjs";

/** Fields of package.json that only a checkout needs. */
const CHECKOUT_ONLY = ["scripts", "devDependencies"];

/** Makes the tarballs; returns the paths of all of them, the main package's first. */
export function packRelease({ engines = join(root, "artifacts"), out = join(root, "packages"), all = false } = {}) {
	const wrong = stale();
	if (wrong.length > 0) throw new Error(`run \`npm run manifests\` first: ${wrong.map(({ path }) => path).join(", ")}`);
	const found = targets().filter(({ file }) => existsSync(join(engines, file)));
	const missing = targets().filter((target) => !found.includes(target));
	if (all && missing.length > 0) throw new Error(`no engine for ${missing.map(({ suffix }) => suffix).join(", ")} in ${engines}`);

	const stage = join(out, "stage");
	rmSync(out, { recursive: true, force: true });
	const tarballs = [pack(stageMain(join(stage, "main")), out)];
	for (const { directory, suffix, file } of found) {
		cpSync(join(root, directory), join(stage, suffix), { recursive: true });
		copyFileSync(join(engines, file), join(stage, suffix, file));
		writeManifest(join(stage, suffix), readJson(`${directory}/package.json`), { directory });
		tarballs.push(pack(join(stage, suffix), out));
	}
	rmSync(stage, { recursive: true });
	return tarballs;
}

/** Copies what `npm pack` would take, but for engines of this machine, and a manifest without the checkout's own fields. */
function stageMain(folder) {
	run("npm", ["run", "--silent", "build:ts"], { stdio: ["ignore", 2, 2] });
	const sources = new Set(extensionSources());
	const [listing] = JSON.parse(npm(["pack", "--dry-run", "--json", "--ignore-scripts"], root));
	for (const { path } of listing.files) {
		if (path.endsWith(".node") || (path.startsWith("ts/") && !sources.has(path))) continue;
		mkdirSync(dirname(join(folder, path)), { recursive: true });
		copyFileSync(join(root, path), join(folder, path));
	}
	const manifest = readJson("package.json");
	for (const field of CHECKOUT_ONLY) delete manifest[field];
	manifest.files = manifest.files.filter((pattern) => !pattern.endsWith(".node"));
	writeManifest(folder, manifest);
	return folder;
}

function writeManifest(folder, manifest, place = {}) {
	const repository = repositoryOf(readJson("package.json"));
	const packed = repository ? { ...manifest, repository: { ...repository, ...place } } : manifest;
	writeFileSync(join(folder, "package.json"), `${JSON.stringify(packed, null, 2)}\n`);
}

function pack(folder, out) {
	const [{ filename }] = JSON.parse(npm(["pack", "--json", "--ignore-scripts", "--pack-destination", out], folder));
	return join(out, filename);
}

function npm(args, cwd) {
	return execFileSync("npm", args, { cwd, env, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"], maxBuffer: 64 << 20, shell: process.platform === "win32" });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const { values } = parseArgs({ options: { engines: { type: "string" }, out: { type: "string" }, all: { type: "boolean" } } });
	const paths = Object.fromEntries(Object.entries(values).map(([name, value]) => [name, typeof value === "string" ? resolve(value) : value]));
	for (const tarball of packRelease(paths)) console.log(tarball);
}
