// Random trees and calls: each answer against that of pi's own tool. SLUICE_PI_TREES=300 for a long run, SLUICE_PI_SEED to repeat one.
// The oracles are ripgrep and fd as they are on PATH; older ones than 15 and 10 have faults that pi's own download does not.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFindTool, createGrepTool, createLsTool, createReadTool } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createTools } from "../../ts/tools/index.ts";
import { type Call, calls, type Item, makeTree, tree } from "./random-trees.ts";

const base = mkdtempSync(join(tmpdir(), "pi-random-"));
afterAll(() => rmSync(base, { recursive: true, force: true }), 60_000);
const major = (command: string) => Number(/(\d+)\./.exec(spawnSync(command, ["--version"], { encoding: "utf8" }).stdout ?? "")?.[1] ?? 0);
const missing = new Set([...(major("rg") >= 15 ? [] : ["grep"]), ...(major("fd") >= 10 ? [] : ["find"])]);
const trees = Number(process.env["SLUICE_PI_TREES"] ?? 12);
const seed = Number(process.env["SLUICE_PI_SEED"] ?? Date.now() % 1e9);

/** What a call returns or throws. Lines of a tree's files come as pi's children find them. */
async function outcome(tool: { execute(id: string, args: never): Promise<{ content: unknown[]; details?: unknown }> }, { tool: name, args }: Call): Promise<unknown> {
	try {
		const { content, details } = await tool.execute("id", args as never);
		const text = (content[0] as { text: string }).text;
		// Which lines are within 50 KB depends on the order.
		const { truncation } = (details ?? {}) as { truncation?: { totalLines: number; totalBytes: number } };
		if (truncation && (name === "grep" || name === "find")) return [truncation.totalLines, truncation.totalBytes];
		return { lines: name === "grep" || name === "find" ? text.split("\n").sort() : text, details };
	} catch (error) {
		return { thrown: (error as Error).message };
	}
}

/** The calls that are answered otherwise than by pi. */
async function differences(root: string, list: readonly Call[]): Promise<object[]> {
	const ours = createTools({ cwd: root });
	const pi = { grep: createGrepTool(root), find: createFindTool(root), ls: createLsTool(root), read: createReadTool(root) };
	const found = [];
	for (const call of list.filter(({ tool }) => !missing.has(tool))) {
		const theirs = await outcome(pi[call.tool], call);
		// The second time from what is remembered.
		for (let time = 0; time < 2; time++) {
			const own = await outcome(ours[call.tool], call);
			if (JSON.stringify(own) !== JSON.stringify(theirs)) found.push({ call, theirs, own });
		}
	}
	return found;
}

const described = (items: readonly Item[]) => items.map(({ path, kind, content, target }) => `${kind} ${path.join("/")} ${target}${JSON.stringify(content.subarray(0, 80).toString("latin1"))}`);

describe("as pi's tools, on random trees", () => {
	test.each([
		["in a repository", [".git/HEAD"]],
		["outside", []],
		["below a folder with rules of its own", [".git/HEAD", ".gitignore", ".ignore"]],
	] as const)("%s", { timeout: 3_600_000 }, async (name, above) => {
		const outer = join(base, name);
		mkdirSync(outer);
		const rules = "/tree/a/\n*.tmp\ntree/**/lib/*\n**/.env\n";
		makeTree(outer, above.map((path) => ({ path: path.split("/"), kind: "file", content: Buffer.from(path.endsWith("ignore") ? rules : ""), target: "" })));
		const samples = fc.sample(fc.tuple(tree, calls), { numRuns: trees, seed });
		for (const [number, [items, list]] of samples.entries()) {
			makeTree(join(outer, "tree"), items);
			const found = await differences(join(outer, "tree"), list);
			expect(found, `seed ${seed}, tree ${number}:\n${described(items).join("\n")}`).toEqual([]);
		}
	});
});
