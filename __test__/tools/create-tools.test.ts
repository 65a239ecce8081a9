import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import * as fs from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as pi from "@earendil-works/pi-coding-agent";
import { afterAll, beforeEach, describe, expect, test, vi } from "vitest";
import { binding } from "../../ts/native.ts";
import { createToolDefinitionFromAgentTool, createTools, type Operations, wrapToolDefinition } from "../../ts/tools/index.ts";

const dir = mkdtempSync(join(tmpdir(), "tools-"));
afterAll(() => rmSync(dir, { recursive: true }), 60_000);
const text = (result: { content: readonly unknown[] }) => (result.content[0] as { text: string }).text;

/** A file system in memory, below a root that does not exist on disk. */
function inMemory(files: Record<string, string>) {
	const missing = (path: string) => Object.assign(new Error(`ENOENT: no such file or directory, open '${path}'`), { code: "ENOENT" });
	const folder = (path: string) => Object.keys(files).some((file) => file.startsWith(`${path}/`));
	const readFile = async (path: string) => {
		const content = files[path];
		if (content === undefined) throw missing(path);
		return Buffer.from(content);
	};
	const access = async (path: string) => void (await readFile(path));
	const writeFile = async (path: string, content: string) => void (files[path] = content);
	const exists = (path: string) => path in files || folder(path);
	const isDirectory = (path: string) => {
		if (!exists(path)) throw missing(path);
		return folder(path);
	};
	const below = (path: string) => Object.keys(files).filter((file) => file.startsWith(`${path}/`));
	const operations: Operations = {
		read: { readFile, access },
		write: { writeFile, mkdir: async () => {} },
		edit: { readFile, writeFile, access },
		bash: {
			async exec(command, cwd, { onData }) {
				onData(Buffer.from(`${cwd}$ ${command}\n`));
				return { exitCode: command === "false" ? 1 : 0 };
			},
		},
		grep: { isDirectory, readFile },
		find: { exists, glob: (pattern, cwd) => below(cwd).filter((file) => pattern === "**/*" || file.endsWith(pattern.replace("*", ""))) },
		ls: {
			exists,
			stat: (path) => ({ isDirectory: () => isDirectory(path) }),
			readdir: (path) => [...new Set(below(path).map((file) => file.slice(path.length + 1).split("/")[0] ?? ""))],
		},
	};
	return operations;
}

