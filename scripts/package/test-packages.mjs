// `npm run test:packages [-- --engines DIR] [--managers npm,pnpm,…]`: installs the packages as they will be published, from a
// registry of our own, and the tarball of a plain `npm pack`, into empty projects with each package manager, and uses them.
// Needs the network: the managers come from the npm registry.
import { execFileSync, spawn } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { bash, runPi } from "../../__test__/rig/headless.ts";
import { createHome, piArguments, piEnvironment } from "../../__test__/rig/home.ts";
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
await must(tools, "npm", ["install", "--no-audit", "--no-fund", ...Object.entries(VERSIONS).map((pair) => pair.join("@"))]);

const released = packRelease({ engines, out: join(scratch, "released") });
const local = join(scratch, JSON.parse(execFileSync("npm", ["pack", "--json", "--pack-destination", scratch], { cwd: root, env, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] }))[0].filename);
const registry = await startRegistry(released);

/** How each manager adds a package, and runs a script in its project. */
const bin = (path) => join(tools, "node_modules", path);
const yarnFiles = (extra = "") => ({ ".yarnrc.yml": `npmRegistryServer: "${registry.url}"\nunsafeHttpWhitelist: ["127.0.0.1"]\nenableTelemetry: false\nenableGlobalCache: false\nglobalFolder: "${join(scratch, "yarn-global")}"\n${extra}` });
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

for (const name of values.managers.split(",").filter(Boolean)) {
	const manager = MANAGERS[name];
	await test(`${name}: from the registry`, async (folder) => {
		await install(folder, manager, `pi-sluice@${version}`);
		await use(folder, manager);
		// Yarn 1 fetches every platform's package and then installs one.
		const fetched = registry.requests.splice(0).filter((path) => path.endsWith(".tgz") && path.includes("pi-sluice-") && !path.includes(`${own}-${version}`));
		const foreign = fetched.filter((path) => !path.endsWith(`/pi-sluice-${version}.tgz`));
		if (foreign.length > 0 && name !== "yarn-classic") throw new Error(`${foreign.join(", ")} was fetched`);
	});
	await test(`${name}: from the tarball of npm pack`, async (folder) => {
		await install(folder, manager, local);
		await use(folder, manager);
	});
}

await test("npm: from the two published tarballs", async (folder) => {
	const mine = released.find((path) => path.includes(own));
	await must(folder, "npm", ["install", released[0], mine, `--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`]);
	await use(folder, MANAGERS.npm);
});

await test("npm: --omit=optional is explained", async (folder) => {
	await must(folder, "npm", ["install", "pi-sluice", "--omit=optional", `--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`]);
	const { status, stdout } = await start(folder, join(folder, "node_modules/.bin/sluice"), ["doctor"]);
	expect(stdout, [`Package for this platform: pi-sluice-${own}@${version}`, "--omit=optional", `npm install pi-sluice-${own}@${version}`]);
	if (status !== 1) throw new Error(`doctor ended with ${status}`);
	await must(folder, "npm", ["install", `pi-sluice-${own}@${version}`, `--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`]);
	await use(folder, MANAGERS.npm);
});

await test("npm: a lock file and node_modules from another platform", async (folder) => {
	const [os, cpu] = own.startsWith("darwin") ? ["win32", "x64"] : ["darwin", "arm64"];
	const options = [`--registry=${registry.url}`, `--cache=${join(scratch, "npm-cache")}`];
	await must(folder, "npm", ["install", "pi-sluice", `--os=${os}`, `--cpu=${cpu}`, ...options]);
	const { stdout } = await start(folder, process.execPath, [join(folder, "node_modules/pi-sluice/dist/cli/main.js"), "doctor"]);
	expect(stdout, [`Installed for another platform: pi-sluice-${os}-${cpu}`, "remove it and install again on this one"]);
	// The lock file alone is good for every platform.
	rmSync(join(folder, "node_modules"), { recursive: true });
	await must(folder, "npm", ["ci", ...options]);
	await use(folder, MANAGERS.npm);
});

await test("pi: pi install npm:pi-sluice", async () => {
	const home = createHome();
	try {
		const [cli] = piArguments({});
		const npmEnv = { PI_OFFLINE: "0", npm_config_registry: registry.url, npm_config_cache: join(scratch, "npm-cache") };
		await must(home.work, process.execPath, [cli, "install", "npm:pi-sluice"], piEnvironment(home, npmEnv));
		const { calls, stderr } = await runPi([bash("seq 1 3000000 | tail -3"), { text: "done" }], { home, extensions: [] });
		expect(calls[0]?.received.text ?? stderr, ["2999998\n2999999\n3000000"]);
		if (calls[0].details?.piToolGuard?.outcome !== "projection-applied" || stderr !== "") throw new Error(`not guarded: ${JSON.stringify(calls[0].details)} ${stderr}`);
	} finally {
		home.remove();
	}
});

await registry.close();
rmSync(scratch, { recursive: true, force: true });
console.log(failed === 0 ? "packages: ok" : `packages: ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

async function test(name, work) {
	const folder = mkdtempSync(join(scratch, "project-"));
	writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", version: "1.0.0", private: true, type: "module" }));
	const started = performance.now();
	try {
		await work(folder);
		console.log(`ok    ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
	} catch (error) {
		failed++;
		console.error(`FAIL  ${name}: ${error.message}\n      in ${folder}: ${readdirSync(folder).join(" ")}`);
	}
}

async function install(folder, manager, spec) {
	for (const [path, content] of Object.entries(manager.files ?? {})) writeFileSync(join(folder, path), content);
	await must(folder, ...manager.add(spec));
}

async function use(folder, manager) {
	copyFileSync(join(root, "scripts/package/consumer.mjs"), join(folder, "consumer.mjs"));
	for (const runner of [manager.node ?? ((file) => [process.execPath, [file]]), manager.also]) {
		if (runner) expect(await must(folder, ...runner("consumer.mjs")), ["consumer: ok"]);
	}
	const sluice = manager.sluice ?? [join(folder, "node_modules/.bin/sluice"), ["doctor"]];
	expect(await must(folder, ...sluice), [`engine       ${version} (${own})`]);
}

async function must(folder, command, args, environment = env) {
	const { status, stdout, stderr } = await start(folder, command, args, environment);
	if (status !== 0) throw new Error(`${command} ${args.join(" ")}: status ${status}\n${stdout}\n${stderr}`);
	return stdout;
}

/** Not synchronous, for the registry answers from this process. */
function start(cwd, command, args, environment = env) {
	return new Promise((resolve, reject) => {
		const child = spawn(command, args, { cwd, env: { ...environment, CI: "1" }, stdio: ["ignore", "pipe", "pipe"], shell: process.platform === "win32" });
		const output = { stdout: "", stderr: "" };
		for (const name of ["stdout", "stderr"]) child[name].setEncoding("utf8").on("data", (chunk) => (output[name] += chunk));
		child.on("error", reject).on("close", (status) => resolve({ status, ...output }));
	});
}

function expect(output, parts) {
	for (const part of parts) if (!output.includes(part)) throw new Error(`no ${JSON.stringify(part)} in:\n${output}`);
}
