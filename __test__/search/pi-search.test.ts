// Result by result against pi's own tools, which run ripgrep and fd.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFindTool, createGrepTool } from "@earendil-works/pi-coding-agent";
import { afterAll, describe, expect, test } from "vitest";
import { find, type GrepOptions, grep } from "../../ts/search/index.ts";
import { buildTree, shapes } from "./trees.ts";

const base = mkdtempSync(join(tmpdir(), "search-"));
afterAll(() => rmSync(base, { recursive: true }), 60_000);
for (const shape of shapes) buildTree(base, shape);

const has = (command: string) => spawnSync(command, ["--version"]).status === 0;
const all = { limit: 100_000 };

async function piText(tool: { execute: (id: string, args: never) => Promise<{ content: unknown[] }> }, args: object): Promise<string> {
	const { content } = await tool.execute("id", args as never);
	return (content[0] as { text: string }).text;
}

async function piGrep(cwd: string, args: Omit<GrepOptions, "cwd">): Promise<string[]> {
	const text = (await piText(createGrepTool(cwd), args)).replace(/\n\n\[[^\n]*\]$/, "");
	return text === "No matches found" ? [] : text.split("\n").sort();
}

const greps: Omit<GrepOptions, "cwd">[] = [
	{ pattern: "needle" },
	{ pattern: "needle", context: 2 },
	{ pattern: "NEEDLE", ignoreCase: true },
	{ pattern: "^n.*e$" },
	{ pattern: "^$" },
	{ pattern: "needle|hay", glob: "*.txt" },
	{ pattern: "needle", glob: "!*.txt" },
	{ pattern: "needle", glob: "sub/**" },
	{ pattern: "needle", glob: "./a*" },
	{ pattern: "needle", glob: "**/*" },
	{ pattern: "needle", glob: "inner/*.txt" },
	{ pattern: "a.b", literal: true },
	{ pattern: "nosuchword" },
	{ pattern: "\\w+\\s+é" },
	{ pattern: "[^a]" , glob: "empty.txt" },
];

describe.runIf(has("rg"))("grep as pi's tool", () => {
	describe.each(shapes.map((shape) => shape.name))("%s", (name) => {
		test.each(greps)("%j", async (args) => {
			const cwd = join(base, name);
			const ours = await grep({ ...args, ...all, cwd });
			const lines = ours.truncation ? [] : ours.text === "" ? [] : ours.text.split("\n");
			const theirs = await piGrep(cwd, { ...args, ...all });
			if (ours.truncation) expect(theirs.length).toBeGreaterThan(10);
			else expect([...lines].sort()).toEqual(theirs);
			const paths = ours.matches.map((line) => Buffer.from(line.path));
			expect(paths).toEqual([...paths].sort(Buffer.compare));
		});
	});

	const files = [
		"binary/early", "binary-late/late", "binary-late/later", "binary-long-line/long-line", "binary/only-nul", "encodings/utf16le.txt", "encodings/utf8bom.txt",
		"encodings/invalid.txt", "nested-gitignore/a.log", "symlinks/to-file", "empty/empty.txt", "long-lines/one.json",
	];
	test.each(files)("a file that is named: %s", async (path) => {
		for (const args of [{ pattern: "needle" }, { pattern: "needle", context: 1 }, { pattern: "needle", glob: "*.nothing" }]) {
			const ours = await grep({ ...args, ...all, path, cwd: base });
			expect(ours.text === "" ? [] : ours.text.split("\n").sort()).toEqual(await piGrep(base, { ...args, ...all, path }));
		}
	});

	test.each(["nested-gitignore/sub", "nested-gitignore/build", "nested-repositories/inner", "worktree/w", "nested-gitignore/sub/deep", "symlinks/to-dir", "hidden/.config", "tool-ignores"])(
		"a folder that is named: %s",
		async (path) => {
			for (const args of [{ pattern: "needle" }, { pattern: "needle", glob: "*.txt" }]) {
				const ours = await grep({ ...args, ...all, path, cwd: base });
				expect(ours.text === "" ? [] : ours.text.split("\n").sort()).toEqual(await piGrep(base, { ...args, ...all, path }));
			}
		},
	);

	// Within one file the order is fixed, so limits can be compared exactly.
	test("limits and context within a file", async () => {
		for (const path of ["context/near.txt", "context/all.txt", "context/edges.txt"]) {
			for (const limit of [1, 2, 3, 4, 29, 30, 31]) {
				for (const context of [0, 1, 2, 5]) {
					const text = await piText(createGrepTool(base), { pattern: "needle", path, limit, context });
					const ours = await grep({ pattern: "needle", path, limit, context, cwd: base });
					const notice = ours.matchLimitReached ? `\n\n[${limit} matches limit reached. Use limit=${limit * 2} for more, or refine pattern]` : "";
					expect(ours.text + notice).toBe(text);
				}
			}
		}
	});
});

const finds = ["*", "*.txt", "*.TXT", "upper*", "a*", "f?.md", "sub/**", "**/*.md", "./src/**/*.ts", "d/**/f2*", "[!a]*", "{a,b}*", ".*", "**", "d*/x.txt", "nosuch", "inner", "**/inner/**"];
const fd = ["fd", "fdfind"].find(has);

describe.runIf(fd)("find as pi's tool", () => {
	// Old versions of fd lack the option that pi passes outside repositories.
	const shapesOfFd = shapes.filter(({ name }) => existsSync(join(base, name, ".git")));
	describe.each(shapesOfFd.map((shape) => shape.name))("%s", (name) => {
		test.each(finds)("%s", async (pattern) => {
			const cwd = join(base, name);
			const text = await piText(createFindTool(cwd), { pattern, ...all });
			const theirs = text.startsWith("No files found") ? [] : text.split("\n");
			const ours = await find({ pattern, ...all, cwd });
			// pi cuts the text at 50 KB; its last line is then the notice.
			if (text.endsWith("KB limit reached]")) expect(ours.paths).toEqual(expect.arrayContaining(theirs.slice(0, -2)));
			else expect([...ours.paths].sort()).toEqual(theirs.sort());
			const bytes = ours.paths.map((path) => Buffer.from(path));
			expect(bytes).toEqual([...bytes].sort(Buffer.compare));
		});
	});
});