describe("operations in memory", () => {
	let files: Record<string, string>;
	let tools: ReturnType<typeof createTools>;
	beforeEach(() => {
		files = { "/mem/a.txt": "one\ntwo\nthree\n", "/mem/sub/b.txt": "two\n", "/mem/sub/c.md": "nothing\ntwo\n" };
		tools = createTools({ cwd: "/mem", operations: inMemory(files) });
	});

	test("every tool works where its operations do", async () => {
		expect(text(await tools.read.execute("1", { path: "a.txt", offset: 2, limit: 1 }))).toBe("two\n\n[2 more lines in file. Use offset=3 to continue.]");
		expect(text(await tools.write.execute("1", { path: "new/d.txt", content: "two!" }))).toBe("Successfully wrote to new/d.txt");
		expect(files["/mem/new/d.txt"]).toBe("two!");
		expect(text(await tools.edit.execute("1", { path: "a.txt", edits: [{ oldText: "two", newText: "2" }] }))).toBe("Successfully replaced 1 block(s) in a.txt.");
		expect(files["/mem/a.txt"]).toBe("one\n2\nthree\n");
		expect(text(await tools.bash.execute("1", { command: "pwd" }))).toBe("/mem$ pwd\n");
		expect(await tools.bash.execute("1", { command: "false" })).toMatchObject({ isError: true, content: [{ text: "/mem$ false\n\n\nCommand exited with code 1" }] });
		expect(text(await tools.grep.execute("1", { pattern: "two" }))).toBe("new/d.txt:1: two!\nsub/b.txt:1: two\nsub/c.md:2: two");
		expect(text(await tools.grep.execute("1", { pattern: "two", glob: "*.md", context: 1 }))).toBe("sub/c.md-1- nothing\nsub/c.md:2: two");
		expect(text(await tools.grep.execute("1", { pattern: "two", path: "sub/b.txt", glob: "*.md" }))).toBe("b.txt:1: two");
		expect(text(await tools.grep.execute("1", { pattern: "two", limit: 2 }))).toBe("new/d.txt:1: two!\nsub/b.txt:1: two\n\n[2 matches limit reached. Use limit=4 for more, or refine pattern]");
		expect(text(await tools.find.execute("1", { pattern: "*.txt" }))).toBe("a.txt\nsub/b.txt\nnew/d.txt");
		expect(text(await tools.find.execute("1", { pattern: "*.txt", limit: 1 }))).toBe("a.txt\n\n[1 results limit reached]");
		expect(text(await tools.ls.execute("1", {}))).toBe("a.txt\nnew/\nsub/");
	});

	test("nothing behind their back: the engine's file functions are not called, and the root is nowhere on disk", async () => {
		const engine = binding();
		const native = (["grep", "findPaths", "listDirectory", "readLineWindow", "readFileEnd"] as const).map((name) => vi.spyOn(engine, name));
		for (const [name, args] of [["read", { path: "a.txt" }], ["write", { path: "x/y", content: "" }], ["edit", { path: "a.txt", edits: [{ oldText: "one", newText: "1" }] }], ["grep", { pattern: "two" }], ["find", { pattern: "*" }], ["ls", { path: "sub" }], ["bash", { command: "true" }]] as const) {
			await tools[name].execute("1", args);
		}
		for (const spy of native) expect(spy).not.toHaveBeenCalled();
		await expect(fs.stat("/mem")).rejects.toThrow("ENOENT");
		vi.restoreAllMocks();
	});

	test("many files: the limit over all of them", async () => {
		for (let i = 0; i < 200; i++) files[`/mem/many/${String(i).padStart(3, "0")}`] = "hit\nmiss\nhit\n";
		const result = await tools.grep.execute("1", { pattern: "hit", path: "many", limit: 150, context: 1 });
		const lines = text(result).split("\n").slice(0, -2);
		expect(lines.filter((line) => /:\d+: hit/.test(line))).toHaveLength(150);
		expect(result.details).toEqual({ matchLimitReached: 150 });
		const all = await tools.grep.execute("1", { pattern: "hit", path: "many", limit: 400 });
		expect(all.details).toBeUndefined();
		expect(text(all).split("\n")).toHaveLength(400);
	});

	test("errors are pi's", async () => {
		await expect(tools.read.execute("1", { path: "absent" })).rejects.toThrow("ENOENT");
		await expect(tools.edit.execute("1", { path: "absent", edits: [{ oldText: "a", newText: "b" }] })).rejects.toThrow("Could not edit file: absent. Error code: ENOENT.");
		for (const name of ["grep", "find", "ls"] as const) await expect(tools[name].execute("1", { pattern: "x", path: "absent" })).rejects.toThrow("Path not found: /mem/absent");
		await expect(tools.ls.execute("1", { path: "a.txt" })).rejects.toThrow("Not a directory: /mem/a.txt");
		for (const name of ["read", "write", "edit", "bash", "grep", "find", "ls"] as const) {
			await expect(tools[name].execute("1", { path: "a.txt", content: "", edits: [{}], command: "true", pattern: "x" }, AbortSignal.abort())).rejects.toThrow("Operation aborted");
		}
	});
});

test("an abort ends every call at once, also one whose operations never answer", async () => {
	const never = () => new Promise<never>(() => {});
	const tools = createTools({
		cwd: "/mem",
		operations: {
			read: { readFile: never, access: async () => {} },
			write: { writeFile: never, mkdir: async () => {} },
			edit: { readFile: never, writeFile: never, access: async () => {} },
			grep: { isDirectory: never, readFile: never },
			find: { exists: never, glob: never },
			ls: { exists: never, stat: never, readdir: never },
		},
	});
	for (const name of ["read", "write", "edit", "grep", "find", "ls", "edit"] as const) {
		const controller = new AbortController();
		const args = { path: "f", content: "", edits: [{ oldText: "a", newText: "b" }], pattern: "x" };
		const running = tools[name].execute("1", args, controller.signal);
		await new Promise((resolve) => setTimeout(resolve, 5));
		const start = performance.now();
		controller.abort();
		await expect(running).rejects.toMatchObject({ message: "Operation aborted", name: "AbortError" });
		expect(performance.now() - start).toBeLessThan(50);
	}
});

