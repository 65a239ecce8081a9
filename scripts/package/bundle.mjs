// The JavaScript half of `npm run build:ts`: dist/ as a handful of files instead of one a module, which loads in less than
// half the time. TypeBox is inlined (ts/schemas/typebox.ts says why); names are kept, so that stacks can be read.
import { existsSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { readJson, root } from "./targets.mjs";

rmSync(join(root, "dist"), { recursive: true, force: true });
const bundle = await rolldown({
	// `native` is an entry so that it is never inside another: it finds the engine relative to its own file, which must lie in dist/.
	input: Object.fromEntries(["index", "native", "pi/index", "cli/main"].map((name) => [name, join(root, "ts", `${name}.ts`)])),
	platform: "node",
	external: (id) => id.startsWith("@earendil-works/"),
});
await bundle.write({
	dir: join(root, "dist"),
	format: "esm",
	chunkFileNames: "[name]-[hash].js",
	minify: { compress: true, mangle: { keepNames: true }, codegen: { removeWhitespace: true } },
	postBanner: notices,
});
await bundle.close();

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
