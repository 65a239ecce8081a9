import { rmSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it } from "vitest";
import * as library from "../../ts/index.ts";
import { suffixOf, thisMachine } from "../../ts/native/target.ts";
import { copyCheckout, must } from "./checkout.ts";

/** What the import of the built package costs, and that the facade has everything. */

let copy: string;
const url = (path: string) => JSON.stringify(pathToFileURL(join(copy, path)).href);
const run = (script: string) => must(copy, process.execPath, ["--input-type=module", "-e", script]).trim();

beforeAll(() => {
	copy = copyCheckout();
	must(copy, process.execPath, ["scripts/package/bundle.mjs"]);
}, 60_000);
afterAll(() => rmSync(copy, { recursive: true, force: true }));

it("loads one file and the error class; no part of Node that was not there, no engine", () => {
	const [files, builtins, engine] = JSON.parse(
		run(`
			import { createRequire } from "node:module";
			const before = new Set(process.moduleLoadList);
			await import(${url("dist/index.js")});
			const builtins = process.moduleLoadList.filter((name) => !before.has(name) && !name.includes("internal/"));
			const engine = process.report.getReport().sharedObjects.some((path) => path.endsWith(".node"));
			console.log(JSON.stringify([Object.keys(createRequire(import.meta.url).cache), builtins, engine]));`),
	) as [string[], string[], boolean];
	expect(files.map((path) => path.replace(/.*\/dist\/|-[\w-]+(?=\.cjs)/g, ""))).toEqual(["errors.cjs"]);
	expect([builtins, engine]).toEqual([[], false]);
});

it("costs under 5 ms of processor time more than the bare addon", () => {
	const addon = JSON.stringify(join(copy, "binding", `sluice.${suffixOf(thisMachine())}.node`));
	/** The medians over fresh processes, which take turns: the machine is the same for both. */
	const cost = (statements: readonly string[]) => {
		const samples = statements.map((): number[] => []);
		for (let round = 0; round < 9; round++) {
			for (const [index, statement] of statements.entries()) {
				samples[index]?.push(
					Number(
						run(`
							import { createRequire } from "node:module";
							const started = process.cpuUsage();
							${statement}
							const { user, system } = process.cpuUsage(started);
							console.log((user + system) / 1000);`),
					),
				);
			}
		}
		return samples.map((each) => each.sort((a, b) => a - b)[4] as number);
	};
	const [bare, imported] = cost([`createRequire(import.meta.url)(${addon});`, `await import(${url("dist/index.js")});`]) as [number, number];
	expect(imported - bare).toBeLessThan(5);
});

it("has every export of the sources, of the same type", () => {
	const types = Object.fromEntries(Object.entries(library).map(([name, value]) => [name, typeof value]));
	const script = `const built = await import(${url("dist/index.js")}); console.log(JSON.stringify(Object.entries(built).map(([name, value]) => [name, typeof value])));`;
	expect(Object.fromEntries(JSON.parse(run(script)) as [string, string][])).toEqual(types);
});

it("loads a part at its first use, once; errors are of the exported class", () => {
	const script = `
		const { createProjector, native, parseView, schemas, SluiceError } = await import(${url("dist/index.js")});
		try { parseView("sort"); } catch (error) { console.log(error instanceof SluiceError, error.code); }
		console.log(native.available, Object.keys(schemas).length, schemas.read === schemas.read, createProjector("head -1").satisfied);`;
	expect(run(script)).toBe("true UNSUPPORTED_VIEW\ntrue 7 true false");
});

it("the extension and the command line are there, on the same parts", () => {
	expect(run(`console.log(typeof (await import(${url("dist/pi/index.js")})).default);`)).toBe("function");
	expect(must(copy, process.execPath, ["dist/cli/main.js", "plan", "seq 9 | tail -1"])).toContain('"action": "guard"');
});