describe("locally", () => {
	const tools = createTools({ cwd: dir });

	test("definitions are pi's: names, texts, schemas", () => {
		const theirs = [pi.createReadToolDefinition(dir), pi.createWriteToolDefinition(dir), pi.createEditToolDefinition(dir), pi.createBashToolDefinition(dir), pi.createGrepToolDefinition(dir), pi.createFindToolDefinition(dir), pi.createLsToolDefinition(dir)];
		for (const definition of theirs) {
			const ours = tools[definition.name as keyof typeof tools];
			expect(ours).toMatchObject({ name: definition.name, label: definition.label, description: definition.description, promptSnippet: definition.promptSnippet });
			expect(JSON.parse(JSON.stringify(ours.parameters))).toEqual(JSON.parse(JSON.stringify(definition.parameters)));
		}
	});

	test("read, grep, find and ls give pi's results", async () => {
		writeFileSync(join(dir, "file.txt"), `${"word\n".repeat(2500)}`);
		for (const [name, tool, args] of [
			["read", pi.createReadTool(dir), { path: "file.txt" }],
			["read", pi.createReadTool(dir), { path: "file.txt", offset: 10, limit: -1 }],
			["read", pi.createReadTool(dir), { path: "absent" }],
			["read", pi.createReadTool(dir), { path: "." }],
			["ls", pi.createLsTool(dir), {}],
			["grep", pi.createGrepTool(dir), { pattern: "word", limit: 3 }],
		] as const) {
			const settle = (promise: Promise<{ content: unknown; details?: unknown }>) => promise.then(({ content, details }) => ({ content, details }), (error: Error) => error.message);
			expect(await settle(tools[name].execute("1", args))).toEqual(await settle(tool.execute("1", args as never)));
		}
	});

	test("images are attached, FIFOs refused", async () => {
		writeFileSync(join(dir, "x.gif"), Buffer.from("GIF89a....", "latin1"));
		expect((await tools.read.execute("1", { path: "x.gif" })).content).toEqual([
			{ type: "text", text: "Read image file [image/gif]" },
			{ type: "image", mimeType: "image/gif", data: Buffer.from("GIF89a....").toString("base64") },
		]);
	});

	test("bash: output, status, timeout, abort, long output", async () => {
		expect(text(await tools.bash.execute("1", { command: "echo out; echo err >&2" }))).toBe("out\nerr\n");
		expect(text(await tools.bash.execute("1", { command: "true" }))).toBe("(no output)");
		expect(await tools.bash.execute("1", { command: "echo x; exit 3" })).toMatchObject({ isError: true, content: [{ text: "x\n\n\nCommand exited with code 3" }] });
		await expect(tools.bash.execute("1", { command: "echo begun; sleep 9", timeout: 0.3 })).rejects.toThrow("begun\n\n\nCommand timed out after 0.3 seconds");
		await expect(tools.bash.execute("1", { command: "echo begun; sleep 9" }, AbortSignal.timeout(300))).rejects.toThrow(/Command aborted$/);
		await expect(tools.bash.execute("1", { command: "true", timeout: 0 })).rejects.toThrow("Invalid timeout");
		const updates: string[] = [];
		const long = await tools.bash.execute("1", { command: "seq 5000; sleep 0.2; echo é" }, undefined, (partial) => updates.push(text(partial)));
		expect(updates.length).toBeGreaterThan(0);
		const path = long.details.fullOutputPath;
		const full = readFileSync(path, "utf8");
		expect(full.split("\n")).toHaveLength(5002);
		expect(statSync(path).mode & 0o777).toBe(0o600);
		expect(text(long)).toBe(`${full.trimEnd().split("\n").slice(-2000).join("\n")}\n\n[Showing lines 3002-5001 of 5001. Full output: ${path}]`);
		rmSync(path);
	});

	test("a guarded command keeps its record", async () => {
		const result = await tools.bash.execute("1", { command: "seq 100 | tail -2" });
		expect(text(result)).toBe("99\n100\n");
	});

	test("arguments are repaired", () => {
		expect(tools.read.prepareArguments?.({ file_path: "x" })).toEqual({ path: "x" });
	});
});

describe("wrapping", () => {
	test("a definition as a tool and back", async () => {
		const calls: unknown[] = [];
		const definition = { ...createTools({ cwd: dir }).ls, execute: async (...args: unknown[]) => (calls.push(args), { content: [] }) };
		const tool = wrapToolDefinition(definition, () => "made");
		await tool.execute("1", {});
		await tool.execute("2", {}, undefined, undefined, "given");
		expect(calls.map((args) => (args as unknown[])[4])).toEqual(["made", "given"]);
		expect(tool).not.toHaveProperty("promptSnippet");
		const again = createToolDefinitionFromAgentTool(tool);
		expect(again).toMatchObject({ name: "ls", label: "ls", parameters: definition.parameters, description: definition.description });
		await again.execute("3", {});
		expect(calls).toHaveLength(3);
	});
});
