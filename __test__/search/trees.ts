// Trees of many shapes, for comparison with other tools.
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A tree: its folder's name and how its files come to be. */
export interface Shape {
	readonly name: string;
	readonly build: (put: (path: string, content?: string | Uint8Array) => void, root: string) => void;
}

const nul = (before: string, after: string) => Buffer.from(`${before}\0${after}`);
const utf16 = (text: string, bigEndian: boolean) => {
	const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
	return bigEndian ? bytes.swap16() : bytes;
};

export const shapes: readonly Shape[] = [
	{
		name: "nested-gitignore",
		build: (put) => {
			put(".git/HEAD", "ref: needle\n");
			put(".gitignore", "*.log\nbuild/\n/only-root.txt\n!keep.log\nsub/deep/*.gen\n**/cache\n[xX]tra.txt\n\\#hash\n trailing \n");
			put("a.txt", "needle a\n");
			put("a.log", "needle\n");
			put("keep.log", "needle\n");
			put("only-root.txt", "needle\n");
			put("xtra.txt", "needle\n");
			put("Xtra.txt", "needle\n");
			put("#hash", "needle\n");
			put("build/out.txt", "needle\n");
			put("sub/.gitignore", "!a.log\n*.tmp\n/anchored\n");
			put("sub/a.log", "needle\n");
			put("sub/b.log", "needle\n");
			put("sub/x.tmp", "needle\n");
			put("sub/anchored", "needle\n");
			put("sub/only-root.txt", "needle\n");
			put("sub/deep/x.gen", "needle\n");
			put("sub/deep/anchored", "needle\n");
			put("sub/deep/cache/f.txt", "needle\n");
			put("sub/deep/.gitignore", "*\n!*.md\n!keepdir/\n");
			put("sub/deep/readme.md", "needle\n");
			put("sub/deep/readme.txt", "needle\n");
			put("sub/deep/keepdir/x.md", "needle\n");
			put("sub/build", "needle in a file named build\n");
		},
	},
	{
		name: "no-repository",
		build: (put) => {
			put(".gitignore", "ignored-in-git.txt\n");
			put("ignored-in-git.txt", "needle\n");
			put(".ignore", "*.skip\n!important.skip\n");
			put("x.skip", "needle\n");
			put("important.skip", "needle\n");
			put("d/.ignore", "!y.skip\nz.txt\n");
			put("d/y.skip", "needle\n");
			put("d/z.txt", "needle\n");
			put("d/e/z.txt", "needle\n");
		},
	},
	{
		name: "nested-repositories",
		build: (put) => {
			put(".git/HEAD", "x\n");
			put(".git/info/exclude", "excluded.txt\n");
			put(".gitignore", "*.outer\ninner/secret.txt\n");
			put("a.outer", "needle\n");
			put("excluded.txt", "needle\n");
			put("inner/.git/HEAD", "x\n");
			put("inner/.git/info/exclude", "own.txt\n");
			put("inner/.gitignore", "*.inner\n");
			put("inner/a.outer", "needle\n");
			put("inner/b.inner", "needle\n");
			put("inner/secret.txt", "needle\n");
			put("inner/own.txt", "needle\n");
			put("inner/excluded.txt", "needle\n");
			put("inner/sub/c.inner", "needle\n");
			put("plain/b.inner", "needle\n");
			put(".ignore", "by-ignore.txt\n");
			put("inner/by-ignore.txt", "needle\n");
		},
	},
	{
		name: "worktree",
		build: (put, root) => {
			put("main/.git/HEAD", "x\n");
			put("main/.git/info/exclude", "wt-excluded.txt\n");
			put("main/.git/worktrees/w/commondir", "../..\n");
			put("w/.git", `gitdir: ${root}/main/.git/worktrees/w\n`);
			put("w/.gitignore", "*.o\n");
			put("w/a.o", "needle\n");
			put("w/wt-excluded.txt", "needle\n");
			put("w/b.txt", "needle\n");
		},
	},
	{
		name: "hidden",
		build: (put) => {
			put(".git/config", "needle\n");
			put(".env", "needle\n");
			put(".config/app.json", "{ \"needle\": 1 }\n");
			put("src/.hidden/.deep/x.ts", "needle\n");
			put("..double", "needle\n");
			put(".gitignore", ".config\n");
		},
	},
	{
		name: "symlinks",
		build: (put, root) => {
			put(".git/HEAD", "x\n");
			put("real/file.txt", "needle\n");
			symlinkSync("real", join(root, "to-dir"));
			symlinkSync("real/file.txt", join(root, "to-file"));
			symlinkSync("..", join(root, "real/loop"));
			symlinkSync("absent", join(root, "dangling"));
			symlinkSync("self", join(root, "self"));
		},
	},
	{
		name: "names",
		build: (put) => {
			put(".git/HEAD", "x\n");
			for (const name of ["a b", "-dash", "quote'\"", "[brackets]", "star*", "back\\slash", "ünï", "漢字", "😀", "a:1: b", "UPPER.TXT", "lower.txt", "a$b", "{x,y}", "~tilde", "@at", "a", "a.b", "a0"]) {
				put(name === "a" ? "a/inner" : name, "needle\n");
			}
			put("dir [1]/f.ts", "needle\n");
		},
	},
	{
		name: "binary",
		build: (put) => {
			put(".git/HEAD", "x\n");
			put("early", nul("needle ", "\nneedle\n"));
			put("short-first-line", nul("n\nneedle ", "\nneedle\n"));
			put("only-nul", Buffer.alloc(100));
			put("text.txt", "needle\n");
		},
	},
	{
		// Apart from long lines: they make ripgrep's buffer grow, and later files are then binary at another place.
		name: "binary-late",
		build: (put) => {
			put(".git/HEAD", "x\n");
			put("late", nul(`needle\n${"filler line\n".repeat(8000)}`, "needle\n"));
			put("later", nul(`needle\n${"filler line\n".repeat(200_000)}needle 2\n`, "needle\n"));
		},
	},
	{
		name: "binary-long-line",
		build: (put) => {
			put("long-line", nul(`needle\n${"x".repeat(70_000)}`, " needle\n"));
		},
	},
	{
		name: "encodings",
		build: (put) => {
			put(".git/HEAD", "x\n");
			put("utf16le.txt", utf16("first\nneedle é漢\r\n", false));
			put("utf16be.txt", utf16("first\nneedle é漢\n", true));
			put("utf8bom.txt", "\ufeffneedle at start\n");
			put("latin1.txt", Buffer.from("needle caf\xe9\n", "latin1"));
			put("invalid.txt", Buffer.concat([Buffer.from("needle "), Buffer.from([0xf0, 0x9f, 0x98, 10, 0xff, 0xfe]), Buffer.from(" needle\n")]));
			put("crlf.txt", "before\r\nneedle\r\nafter\r\n");
			put("cr.txt", "needle\rneedle\r");
			put("mixed.txt", "a\r\r\nneedle\r\r\n");
			put("bom-only", "\ufeff");
		},
	},
	{
		name: "long-lines",
		build: (put) => {
			put(".git/HEAD", "x\n");
			put("exact.txt", `needle${"x".repeat(494)}\nneedle${"x".repeat(495)}\n`);
			put("pairs.txt", `needle${"😀".repeat(400)}\nneedle ${"😀".repeat(400)}\n`);
			put("wide.txt", `${"漢".repeat(499)}needle\n${"é".repeat(100_000)}needle\n`);
			put("one.json", `{"k":"${"v".repeat(1_200_000)}needle"}`);
		},
	},
	{
		name: "deep",
		build: (put) => {
			put(".git/HEAD", "x\n");
			let path = "";
			for (let depth = 0; depth < 300; depth++) {
				path += "d/";
				if (depth % 20 === 0) put(`${path}f${depth}.txt`, "needle\n");
			}
		},
	},
	{
		name: "wide",
		build: (put) => {
			put(".git/HEAD", "x\n");
			for (let i = 0; i < 1500; i++) put(`f${i}.${i % 3 ? "txt" : "md"}`, i % 10 ? "hay\n" : `hay\nneedle ${i}\nhay\n`);
			for (let i = 0; i < 300; i++) put(`d${i}/x.txt`, i % 30 ? "hay" : "needle");
		},
	},
	{
		name: "empty",
		build: (put, root) => {
			put(".git/HEAD", "x\n");
			put("empty.txt", "");
			put("newline.txt", "\n");
			put("no-final-newline.txt", "a\nneedle");
			put("blank-lines.txt", "\n\nneedle\n\n\n");
			mkdirSync(join(root, "empty-dir/inner"), { recursive: true });
		},
	},
	{
		name: "tool-ignores",
		build: (put) => {
			put(".git/HEAD", "x\n");
			put(".rgignore", "not-rg.txt\n!from-ignore.txt\n");
			put(".fdignore", "not-fd.txt\n");
			put(".ignore", "from-ignore.txt\nnot-both.txt\n!from-gitignore.txt\n");
			put(".gitignore", "from-gitignore.txt\nboth.txt\n");
			for (const name of ["not-rg", "not-fd", "from-ignore", "not-both", "from-gitignore", "both"]) put(`${name}.txt`, "needle\n");
		},
	},
	{
		name: "context",
		build: (put) => {
			put(".git/HEAD", "x\n");
			put("near.txt", "1\n2\nneedle 3\n4\nneedle 5\n6\n7\n8\nneedle 9\n10\n");
			put("edges.txt", "needle 1\n2\n3\n4\n5\n6\nneedle 7");
			put("all.txt", "needle\n".repeat(30));
			put("other.txt", "hay\nneedle\nhay\n");
		},
	},
];

/** Makes a tree below `base` and returns its root. */
export function buildTree(base: string, shape: Shape): string {
	const root = join(base, shape.name);
	mkdirSync(root, { recursive: true });
	shape.build((path, content = "") => {
		mkdirSync(dirname(join(root, path)), { recursive: true });
		writeFileSync(join(root, path), content);
	}, root);
	return root;
}
