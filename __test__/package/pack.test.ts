import { copyFileSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error plain JavaScript without declarations
import { inspect } from "../../scripts/package/check-binary.mjs";
import { suffixOf, thisMachine } from "../../ts/native/target.ts";
import { VERSION } from "../../ts/version.ts";
import { bash, runPi } from "../rig/headless.ts";
import { createHome, piArguments, piEnvironment } from "../rig/home.ts";
import { copyCheckout, must, ROOT } from "./checkout.ts";

/** Room for other work on the machine: packing builds dist/, installing asks the registry. */
const SLOW = 180_000;

interface Packed {
	readonly filename: string;
	readonly unpackedSize: number;
	readonly files: readonly { readonly path: string; readonly size: number }[];
}

/** What a GitHub workflow tells its steps. */
const WORKFLOW = { GITHUB_SERVER_URL: "https://github.example", GITHUB_REPOSITORY: "somebody/sluice" };

const suffix = suffixOf(thisMachine());
let copy: string;
let local: Packed;
let released: string[];

beforeAll(() => {
	copy = copyCheckout();
	local = (JSON.parse(must(copy, "npm", ["pack", "--json"])) as [Packed])[0];
	released = must(copy, process.execPath, ["scripts/package/pack.mjs", "--engines", "binding"], WORKFLOW).trim().split("\n");
}, SLOW);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

/** The paths in a tarball, without the leading `package/`. */
const list = (tarball: string) => must(copy, "tar", ["-tzf", tarball]).trim().split("\n").map((path) => path.replace(/^package\//, ""));
const manifestIn = (tarball: string) => JSON.parse(must(copy, "tar", ["-xzOf", tarball, "package/package.json"]));

function emptyProject(): string {
	const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-project-")));
	writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "consumer", version: "1.0.0", private: true, type: "module" }));
	copyFileSync(join(ROOT, "scripts/package/consumer.mjs"), join(folder, "consumer.mjs"));
	return folder;
}

describe("npm pack in a checkout", () => {
	it("is complete on this machine and leaves the checkout as it was", () => {
		const paths = local.files.map(({ path }) => path);
		expect(paths).toContain(`binding/sluice.${suffix}.node`);
		for (const path of ["dist/index.js", "dist/index.d.ts", "dist/pi/index.js", "dist/cli/main.js", "ts/pi/index.ts", "README.md", "CHANGELOG.md", "LICENSE"]) expect(paths).toContain(path);
		expect(manifestIn(join(copy, local.filename)).optionalDependencies).toBeUndefined();
		expect(readFileSync(join(copy, "package.json"), "utf8")).toBe(readFileSync(join(ROOT, "package.json"), "utf8"));
	});

	it("works in an empty project", () => {
		const folder = emptyProject();
		must(folder, "npm", ["install", "--no-audit", "--no-fund", join(copy, local.filename)]);
		expect(must(folder, process.execPath, ["consumer.mjs"])).toContain("consumer: ok");
		expect(must(folder, join(folder, "node_modules/.bin/sluice"), ["doctor"])).toMatch(new RegExp(`engine +${VERSION} \\(${suffix}\\)\n`));
		rmSync(folder, { recursive: true });
	}, SLOW);

	it("works in pi, installed with pi install", async () => {
		const home = createHome();
		try {
			const cli = piArguments({})[0] as string;
			must(home.work, process.execPath, [cli, "install", `npm:pi-sluice@file:${join(copy, local.filename)}`], piEnvironment(home, { PI_OFFLINE: "0", npm_config_prefer_offline: "true" }));
			const { calls, stderr } = await runPi([bash("seq 1 3000000 | tail -3"), { text: "done" }], { home, extensions: [] });
			expect(stderr).toBe("");
			expect(calls[0]?.received).toMatchObject({ text: "2999998\n2999999\n3000000\n", isError: false });
			expect(calls[0]?.details.piToolGuard).toMatchObject({ version: 1, removed: ["tail"], outcome: "projection-applied" });
		} finally {
			home.remove();
		}
	}, SLOW);
});

describe("a git clone, as pi installs one", () => {
	it("has no engine: pi starts, says what to do, and runs the command itself", async () => {
		const clone = copyCheckout();
		try {
			rmSync(join(clone, "node_modules"));
			rmSync(join(clone, "binding", `sluice.${suffix}.node`));
			must(clone, "npm", ["install", "--omit=dev", "--legacy-peer-deps", "--no-audit", "--no-fund"]);
			const { calls, stderr } = await runPi([bash("seq 1 30 | tail -1"), { text: "done" }], { extensions: [clone] });
			expect(calls[0]?.received).toMatchObject({ text: "30\n", isError: false });
			expect(calls[0]?.details?.piToolGuard).toBeUndefined();
			expect(stderr).toContain(`Package for this platform: pi-sluice-${suffix}@${VERSION}`);
			expect(stderr).toContain("npm run setup");
		} finally {
			rmSync(clone, { recursive: true, force: true });
		}
	}, SLOW);
});

describe("what is published", () => {
	it("is the main package without an engine, within 1 MB, with nothing of development", () => {
		const [main] = released as [string];
		const paths = list(main);
		expect(paths.filter((path) => path.endsWith(".node"))).toEqual([]);
		expect(paths.filter((path) => /^(?!dist\/|ts\/|binding\/binding\.(cjs|d\.cts)$|(README|CHANGELOG)\.md$|LICENSE$|package\.json$)/.test(path))).toEqual([]);
		expect(paths.filter((path) => /test|fixture|\.map$/.test(path))).toEqual([]);
		const size = Number(must(copy, "tar", ["-tvzf", main]).trim().split("\n").reduce((sum, line) => sum + Number(line.split(/\s+/)[2]), 0));
		expect(size).toBeLessThanOrEqual(1_000_000);
		const manifest = manifestIn(main);
		const committed = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
		expect(manifest.optionalDependencies).toEqual(committed.optionalDependencies);
		expect([manifest.scripts, manifest.devDependencies]).toEqual([undefined, undefined]);
	});

	it("is one package a platform, with nothing but its engine", () => {
		const tarball = released.find((path) => path.includes(suffix)) as string;
		expect(list(tarball).sort()).toEqual(["LICENSE", "README.md", "package.json", `sluice.${suffix}.node`]);
		expect(manifestIn(tarball)).toMatchObject({ name: `pi-sluice-${suffix}`, version: VERSION });
	});

	it("names the repository whose workflow packs it, for npm's provenance", () => {
		const url = "git+https://github.example/somebody/sluice.git";
		expect(released.map((path) => manifestIn(path).repository)).toEqual([{ type: "git", url }, { type: "git", url, directory: `npm/${suffix}` }]);
	});

	it("works in an empty project, from the two tarballs", () => {
		const folder = emptyProject();
		must(folder, "npm", ["install", "--no-audit", "--no-fund", ...released]);
		expect(must(folder, process.execPath, ["consumer.mjs"])).toContain("consumer: ok");
		rmSync(folder, { recursive: true });
	}, SLOW);
});

it("the check of a binary finds what must not be", () => {
	// Node itself: too large, needs libraries that a module must not need.
	const engine = join(copy, "sluice.linux-x64-gnu.node");
	if (process.platform !== "linux") return;
	copyFileSync(process.execPath, engine);
	const { problems } = inspect(engine) as { problems: string[] };
	expect(problems.some((problem) => problem.startsWith("it has "))).toBe(true);
	expect(problems.some((problem) => problem.startsWith("it needs libstdc++"))).toBe(true);
});
