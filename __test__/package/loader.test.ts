import { spawnSync } from "node:child_process";
import { copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { native, nativeFailure } from "../../ts/native.ts";
import { describeFailure } from "../../ts/native/failure.ts";
import { libcOf, PREBUILT, suffixOf, thisMachine } from "../../ts/native/target.ts";
import { VERSION } from "../../ts/version.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
const suffix = suffixOf(thisMachine());
const addon = join(root, "binding", `sluice.${suffix}.node`);

/** What a fresh process sees of a copy of the package. */
interface Seen {
	available: boolean;
	version?: string;
	target?: string;
	errors: string[];
	code?: string;
	message?: string;
	/** Whether something that needs no engine still works. */
	plan: string;
}

describe("the engine of this checkout", () => {
	it("is loaded, and is of this version", () => {
		expect({ ...native }).toEqual({ available: true, version: VERSION, target: suffix, errors: [] });
		expect(nativeFailure()).toBeUndefined();
	});

	it("is for one of the platforms that package.json builds", () => {
		expect(Object.keys(manifest.optionalDependencies)).toEqual(PREBUILT.map((name) => `pi-sluice-${name}`).sort());
	});
});

describe("which C library", () => {
	it("is what the process report says", () => {
		expect(libcOf({ header: { glibcVersionRuntime: "2.36" }, sharedObjects: ["/lib/ld-musl-x86_64.so.1"] })).toEqual({ libc: "glibc", libcVersion: "2.36" });
		expect(libcOf({ header: {}, sharedObjects: ["/usr/bin/node", "/lib/ld-musl-x86_64.so.1"] })).toEqual({ libc: "musl" });
		expect(libcOf({ header: {}, sharedObjects: ["/lib/libc.musl-aarch64.so.1"] })).toEqual({ libc: "musl" });
		expect(libcOf({ header: {}, sharedObjects: ["/home/musl-fan/lib/libc.so.6"] })).toEqual({ libc: "glibc" });
		expect(libcOf({})).toEqual({ libc: "glibc" });
	});

	it("makes the suffix", () => {
		expect(suffixOf({ platform: "linux", arch: "arm64", libc: "musl" })).toBe("linux-arm64-musl");
		expect(suffixOf({ platform: "linux", arch: "x64", libc: "glibc" })).toBe("linux-x64-gnu");
		expect(suffixOf({ platform: "darwin", arch: "arm64" })).toBe("darwin-arm64");
		expect(suffixOf({ platform: "win32", arch: "x64" })).toBe("win32-x64-msvc");
	});
});

describe("a load that fails", () => {
	let copy: string;

	beforeAll(() => {
		copy = mkdtempSync(join(tmpdir(), "sluice-load-"));
		for (const path of ["ts", "package.json"]) cpSync(join(root, path), join(copy, path), { recursive: true });
		mkdirSync(join(copy, "node_modules"));
		for (const name of [...Object.keys(manifest.dependencies), "@sinclair"]) symlinkSync(join(root, "node_modules", name), join(copy, "node_modules", name));
	});
	afterAll(() => rmSync(copy, { recursive: true, force: true }));

	/** Loads the copy in a new process, after `arrange` has put something in place. */
	function load(arrange: () => void, env: Record<string, string> = {}): Seen {
		rmSync(join(copy, "binding"), { recursive: true, force: true });
		mkdirSync(join(copy, "binding"));
		copyFileSync(join(root, "binding", "binding.cjs"), join(copy, "binding", "binding.cjs"));
		for (const name of PREBUILT) rmSync(join(copy, "node_modules", `pi-sluice-${name}`), { recursive: true, force: true });
		arrange();
		const script = `
			import { native, planCommand, runGuarded } from "./ts/index.ts";
			const { available, version, target, errors } = native;
			const seen = { available, version, target, errors: errors.map((error) => error.message), plan: planCommand("seq 9 | tail -1").action };
			try { await runGuarded("seq 9 | tail -1"); } catch (error) { seen.code = error.code; seen.message = error.message; }
			console.log(JSON.stringify(seen));`;
		const result = spawnSync(process.execPath, ["--input-type=module", "-e", script], { cwd: copy, encoding: "utf8", env: { ...process.env, ...env } });
		expect(result.stderr).toBe("");
		return JSON.parse(result.stdout) as Seen;
	}

	/** Installs a platform package as npm would. */
	function install(name: string, file: string, version = VERSION, main = `sluice.${name}.node`): void {
		const folder = join(copy, "node_modules", `pi-sluice-${name}`);
		mkdirSync(folder, { recursive: true });
		copyFileSync(file, join(folder, main));
		writeFileSync(join(folder, "package.json"), JSON.stringify({ name: `pi-sluice-${name}`, version, main }));
	}

	/** Runs `work` with the copy's JavaScript at another version than the addon: what a half-finished update leaves. */
	function afterUpdate<T>(version: string, work: () => T): T {
		const file = join(copy, "ts", "version.ts");
		const before = readFileSync(file, "utf8");
		writeFileSync(file, before.replace(VERSION, version));
		try {
			return work();
		} finally {
			writeFileSync(file, before);
		}
	}

	it("finds the checkout's own build first", () => {
		const seen = load(() => copyFileSync(addon, join(copy, "binding", `sluice.${suffix}.node`)));
		expect(seen).toEqual({ available: true, version: VERSION, target: suffix, errors: [], plan: "guard" });
	});

	it("finds the platform package", () => {
		expect(load(() => install(suffix, addon))).toMatchObject({ available: true, version: VERSION, errors: [] });
	});

	it("missing: names the platform, the package, each attempt and the remedies", () => {
		const seen = load(() => {});
		expect(seen).toMatchObject({ available: false, code: "NATIVE_UNAVAILABLE", plan: "guard" });
		expect(seen.errors).toHaveLength(2);
		expect(seen.message).toContain(`${process.platform} ${process.arch}`);
		expect(seen.message).toContain(`Package for this platform: pi-sluice-${suffix}@${VERSION}`);
		expect(seen.message).toMatch(/Cannot find module '.*binding\/sluice\..*\.node'/);
		expect(seen.message).toContain(`Cannot find module 'pi-sluice-${suffix}'`);
		expect(seen.message).toContain(`npm install pi-sluice-${suffix}@${VERSION}`);
		expect(seen.message).toContain("--omit=optional");
		expect(seen.message).not.toContain("another platform:");
	});

	it("made for another platform: says so", () => {
		const other = PREBUILT.find((name) => name.startsWith("win32") && name !== suffix) as string;
		const seen = load(() => install(other, addon));
		expect(seen.message).toContain(`Installed for another platform: pi-sluice-${other}`);
		expect(seen.message).toContain("remove it and install again on this one");
	});

	it("a text file in its place: shows the linker's own error", () => {
		const text = join(copy, "text.node");
		writeFileSync(text, "this is not a library, although it is long enough to have a header\n".repeat(9));
		const seen = load(() => install(suffix, text));
		expect(seen.available).toBe(false);
		expect(seen.message).toContain(`pi-sluice-${suffix}: `);
		expect(seen.message).toMatch(/invalid ELF header|not a mach-o|not a valid/i);
	});

	it.runIf(process.platform === "linux").each([0.001, 0.3, 0.7, 0.99, 1])("cut off at %d of its size: says so, and the process goes on", (part) => {
		const whole = readFileSync(addon);
		const cut = join(copy, "cut.node");
		writeFileSync(cut, whole.subarray(0, Math.min(Math.floor(whole.length * part), whole.length - 1)));
		const seen = load(() => install(suffix, cut));
		expect(seen).toMatchObject({ available: false, code: "NATIVE_UNAVAILABLE", plan: "guard" });
		expect(seen.errors[1]).toMatch(/the file is cut off: \d+ of \d+ bytes/);
	});

	it.runIf(process.platform === "linux")("for another processor, or of another width: shows the linker's own error", () => {
		for (const [at, value] of [[18, process.arch === "x64" ? 183 : 62], [4, 1]] as const) {
			const bytes = readFileSync(addon);
			bytes[at] = value;
			const foreign = join(copy, "foreign.node");
			writeFileSync(foreign, bytes);
			const seen = load(() => install(suffix, foreign));
			expect(seen).toMatchObject({ available: false, plan: "guard" });
			expect(seen.errors[1]).toMatch(/ELF|cannot open shared object file/);
		}
	});

	it("a folder in its place, an empty file: an error each", () => {
		for (const make of [(path: string) => mkdirSync(path), (path: string) => writeFileSync(path, "")]) {
			const path = join(copy, "binding", `sluice.${suffix}.node`);
			const seen = load(() => make(path));
			expect(seen).toMatchObject({ available: false, code: "NATIVE_UNAVAILABLE", plan: "guard" });
			expect(seen.errors).toHaveLength(2);
		}
	});

	it("another version: names both and goes on to the next candidate", () => {
		afterUpdate("9.9.9", () => {
			const old = () => copyFileSync(addon, join(copy, "binding", `sluice.${suffix}.node`));
			const seen = load(old);
			expect(seen.message).toContain(`this engine is version ${VERSION}; pi-sluice is 9.9.9`);
			const healed = load(() => {
				old();
				const fitting = join(copy, "fitting.cjs");
				writeFileSync(fitting, 'exports.version = () => "9.9.9";');
				install(suffix, fitting, "9.9.9", "index.cjs");
			});
			expect(healed).toMatchObject({ available: true, version: "9.9.9", errors: [] });
		});
	});

	it("addons are forbidden: says that, and not to install", () => {
		for (const options of ["--no-addons", "--permission --allow-fs-read=*"]) {
			const seen = load(() => install(suffix, addon), { NODE_OPTIONS: options });
			expect(seen).toMatchObject({ available: false, code: "NATIVE_UNAVAILABLE", plan: "guard" });
			expect(seen.message).toMatch(/What helps:\n {2}- Node was started with --no-addons or --permission.*$/);
		}
	});

	it("a library that is something else: says so", () => {
		const fake = join(copy, "fake.cjs");
		writeFileSync(fake, "module.exports = {};");
		const seen = load(() => {}, { SLUICE_NATIVE_PATH: fake });
		expect(seen.errors).toEqual(["this is not the engine of pi-sluice: it exports no version()"]);
	});

	it("SLUICE_NATIVE_PATH replaces the search, relative to the working directory", () => {
		const seen = load(() => copyFileSync(addon, join(copy, "mine.node")), { SLUICE_NATIVE_PATH: "mine.node" });
		expect(seen).toMatchObject({ available: true, target: suffix });
		const wrong = load(() => install(suffix, addon), { SLUICE_NATIVE_PATH: "nowhere.node" });
		expect(wrong.available).toBe(false);
		expect(wrong.errors).toHaveLength(1);
		expect(wrong.message).toContain("SLUICE_NATIVE_PATH is set and replaces the search");
	});
});

it("says so if no package is built for the platform", () => {
	const machine = { platform: "freebsd", arch: "x64" };
	const attempts = [{ candidate: "binding.cjs", error: new Error("none\nRequire stack") }];
	const text = describeFailure({ machine, suffix: "freebsd-x64", prebuilt: false, version: "1.2.3", attempts, foreign: [] });
	expect(text).toContain("There is no prebuilt package for this platform (it would be pi-sluice-freebsd-x64).");
	expect(text).toContain("  - binding.cjs: none\n");
	expect(text).not.toContain("npm install pi-sluice-freebsd-x64");
});
