// A monorepo: about 18,000 files that are searched, 40,000 in node_modules, 2,500 in target/ and dist/; nested ignore files
// with negation, hidden and deep folders, some binaries.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, renameSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { FOLDER, random } from "./data.mjs";

const WORDS = "account batch cache dialog event filter graph handler index job kernel ledger module node order parser queue router server token user view worker zone".split(" ");

/** The tree's path; it is made once. `scale` 1 is the full size. */
export function sourceTree(scale = 1) {
	const root = join(FOLDER, `tree-${scale}`);
	if (existsSync(root)) return root;
	const part = `${root}.part`;
	const next = random(42);
	const word = () => WORDS[next(WORDS.length)];
	const made = new Set();
	const put = (path, content) => {
		const file = join(part, path);
		const folder = dirname(file);
		if (!made.has(folder)) {
			mkdirSync(folder, { recursive: true });
			made.add(folder);
		}
		writeFileSync(file, content);
	};
	const source = (lines) => {
		const text = [`import { ${word()} } from "../${word()}/${word()}.js";`];
		for (let i = 0; i < lines; i++) {
			if (next(40) === 0) text.push(`  // TODO(${word()}): handle the ${word()} of the ${word()}`);
			else if (next(25) === 0) text.push(`fn ${word()}_handler(${word()}: &${word()}) -> Result<${word()}> {`);
			else text.push(`  const ${word()} = await ${word()}.${word()}(${next(9999)}, "${word()}-${word()}");`);
		}
		return `${text.join("\n")}\n`;
	};
	const count = (n) => Math.ceil(n * scale);
	put(".gitignore", "node_modules/\ntarget/\ndist/\n*.log\n!important.log\n/local.json\n");
	for (let p = 0; p < count(120); p++) {
		const base = `packages/${word()}-${p}`;
		put(`${base}/.gitignore`, "*.tmp\ngenerated/*\n!generated/keep.ts\n");
		for (let f = 0; f < 145; f++) {
			const folder = `${base}/src/${word()}/${word()}${f % 7 ? "" : `/${word()}/${word()}/deep`}`;
			put(`${folder}/${word()}${f}.${f % 11 === 0 ? "tsx" : f % 5 === 0 ? "test.ts" : f % 3 ? "ts" : "rs"}`, source(20 + next(300)));
		}
		put(`${base}/generated/keep.ts`, source(5));
		put(`${base}/generated/other.ts`, source(5));
		put(`${base}/debug.log`, source(5));
		put(`${base}/.config/settings.json`, "{}\n");
		if (p % 2) put(`${base}/logo.bin`, Buffer.from(Array.from({ length: 4000 }, (_, i) => i % 256)));
		for (let d = 0; d < 20; d++) put(`${base}/dist/${word()}${d}.js`, source(30));
	}
	put(`packages/${WORDS[3]}-rare/src/rare.ts`, `${source(50)}// ZEBRA_QUAGGA_7f3a\n`);
	for (let m = 0; m < count(4000); m++) for (let f = 0; f < 10; f++) put(`node_modules/${word()}-${m}/lib/${f}.js`, "module.exports = 1;\n");
	execFileSync("git", ["init", "-q", part]);
	renameSync(part, root);
	return root;
}
