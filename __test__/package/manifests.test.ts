import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
// @ts-expect-error plain JavaScript without declarations
import { isVersion, release } from "../../scripts/package/bump.mjs";
// @ts-expect-error plain JavaScript without declarations
import { stale } from "../../scripts/package/manifests.mjs";
// @ts-expect-error plain JavaScript without declarations
import { targets } from "../../scripts/package/targets.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json"));

describe("generated manifests", () => {
	it("are fresh", () => {
		expect(stale().map(({ path }: { path: string }) => path)).toEqual([]);
	});

	it("make one package a target, with what npm filters by", () => {
		expect(readdirSync(join(root, "npm")).sort()).toEqual(targets().map(({ suffix }: { suffix: string }) => suffix).sort());
		for (const { suffix, directory } of targets()) {
			const platform = JSON.parse(read(`${directory}/package.json`));
			const [os, cpu, abi] = suffix.split("-");
			expect(platform).toMatchObject({ name: `pi-sluice-${suffix}`, version: manifest.version, os: [os], cpu: [cpu], files: [`sluice.${suffix}.node`] });
			expect(platform.libc).toEqual(os === "linux" ? [abi === "gnu" ? "glibc" : "musl"] : undefined);
			expect(platform.scripts).toBeUndefined();
		}
	});

	it("are in lockstep with Cargo, the lock files and the source", () => {
		const { version } = manifest;
		expect(new Set(Object.values(manifest.optionalDependencies))).toEqual(new Set([version]));
		expect(read("Cargo.toml")).toContain(`[workspace.package]\nversion = "${version}"`);
		expect(read("Cargo.lock").match(new RegExp(`name = "sluice-(core|napi)"\nversion = "${version}"`, "g"))).toHaveLength(2);
		expect(read("ts/version.ts")).toContain(`VERSION = "${version}"`);
	});
});

describe("bump", () => {
	const before = "# Changelog\n\n## [Unreleased]\n\n- New.\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n";

	it("moves the entries under the version's heading", () => {
		expect(release(before, "0.2.0", "2026-02-03")).toBe(
			"# Changelog\n\n## [Unreleased]\n\n## [0.2.0] - 2026-02-03\n\n- New.\n\n## [0.1.0] - 2026-01-01\n\n- Old.\n",
		);
	});

	it("refuses a release without entries, or one that was made", () => {
		expect(() => release("## [Unreleased]\n\n## [0.1.0]\n", "0.2.0", "2026-02-03")).toThrow("nothing under [Unreleased]");
		expect(() => release(before, "0.1.0", "2026-02-03")).toThrow("already has 0.1.0");
	});

	it("takes versions that npm and Cargo accept", () => {
		expect(["1.2.3", "0.10.0-rc.1"].every(isVersion)).toBe(true);
		expect(["v1.2.3", "1.2", "1.02.3", "", "1.2.3+build"].some(isVersion)).toBe(false);
	});
});

describe("workflows", () => {
	const files = readdirSync(join(root, ".github/workflows"));

	it.each(files)("%s grants nothing by default and pins every action to a commit", (file) => {
		const text = read(`.github/workflows/${file}`);
		expect(text).toMatch(/^permissions: \{\}$/m);
		const used = [...text.matchAll(/uses: (\S+)/g)].map(([, action]) => action as string).filter((action) => !action.startsWith("./"));
		expect(used.filter((action) => !/@[0-9a-f]{40}$/.test(action))).toEqual([]);
	});

	it("call scripts that exist", () => {
		for (const file of files) {
			const text = read(`.github/workflows/${file}`);
			for (const [, name] of text.matchAll(/npm run ([\w:-]+)/g)) expect(Object.keys(manifest.scripts)).toContain(name);
			for (const [, path] of text.matchAll(/(scripts\/[\w./-]+\.(?:mjs|txt))/g)) expect(() => read(path as string)).not.toThrow();
		}
	});
});
