// The edit and write tools against pi's own.
import { chmodSync, existsSync, linkSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEditTool, createWriteTool } from "@earendil-works/pi-coding-agent";
import fc from "fast-check";
import { afterAll, describe, expect, test } from "vitest";
import { createTools } from "../../ts/tools/index.ts";

const dir = mkdtempSync(join(tmpdir(), "edit-"));
afterAll(() => rmSync(dir, { recursive: true }), 60_000);
const tools = createTools({ cwd: dir });
const piEdit = createEditTool(dir);
const file = (name: string) => join(dir, name);

interface Tool {
	// oxlint-disable-next-line typescript/no-explicit-any
	execute(id: string, params: any, signal?: AbortSignal): Promise<any>;
}

/** What an edit returns or throws, and what the file then holds. */
async function edit(tool: Tool, content: string | Uint8Array, edits: object[]): Promise<unknown> {
	writeFileSync(file("f.txt"), content);
	const outcome = await tool.execute("id", { path: "f.txt", edits }).catch((error: Error) => ({ thrown: error.message }));
	return { outcome, after: readFileSync(file("f.txt"), "hex") };
}

const same = async (content: string | Uint8Array, edits: object[]) => {
	expect(await edit(tools.edit, content, edits)).toEqual(await edit(piEdit, content, edits));
};

describe("edit", () => {
	const lines = (count: number) => Array.from({ length: count }, (_, i) => `line ${i}`).join("\n");

	test("single and several edits, near and far", async () => {
		await same("one two three\n", [{ oldText: "two", newText: "2" }]);
		await same(lines(200), [{ oldText: "line 100\n", newText: "" }, { oldText: "line 5\n", newText: "five\nmore\n" }, { oldText: "line 150", newText: "x" }]);
		await same(lines(60), [{ oldText: "line 10\n", newText: "a\n" }, { oldText: "line 18\n", newText: "b\n" }, { oldText: "line 30\n", newText: "c\n" }]);
		for (const gap of [4, 7, 8, 9, 10, 63, 64, 65, 66, 67, 72, 73, 74, 75]) {
			await same(lines(300), [{ oldText: "line 100\n", newText: "a\n" }, { oldText: `line ${100 + gap}\n`, newText: "b\n" }]);
		}
		await same(lines(20), [{ oldText: "line 0", newText: "first" }, { oldText: "line 19", newText: "last\n" }]);
		await same("a\nb\nc", [{ oldText: "a\nb\nc", newText: "" }]);
	});

	test("refusals", async () => {
		await same("a b a", [{ oldText: "a", newText: "x" }]);
		await same("a b c", [{ oldText: "z", newText: "x" }]);
		await same("a b c", [{ oldText: "a", newText: "1" }, { oldText: "z", newText: "x" }]);
		await same("a b c", [{ oldText: "a b", newText: "1" }, { oldText: "b c", newText: "2" }]);
		await same("a b c", [{ oldText: "", newText: "1" }]);
		await same("a b c", [{ oldText: "a", newText: "1" }, { oldText: "", newText: "1" }]);
		await same("a b c", [{ oldText: "b", newText: "b" }]);
		await same("a b c", []);
		await same("  \n x", [{ oldText: "  ", newText: "1" }]);
		const missing = { path: "absent.txt", edits: [{ oldText: "a", newText: "b" }] };
		expect(await tools.edit.execute("id", missing).catch((error) => error.message)).toBe(await piEdit.execute("id", missing).catch((error) => error.message));
	});

	test("line endings and byte order mark", async () => {
		for (const ending of ["\r\n", "\r", "\n"]) {
			for (const mark of ["", "\ufeff"]) {
				const content = `${mark}one${ending}two${ending}three${ending}`;
				await same(content, [{ oldText: "two\n", newText: "2\nand\n" }]);
				await same(content, [{ oldText: "one\ntwo", newText: "1\r\n2" }, { oldText: "three", newText: "3\n4" }]);
			}
		}
		await same("a\r\nb\nc\rd\r\n", [{ oldText: "b", newText: "x\ny" }, { oldText: "d", newText: "z\nz" }]);
		await same("a\rb\n", [{ oldText: "b", newText: "\nb" }]);
		await same("a\r\n\nb", [{ oldText: "\n", newText: "" }]);
		await same("x\r\ny\n\nz", [{ oldText: "y\n", newText: "" }]);
	});

	test("texts that only look the same", async () => {
		await same("say \u201chello\u201d \u2014 it\u2019s  \nfine\u00a0now\n  keep  \n", [{ oldText: "say \"hello\" - it's\nfine now", newText: "bye" }]);
		await same("a  \nb\t\nc\n", [{ oldText: "a\nb", newText: "x\ny" }, { oldText: "c", newText: "z" }]);
		await same("\u201cx\u201d\n\"x\"\n", [{ oldText: "\"x\"", newText: "y" }]);
		await same("ﬁn\nend  \n", [{ oldText: "fin", newText: "x" }]);
		await same("a  \r\nb\r\nc", [{ oldText: "a\nb", newText: "q\nr" }]);
		await same(Buffer.from([0x61, 0xff, 0x0a, 0x62]), [{ oldText: "b", newText: "c" }]);
	});

	test("random texts and edits", async () => {
		const piece = fc.constantFrom("a", "b", "ab", "\n", "\r\n", "\r", " ", "  \n", "x\ny\nz\n", "\u2019", "'", "-", "\u2013", "\u00a0", "é");
		const text = (max: number) => fc.array(piece, { maxLength: max }).map((parts) => parts.join(""));
		const edits = fc.array(fc.record({ oldText: text(3), newText: text(4) }), { minLength: 1, maxLength: 3 });
		await fc.assert(fc.asyncProperty(text(14), edits, same), { numRuns: 1500 });
		// Edits that mostly apply: slices of the text itself.
		await fc.assert(
			fc.asyncProperty(fc.array(fc.constantFrom("p", "q", "r", "s", "\n", "\r\n", "t\n"), { minLength: 3, maxLength: 30 }), fc.nat(30), fc.nat(6), text(4), async (parts, at, length, newText) => {
				const content = parts.map((part, index) => (index % 3 ? part : `${index}${part}`)).join("");
				await same(content, [{ oldText: content.slice(at, at + length + 1), newText }]);
			}),
			{ numRuns: 1500 },
		);
	});

	test("calls for one file follow one another", async () => {
		writeFileSync(file("queue.txt"), "0 1 2 3 4 5 6 7 8 9");
		symlinkSync("queue.txt", file("queue-link"));
		await Promise.all(Array.from({ length: 10 }, (_, i) => tools.edit.execute("id", { path: i % 2 ? "queue.txt" : "queue-link", edits: [{ oldText: String(i), newText: `<${i}>` }] })));
		expect(readFileSync(file("queue.txt"), "utf8")).toBe("<0> <1> <2> <3> <4> <5> <6> <7> <8> <9>");
	});
});

