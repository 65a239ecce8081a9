// `npm run test:packages [-- --engines DIR] [--managers npm,pnpm,…]`: installs the packages as they will be published, from a
// registry of our own, and the tarball of a plain `npm pack`, into empty projects with each package manager, and uses them.
// Needs the network: the managers come from the npm registry.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { suffixOf, thisMachine } from "../../ts/native/target.ts";
import { env } from "../setup.mjs";
import { packRelease } from "./pack.mjs";
import { startRegistry } from "./registry.mjs";
import { readJson, root, targets } from "./targets.mjs";

const VERSIONS = { pnpm: "12.21.0", yarn: "1.22.22", "@yarnpkg/cli-dist": "4.18.1", bun: "1.4.5" };
const { values } = parseArgs({ options: { engines: { type: "string", default: join(root, "binding") }, managers: { type: "string", default: "npm,pnpm,yarn,yarn-classic,bun" } } });
const scratch = realpathSync(mkdtempSync(join(tmpdir(), "sluice-packages-")));
const { version } = readJson("package.json");
const own = suffixOf(thisMachine());
let failed = 0;

/** One engine that works, and a file for each other platform, which must never be loaded. */
const engines = join(scratch, "engines");
mkdirSync(engines);
for (const { suffix, file } of targets()) {
	if (suffix === own) copyFileSync(join(resolve(values.engines), file), join(engines, file));
	else writeFileSync(join(engines, file), `the engine for ${suffix}\n`);
}
const tools = join(scratch, "tools");
mkdirSync(tools);
writeFileSync(join(tools, "package.json"), "{}");
must(tools, "npm", ["install", "--no-audit", "--no-fund", ...Object.entries(VERSIONS).map((pair) => pair.join("@"))]);

