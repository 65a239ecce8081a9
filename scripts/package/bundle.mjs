// The JavaScript half of `npm run build:ts`. dist/ is the library as chunks of CommonJS, which can be loaded at the first call
// of a synchronous function; index.js, which does that (facade.mjs); and the pi extension and the command line on the same
// chunks. TypeBox is inlined (ts/schemas/typebox.ts says why); names are kept, so that stacks can be read.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join, relative, resolve } from "node:path";
import { rolldown } from "rolldown";
import { exportsOf, facade } from "./facade.mjs";
import { reachable } from "./sources.mjs";
import { readJson, root } from "./targets.mjs";

const PROGRAMS = ["ts/pi/index.ts", "ts/cli/main.ts"];
const dist = join(root, "dist");
const minify = { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } };

rmSync(dist, { recursive: true, force: true });
const nameOf = (path) => path.replace(/^ts\/|\.ts$/g, "");
const sourceOf = (id) => relative(root, id).replaceAll("\\", "/");
const ofProgram = (path) => /^ts\/(pi|cli)\//.test(path);
const exported = exportsOf("ts/index.ts");
// The version is a constant: no chunk of its own.
const used = reachable(PROGRAMS, ofProgram).filter((path) => !ofProgram(path) && path !== "ts/version.ts");
const chunks = await library([...new Set([...exported.keys(), ...used])]);
await programs(chunks);
writeFileSync(join(dist, "index.js"), facade(exported, (path) => chunks.get(path)));

/**
 * Each module as an entry; returns their files. All lie in dist/ itself, for the engine is found relative to native's. The
 * hashes keep a process whose package is updated meanwhile from mixing two versions.
 */
async function library(paths) {
	const bundle = await rolldown({
		// `ts/guard/run/run.ts` becomes `guard-run-run`.
		input: Object.fromEntries(paths.map((path) => [nameOf(path).replaceAll("/", "-"), join(root, path)])),
		platform: "node",
		// A module's own file may have what other chunks want of it: half as many files.
		preserveEntrySignatures: "allow-extension",
	});
	const { output } = await bundle.write({ dir: dist, format: "cjs", entryFileNames: "[name]-[hash].cjs", chunkFileNames: "[name]-[hash].cjs", minify, postBanner: notices });
	await bundle.close();
	return new Map(output.filter(({ isEntry }) => isEntry).map(({ facadeModuleId, fileName }) => [sourceOf(facadeModuleId), join(dist, fileName)]));
}

async function programs(chunks) {
	const bundle = await rolldown({
		input: Object.fromEntries(PROGRAMS.map((path) => [nameOf(path), join(root, path)])),
		platform: "node",
		plugins: [
			{
				name: "library",
				resolveId: (id, importer) => {
					if (id.startsWith("@earendil-works/")) return { id, external: true };
					const chunk = importer && id.startsWith(".") && chunks.get(sourceOf(resolve(importer, "..", id)));
					return chunk ? { id: `../${basename(chunk)}`, external: true } : undefined;
				},
			},
		],
	});
	await bundle.write({ dir: dist, format: "esm", chunkFileNames: "programs/[name]-[hash].js", minify, postBanner: notices });
	await bundle.close();
}

/** The licences of the packages whose code is in a chunk. */
function notices({ moduleIds }) {
	const names = new Set(moduleIds.flatMap((id) => /node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*node_modules)/.exec(id)?.[1] ?? []));
	return [...names].sort().map(notice).join("\n");
}

function notice(name) {
	const folder = join("node_modules", name);
	const file = ["LICENSE", "license", "LICENSE.md", "LICENCE"].find((each) => existsSync(join(root, folder, each)));
	if (!file) throw new Error(`${name} is bundled and has no licence file`);
	return `/*! ${name} ${readJson(join(folder, "package.json")).version}\n\n${readFileSync(join(root, folder, file), "utf8").trim()}\n*/`;
}
