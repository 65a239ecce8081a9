// Second half of `npm run build:ts`: dist/schemas/typebox.js with TypeBox in it (see ts/schemas/typebox.ts).
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolldown } from "rolldown";
import { readJson, root } from "./targets.mjs";

const { version } = readJson("node_modules/@sinclair/typebox/package.json");
const license = readFileSync(join(root, "node_modules/@sinclair/typebox/license"), "utf8").trim();
const bundle = await rolldown({ input: join(root, "ts/schemas/typebox.ts"), platform: "node" });
await bundle.write({ file: join(root, "dist/schemas/typebox.js"), format: "esm", minify: true, postBanner: `/*! @sinclair/typebox ${version}\n\n${license}\n*/` });
await bundle.close();
