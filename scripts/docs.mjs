// `npm run docs`: the API reference in docs/api, from the doc comments of what the package exports. typedoc needs the
// TypeScript of before the native compiler, so it comes with one of its own instead of as a dependency.
import { rmSync } from "node:fs";
import { join } from "node:path";
import { root, run } from "./setup.mjs";

const TOOLS = ["typedoc@0.28.20", "typedoc-plugin-markdown@4.14.1", "typescript@6.0.3"];

rmSync(join(root, "docs/api"), { recursive: true, force: true });
run("npx", ["--yes", ...TOOLS.flatMap((tool) => ["--package", tool]), "typedoc", "--treatWarningsAsErrors"]);