describe("files keep what they are", () => {
	const change = async (name: string) => tools.edit.execute("id", { path: name, edits: [{ oldText: "old", newText: "new" }] });

	test("mode", async () => {
		writeFileSync(file("script"), "old");
		chmodSync(file("script"), 0o751);
		await change("script");
		expect(statSync(file("script")).mode & 0o7777).toBe(0o751);
	});

	test("symbolic links, hard links and dangling links", async () => {
		writeFileSync(file("target"), "old");
		symlinkSync("target", file("link"));
		linkSync(file("target"), file("other-name"));
		await change("link");
		expect(lstatSync(file("link")).isSymbolicLink()).toBe(true);
		for (const name of ["link", "target", "other-name"]) expect(readFileSync(file(name), "utf8")).toBe("new");
		symlinkSync("made-by-write", file("dangling"));
		await tools.write.execute("id", { path: "dangling", content: "x" });
		expect(readFileSync(file("made-by-write"), "utf8")).toBe("x");
		expect(lstatSync(file("dangling")).isSymbolicLink()).toBe(true);
	});

	test.runIf(process.getuid?.() === 0)("owner", async () => {
		writeFileSync(file("theirs"), "old");
		const { chownSync } = await import("node:fs");
		chownSync(file("theirs"), 1234, 4321);
		await change("theirs");
		expect(statSync(file("theirs"))).toMatchObject({ uid: 1234, gid: 4321 });
	});

	test("no temporary files are left, also by an abort", async () => {
		writeFileSync(file("big"), "old");
		for (let delay = 0; delay < 12; delay++) {
			const controller = new AbortController();
			const writing = tools.write.execute("id", { path: "big", content: "x".repeat(4_000_000) }, controller.signal).catch((error) => error);
			setTimeout(() => controller.abort(), delay);
			await writing;
			expect([3, 4_000_000]).toContain(statSync(file("big")).size);
		}
		expect(readdirSync(dir).filter((name) => name.endsWith(".tmp"))).toEqual([]);
	});
});

test("write as pi's tool", async () => {
	const piWrite = createWriteTool(dir);
	for (const [path, content] of [["new/deep/file.txt", "content"], ["new/deep/file.txt", ""], ["@new/at.txt", "é\r\n"]] as const) {
		const theirs = await piWrite.execute("id", { path, content });
		rmSync(file(path.replace("@", "")));
		const ours = await tools.write.execute("id", { path, content });
		expect(ours.content).toEqual(theirs.content);
		expect(readFileSync(file(path.replace("@", "")), "utf8")).toBe(content);
	}
	await expect(tools.write.execute("id", { path: ".", content: "" })).rejects.toThrow(/EISDIR/);
	expect(existsSync(file("never"))).toBe(false);
	await expect(tools.write.execute("id", { path: "never", content: "" }, AbortSignal.abort())).rejects.toThrow("Operation aborted");
	expect(existsSync(file("never"))).toBe(false);
});
