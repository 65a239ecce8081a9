import { describe, expect, test } from "vitest";
import { normalizeArguments, SluiceError, type ToolName } from "../../ts/index.ts";

/** Processor time of one run in microseconds: other processes of the machine do not count. Best of several rounds. */
function cost(run: () => void, times: number): number {
	for (let index = 0; index < times; index++) run();
	const rounds = Array.from({ length: 5 }, () => {
		const start = process.cpuUsage();
		for (let index = 0; index < times; index++) run();
		const { user, system } = process.cpuUsage(start);
		return (user + system) / times;
	});
	return Math.min(...rounds);
}

describe("a typical call costs less than 20 µs", () => {
	const calls: readonly (readonly [ToolName, unknown])[] = [
		["read", { path: "src/a.ts", offset: 10, limit: 50 }],
		["read", { file_path: "src/a.ts", start_line: 10, end_line: 20 }],
		["write", { filePath: "src/a.ts", contents: "let a = 1;\n".repeat(50) }],
		["edit", { path: "src/a.ts", edits: [{ oldText: "foo", newText: "bar" }] }],
		["edit", { file_path: "src/a.ts", old_string: "foo", new_string: "bar", replace_all: false }],
		["bash", { command: ["bash", "-lc", "npm test 2>&1 | tail -5"], workdir: "/project", timeout_ms: 10_000 }],
		["grep", { pattern: "x", "-i": true, "-A": 3, "-n": true, head_limit: 20, output_mode: "content" }],
		["find", { glob_pattern: "**/*.ts", target_directory: "src" }],
		["ls", { DirectoryPath: "src" }],
	];
	test.each(calls)("%s %j", (tool, args) => {
		expect(cost(() => normalizeArguments(tool, args), 5000)).toBeLessThan(20);
	});
});

describe("a large text is not copied", () => {
	const large = "x\n".repeat(2_500_000); // 5 MB
	const small = "x\n";
	const calls = (text: string): readonly (readonly [ToolName, unknown])[] => [
		["write", { path: "a.ts", content: text }],
		["write", { file_path: "a.ts", contents: text }],
		["write", { arguments: { path: "a.ts", content: text } }],
		["edit", { path: "a.ts", old_string: text, new_string: text }],
	];
	test.each(calls(large).map((call, index) => ({ call, small: calls(small)[index], name: `${call[0]} ${Object.keys(call[1] as object)}` })))("$name costs the same as a small one", ({ call: [tool, args], small: twin }) => {
		const least = cost(() => normalizeArguments(twin?.[0] ?? tool, twin?.[1]), 500);
		expect(cost(() => normalizeArguments(tool, args), 500)).toBeLessThan(least * 4 + 20);
	});

	test("whatever it holds, and wherever it stands", () => {
		const fillers = [" ", "\n", "\r\n", "@", "<", ">", "</arg_value>", "<function", "`", "```\n", "\\", "'", '"', "[", "{", "(", "1", "-", "*", "a/", "a\\", ",", "{,", "$("];
		const fields = { read: ["path", "offset", "lines", "view_range"], write: ["path", "content"], edit: ["edits", "old_string", "edits[0].oldText"], bash: ["command", "timeout", "cwd"], grep: ["pattern", "glob", "type", "exclude", "context"], find: ["pattern", "query"], ls: ["path"] };
		for (const filler of fillers) {
			for (const text of [filler.repeat(100_000 / filler.length), `x${filler.repeat(100_000 / filler.length)}x`, `1${filler.repeat(100_000 / filler.length)}`]) {
				for (const [tool, keys] of Object.entries(fields)) {
					for (const key of keys) {
						const start = process.cpuUsage();
						try {
							normalizeArguments(tool as ToolName, { [key]: text });
						} catch (error) {
							expect(error).toBeInstanceOf(SluiceError);
						}
						const { user } = process.cpuUsage(start);
						if (user > 200_000) throw new Error(`${tool} ${key} of ${JSON.stringify(filler)}: ${user} µs`);
					}
				}
			}
		}
	}, 120_000);

	test("in a code fence it is scanned once", () => {
		const scan = cost(() => large.includes("\u0000"), 5);
		const fenced = { path: "a.ts", content: `\`\`\`ts\n${large}\`\`\`\n` };
		expect(cost(() => normalizeArguments("write", fenced), 5)).toBeLessThan(Math.max(40 * scan, 100_000));
	});

	test("as JSON text it costs about as much as parsing it", () => {
		const edits = JSON.stringify([{ oldText: large, newText: "" }]);
		const parse = cost(() => void JSON.parse(edits), 3);
		expect(cost(() => normalizeArguments("edit", { path: "a", edits }), 3)).toBeLessThan(parse * 4 + 1000);
	});
});