const released = packRelease({ engines, out: join(scratch, "released") });
const local = join(scratch, JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", scratch], { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))[0].filename);
const registry = await startRegistry(released);

/** How each manager adds a package, and runs a script in its project. */
const bin = (path) => join(tools, "node_modules", path);
const yarnFiles = (extra = "") => ({ ".yarnrc.yml": `npmRegistryServer: "${registry.url}"\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableTelemetry: false\nenableGlobalCache: false\n${extra}` });
const MANAGERS = {
	npm: { add: (spec) => ["npm", ["install", spec, `--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`]] },
	pnpm: { add: (spec) => [process.execPath, [pnpm(), "add", spec, `--registry=${registry.url}`, `--store-dir=${join(scratch, "pnpm-store")}`]] },
	yarn: {
		files: yarnFiles(),
		add: (spec) => [process.execPath, [bin("@yarnpkg/cli-dist/bin/yarn.js"), "add", named(spec)]],
		node: (file) => [process.execPath, [bin("@yarnpkg/cli-dist/bin/yarn.js"), "node", file]],
		sluice: [process.execPath, [bin("@yarnpkg/cli-dist/bin/yarn.js"), "sluice", "doctor"]],
	},
	"yarn-classic": { add: (spec) => [process.execPath, [bin("yarn/bin/yarn.js"), "add", named(spec), "--registry", registry.url, "--cache-folder", join(scratch, "yarn-cache")]] },
	bun: { add: (spec) => [bin(".bin/bun"), ["add", spec, `--registry=${registry.url}`, `--cache-dir=${join(scratch, "bun-cache")}`]], also: (file) => [bin(".bin/bun"), [file]] },
};

function pnpm() {
	const entry = ["bin/pnpm.mjs", "bin/pnpm.cjs"].find((path) => existsSync(bin(join("pnpm", path))));
	return bin(join("pnpm", entry));
}
function named(spec) {
	return spec.startsWith("/") ? `pi-sluice@file:${spec}` : spec;
}

for (const name of values.managers.split(",")) {
	const manager = MANAGERS[name];
	test(`${name}: from the registry`, (folder) => {
		install(folder, manager, `pi-sluice@${version}`);
		use(folder, manager);
		const other = released.find((path) => path.includes("win32"));
		if (registry.requests.some((path) => path.endsWith(".tgz") && path.includes("win32"))) throw new Error(`${other} was fetched`);
	});
	test(`${name}: from the tarball of npm pack`, (folder) => {
		install(folder, manager, local);
		use(folder, manager);
	});
}

test("npm: from the two published tarballs", (folder) => {
	const mine = released.find((path) => path.includes(own));
	must(folder, "npm", ["install", released[0], mine, `--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`]);
	use(folder, MANAGERS.npm);
});

test("npm: --omit=optional is explained", (folder) => {
	must(folder, "npm", ["install", "pi-sluice", "--omit=optional", `--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`]);
	const { status, stdout } = spawnSync(join(folder, "node_modules/.bin/sluice"), ["doctor"], { cwd: folder, encoding: "utf8", env });
	expect(stdout, [`Package for this platform: pi-sluice-${own}@${version}`, "--omit=optional", `npm install pi-sluice-${own}@${version}`]);
	if (status !== 1) throw new Error(`doctor ended with ${status}`);
	must(folder, "npm", ["install", `pi-sluice-${own}@${version}`, `--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`]);
	use(folder, MANAGERS.npm);
});

test("npm: a lock file and node_modules from another platform", (folder) => {
	const [os, cpu] = own.startsWith("darwin") ? ["win32", "x64"] : ["darwin", "arm64"];
	const options = [`--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`];
	must(folder, "npm", ["install", "pi-sluice", `--os=${os}`, `--cpu=${cpu}`, ...options]);
	const { stdout } = spawnSync(process.execPath, [join(folder, "node_modules/pi-sluice/dist/cli/main.js"), "doctor"], { cwd: folder, encoding: "utf8", env });
	expect(stdout, [`Installed for another platform: pi-sluice-${os}-${cpu}`, "remove it and install again on this one"]);
	// The lock file alone is good for every platform.
	rmSync(join(folder, "node_modules"), { recursive: true });
	must(folder, "npm", ["ci", ...options]);
	use(folder, MANAGERS.npm);
});

await registry.close();
rmSync(scratch, { recursive: true, force: true });
console.log(failed === 0 ? "packages: ok" : `packages: ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function test(name, work) {
	const folder = mkdtempSync(join(scratch, "project-"));
	writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", version: "1.0.0", private: true, type: "module" }));
	const started = performance.now();
	try {
		work(folder);
		console.log(`ok    ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
	} catch (error) {
		failed++;
		console.error(`FAIL  ${name}: ${error.message}\n      in ${folder}: ${readdirSync(folder).join(" ")}`);
	}
}

function install(folder, manager, spec) {
	for (const [path, content] of Object.entries(manager.files ?? {})) writeFileSync(join(folder, path), content);
	must(folder, ...manager.add(spec));
}

function use(folder, manager) {
	copyFileSync(join(root, "scripts/package/consumer.mjs"), join(folder, "consumer.mjs"));
	for (const runner of [manager.node ?? ((file) => [process.execPath, [file]]), manager.also]) {
		if (runner) expect(must(folder, ...runner("consumer.mjs")), ["consumer: ok"]);
	}
	const sluice = manager.sluice ?? [join(folder, "node_modules/.bin/sluice"), ["doctor"]];
	expect(must(folder, ...sluice), [`engine       ${version} (${own})`]);
}

function must(folder, command, args) {
	const { status, stdout, stderr, error } = spawnSync(command, args, { cwd: folder, env: { ...env, CI: "1", npm_config_update_notifier: "false" }, encoding: "utf8", shell: process.platform === "win32" });
	if (error || status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? `status ${status}`}\n${stdout}\n${stderr}`);
	return stdout;
}

function expect(output, parts) {
	for (const part of parts) if (!output.includes(part)) throw new Error(`no ${JSON.stringify(part)} in:\n${output}`);
}
