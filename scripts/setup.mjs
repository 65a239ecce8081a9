// Installs and builds everything that development, the demo and the tests need. Idempotent: what is fresh stays.
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

export const root = fileURLToPath(new URL("..", import.meta.url));
const bin = join(root, "node_modules", ".bin");
const stamps = join(root, "node_modules", ".cache", "sluice");

/** The environment in which the repository's own Node comes first. */
export const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH ?? ""}` };

/** Runs a program in the repository; ends this one with a clear message if it fails. */
export function run(command, args, options = {}) {
	const result = spawnSync(command, args, { cwd: root, env, stdio: "inherit", ...options });
	if (result.error || result.status !== 0) {
		console.error(`\nsetup: \`${command} ${args.join(" ")}\` failed${result.error ? `: ${result.error.message}` : ""}`);
		process.exit(1);
	}
}

function requireTool(command, args, remedy) {
	if (spawnSync(command, args, { env, stdio: "ignore" }).status !== 0) {
		console.error(`setup: ${command} is needed and was not found. ${remedy}`);
		process.exit(1);
	}
}

/** A hash over the content of the given files and folders. */
function fingerprint(paths) {
	const hash = createHash("sha256");
	const add = (path) => {
		if (statSync(path).isDirectory()) {
			for (const name of readdirSync(path).sort()) add(join(path, name));
		} else hash.update(path).update("\0").update(readFileSync(path)).update("\0");
	};
	for (const path of paths) add(join(root, path));
	return hash.digest("hex");
}

/** Runs `work` unless it already ran for the same inputs and its outputs are there. */
function step(name, inputs, outputs, work) {
	const stamp = join(stamps, name);
	const now = fingerprint(inputs);
	const fresh = outputs().every((path) => existsSync(join(root, path))) && existsSync(stamp) && readFileSync(stamp, "utf8") === now;
	if (fresh) {
		console.log(`setup: ${name} is fresh`);
		return;
	}
	console.log(`setup: ${name} …`);
	const started = performance.now();
	work();
	mkdirSync(stamps, { recursive: true });
	writeFileSync(stamp, now);
	console.log(`setup: ${name} done in ${((performance.now() - started) / 1000).toFixed(1)} s`);
}

export function setup() {
	const [major, minor] = process.versions.node.split(".").map(Number);
	if (major < 20 || (major === 20 && minor < 17)) {
		console.error(`setup: Node 20.17 or newer is needed to install; this is ${process.version}`);
		process.exit(1);
	}
	requireTool("cargo", ["--version"], "Install Rust from https://rustup.rs");
	requireTool("cc", ["--version"], "Install a C linker (Debian: build-essential, macOS: xcode-select --install)");
	step("packages", ["package.json", "package-lock.json"], () => ["node_modules/.bin/node", "node_modules/.bin/napi"], () => run("npm", ["ci", "--loglevel=error"]));
	step(
		"native engine",
		["Cargo.toml", "Cargo.lock", "crates"],
		() => ["binding/binding.cjs", "binding/binding.d.cts", addon()],
		() => run("npm", ["run", "--silent", "build:native"]),
	);
	step("package", ["ts", "scripts/package", "tsconfig.json", "tsconfig.build.json", "binding/binding.d.cts"], () => ["dist/index.js"], () => run("npm", ["run", "--silent", "build:ts"]));
}

/** The addon for this machine, or a name that does not exist. */
function addon() {
	const name = readdirSync(join(root, "binding")).find((file) => file.endsWith(".node"));
	return `binding/${name ?? "no-addon"}`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) setup();
