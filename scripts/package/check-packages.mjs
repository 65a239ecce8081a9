// `npm run check:packages -- [--dir DIR] [--all] [--release] [--tag vX.Y.Z]`: the gate before publishing. Every tarball is what
// it must be; with --release also that this version may be published. publint and attw come from the npm registry.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { env } from "../setup.mjs";
import { inspect } from "./check-binary.mjs";
import { stale } from "./manifests.mjs";
import { readJson, root, targets } from "./targets.mjs";

const PUBLINT = "publint@0.3.25";
const ATTW = "@arethetypeswrong/cli@0.18.5";
/** The largest main package, unpacked, in bytes. */
const MAIN_LIMIT = 1_000_000;

const { values } = parseArgs({ options: { dir: { type: "string", default: join(root, "packages") }, all: { type: "boolean" }, release: { type: "boolean" }, tag: { type: "string" } } });
const directory = resolve(values.dir);
const manifest = readJson("package.json");
const problems = stale().map(({ path }) => `stale: ${path}`);
const main = join(directory, `${manifest.name}-${manifest.version}.tgz`);

checkMain();
const missing = targets().filter((target) => !checkPlatform(target));
if (values.all && missing.length > 0) problems.push(`no package for ${missing.map(({ suffix }) => suffix).join(", ")}`);
const expected = new Set([main, ...targets().map(tarballOf)]);
for (const name of readdirSync(directory)) if (!expected.has(join(directory, name))) problems.push(`unexpected: ${name}`);
if (values.release) checkRelease();
for (const args of [[PUBLINT, "run", main, "--strict"], [ATTW, main, "--profile", "esm-only"]]) {
	const { status } = spawnSync("npx", ["--yes", ...args], { cwd: directory, env, stdio: "inherit", shell: process.platform === "win32" });
	if (status !== 0) problems.push(`${args[0]} ended with status ${status}`);
}

for (const problem of problems) console.error(`check: ${problem}`);
console.log(problems.length === 0 ? "check: ok" : `check: ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function tarballOf({ packageName }) {
	return join(directory, `${packageName}-${manifest.version}.tgz`);
}

function checkMain() {
	const files = list(main);
	const size = files.reduce((sum, { bytes }) => sum + bytes, 0);
	console.log(`${main}: ${files.length} files, ${size} bytes`);
	if (size > MAIN_LIMIT) problems.push(`the main package has ${size} bytes; the limit is ${MAIN_LIMIT}`);
	for (const { path } of files) if (path.endsWith(".node")) problems.push(`the main package has an engine: ${path}`);
	const packed = manifestOf(main);
	const entries = [packed.main, packed.types, ...Object.values(packed.bin), ...packed.pi.extensions, ...Object.values(packed.exports).flatMap((entry) => (typeof entry === "string" ? entry : Object.values(entry)))];
	for (const entry of entries) if (!files.some(({ path }) => path === entry.replace(/^\.\//, ""))) problems.push(`the main package lacks ${entry}`);
	const wanted = Object.fromEntries(targets().map(({ packageName }) => [packageName, manifest.version]).sort());
	if (JSON.stringify(packed.optionalDependencies) !== JSON.stringify(wanted)) problems.push("optionalDependencies are not the platform packages of this version");
}

/** Whether there is a package for the target. */
function checkPlatform(target) {
	const tarball = tarballOf(target);
	if (!existsSync(tarball)) return false;
	const paths = list(tarball).map(({ path }) => path).sort();
	if (paths.join() !== ["LICENSE", "README.md", "package.json", target.file].join()) problems.push(`${target.packageName} has ${paths.join(", ")}`);
	const scratch = mkdtempSync(join(tmpdir(), "sluice-check-"));
	execFileSync("tar", ["-xzf", tarball, "-C", scratch]);
	const engine = join(scratch, "package", target.file);
	const { problems: wrong, size, glibc } = inspect(engine);
	console.log(`${target.packageName}: ${size} bytes${glibc ? `, glibc ${glibc}` : ""}`);
	problems.push(...wrong.map((problem) => `${target.packageName}: ${problem}`));
	// A mix-up of artifacts would otherwise be seen only on the user's machine.
	const kind = fileKind(readFileSync(engine));
	if (kind !== `${target.os} ${target.cpu}`) problems.push(`${target.packageName} has an engine for ${kind}`);
	rmSync(scratch, { recursive: true });
	return true;
}

/** The system and processor that an ELF, Mach-O or PE library is for. */
function fileKind(bytes) {
	const magic = bytes.readUInt32BE(0);
	if (magic === 0x7f454c46) return `linux ${{ 62: "x64", 183: "arm64" }[bytes.readUInt16LE(18)]}`;
	if (magic === 0xcffaedfe) return `darwin ${{ 0x01000007: "x64", 0x0100000c: "arm64" }[bytes.readUInt32LE(4)]}`;
	if (magic >>> 16 === 0x4d5a) return `win32 ${{ 0x8664: "x64", 0xaa64: "arm64" }[bytes.readUInt16LE(bytes.readUInt32LE(0x3c) + 4)]}`;
	return "nothing known";
}

function checkRelease() {
	if (values.tag !== undefined && values.tag !== `v${manifest.version}`) problems.push(`the tag ${values.tag} is not v${manifest.version}`);
	for (const tarball of [main, ...targets().map(tarballOf)].filter(existsSync)) {
		if (!manifestOf(tarball).repository) problems.push(`${basename(tarball)} has no \`repository\`: provenance needs it`);
	}
	if (!readFileSync(join(root, "CHANGELOG.md"), "utf8").includes(`\n## [${manifest.version}] - `)) problems.push(`CHANGELOG.md has no heading for ${manifest.version}`);
	if (execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trim() !== "") problems.push("the checkout has changes");
}

function list(tarball) {
	const lines = execFileSync("tar", ["-tvzf", tarball], { encoding: "utf8" }).trim().split("\n");
	return lines.map((line) => line.split(/\s+/)).map((fields) => ({ bytes: Number(fields[2]), path: fields.at(-1).replace(/^package\//, "") }));
}

function manifestOf(tarball) {
	return JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }));
}
