// Every JavaScript example of the documents runs as it stands and prints what its `// →` comments say; every `$ sluice …`
// line of a console block prints the lines below it.
import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
// @ts-expect-error plain JavaScript without declarations
import { withFigures } from "../../scripts/figures.mjs";
import * as library from "../../ts/index.ts";
import { ENV, ROOT } from "./checkout.ts";

const DOCUMENTS = ["README.md", "docs/library.md", "docs/record.md"];
const entry = new URL("../../ts/index.ts", import.meta.url).href;
let bin: string;

beforeAll(() => {
	bin = mkdtempSync(join(tmpdir(), "sluice-bin-"));
	writeFileSync(join(bin, "sluice"), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, "ts/cli/main.ts")}" "$@"\n`);
	chmodSync(join(bin, "sluice"), 0o755);
});
afterAll(() => rmSync(bin, { recursive: true, force: true }));

interface Block {
	readonly language: string;
	readonly text: string;
	readonly line: number;
}

function blocks(document: string): Block[] {
	const text = readFileSync(join(ROOT, document), "utf8");
	return [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)].map((match) => ({
		language: match[1] as string,
		text: match[2] as string,
		line: text.slice(0, match.index).split("\n").length,
	}));
}

function inScratch<T>(work: (folder: string) => T): T {
	const folder = mkdtempSync(join(tmpdir(), "sluice-example-"));
	mkdirSync(join(folder, "tmp"));
	try {
		return work(folder);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

function run(folder: string, command: string, args: readonly string[]): { stdout: string; stderr: string; status: number | null } {
	const env = { ...ENV, PATH: `${bin}${delimiter}${ENV["PATH"]}`, TMPDIR: join(folder, "tmp"), NO_COLOR: "1" };
	const { stdout, stderr, status } = spawnSync(command, args, { cwd: folder, env, encoding: "utf8" });
	return { stdout, stderr, status };
}

describe.each(DOCUMENTS)("%s", (document) => {
	const found = blocks(document);

	it.each(found.filter(({ language }) => language === "js"))("example in line $line", ({ text }) => {
		inScratch((folder) => {
			writeFileSync(join(folder, "example.mjs"), text.replaceAll('"pi-sluice"', JSON.stringify(entry)));
			const { stdout, stderr, status } = run(folder, process.execPath, ["example.mjs"]);
			expect([stderr, status]).toEqual(["", 0]);
			const expected = [...text.matchAll(/\/\/ *→ ?(.*)$/gm)].map(([, line]) => line);
			expect(stdout.replace(/\n$/, "").split("\n")).toEqual(expected);
		});
	});

	it.each(found.filter(({ language }) => language === "console"))("commands in line $line", ({ text }) => {
		inScratch((folder) => {
			for (const [, command, output] of text.matchAll(/^\$ (.*)\n((?:(?!\$ ).*\n)*)/gm)) {
				const { stdout, stderr } = run(folder, "bash", ["-c", command as string]);
				const shown = (stdout + stderr).replaceAll(join(folder, "tmp"), "/tmp").replace(/pi-bash-guard-[0-9a-f]{16}/g, "pi-bash-guard-0123456789abcdef");
				expect(shown, command).toBe(output);
			}
		});
	});
});

it("the guide has an example for every function", () => {
	const examples = blocks("docs/library.md").map(({ text }) => text).join("\n");
	const missing = Object.keys(library).filter((name) => !new RegExp(`\\b${name}\\b`).test(examples));
	expect(missing).toEqual([]);
});

it("the tests that security.md points to are there", () => {
	const [, table = ""] = readFileSync(join(ROOT, "docs/security.md"), "utf8").split("## Which test shows it");
	const folders = ["", "__test__", "crates/sluice-core/src"];
	const named = [...table.matchAll(/`([\w./-]+\.(?:ts|rs|toml)|fuzz\/)`/g)].map(([, path]) => path as string);
	expect(named.length).toBeGreaterThan(15);
	expect(named.filter((path) => !folders.some((folder) => existsSync(join(ROOT, folder, path))))).toEqual([]);
	const switches = [...table.matchAll(/\b(SLUICE_[A-Z_]+)/g)].map(([, name]) => name as string);
	const tests = execFileSync("git", ["grep", "-ho", "SLUICE_[A-Z_]*", "--", "__test__", "crates"], { cwd: ROOT, encoding: "utf8" }).split("\n");
	expect(switches.filter((name) => !tests.includes(name))).toEqual([]);
});

it("the API reference has every export", () => {
	const headings = new Set([...readFileSync(join(ROOT, "docs/api/README.md"), "utf8").matchAll(/^### (.*?)(?:\(\))?$/gm)].map(([, name]) => (name as string).replaceAll("\\_", "_")));
	expect(Object.keys(library).filter((name) => !headings.has(name))).toEqual([]);
});

it("README's figures can be taken from bench/RESULTS.md", () => {
	const [readme, results] = ["README.md", "bench/RESULTS.md"].map((path) => readFileSync(join(ROOT, path), "utf8"));
	const rows = (withFigures(readme, results) as string).split("<!-- figures -->")[1]?.match(/^\| .*\*\*[\d.]+x\*\*/gm) ?? [];
	expect(rows.length).toBeGreaterThanOrEqual(5);
});
