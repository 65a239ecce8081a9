import { describe, expect, it } from "vitest";
import { normalizeArguments, parseView, planCommand, SluiceError, type ToolName } from "../../ts/index.ts";

/** Arguments, views and commands made to take time or memory by a power of their length. */

const TOOLS: readonly ToolName[] = ["read", "edit", "grep", "bash", "find", "write", "ls"];
const UNITS = [
	"a", "\\", "'", '"', "`", "$(", "${", "((", "[[", "{", "(", "<<E ", "| tail -1 ", "; ", "2>&1 ", "\n", " ", "#", "!", "$'", "é", "-n ", "x=1 ", "{1..9}", "{a,b}",
	"*", "**/", "[a-", "?(", "@(a|", "$((1+", "case a in ", "\r", "\u2028", "\"$", ",", "\":\"", "{\"a\":", "[", "]", "}",
];
/** Milliseconds of processor time; failures other than ours are thrown. */
function cost(work: () => unknown): number {
	const started = process.cpuUsage();
	try {
		work();
	} catch (error) {
		if (!(error instanceof SluiceError)) throw error;
	}
	return process.cpuUsage(started).user / 1000;
}

describe.each(UNITS)("100 KB of %j", (unit) => {
	const body = unit.repeat(Math.floor(100_000 / unit.length));

	it("as any argument of any tool", () => {
		const every = Object.fromEntries(["command", "path", "pattern", "content", "glob", "include", "exclude", "type", "file_path", "edits", "old_string", "new_string", "offset", "limit", "timeout"].map((name) => [name, body]));
		const calls = [body, every, { arguments: body }, { pattern: "x", glob: [body] }, { pattern: "x", exclude: body }, { pattern: "x", exclude: [body, body] }, { pattern: "x", glob: body, type: "ts" }];
		for (const tool of TOOLS) for (const args of calls) expect(cost(() => normalizeArguments(tool, args))).toBeLessThan(1500);
	});

	it("in a command and in a view", () => {
		for (const command of [`${body}| tail -1`, `seq 3 | tail -1 ${body}`, `echo "${body}" | tail -1`]) expect(cost(() => planCommand(command))).toBeLessThan(1500);
		expect(cost(() => parseView(`grep ${body}`))).toBeLessThan(1500);
	});
});

describe("lists of globs", () => {
	it.each([
		["braces that multiply", ["{a,b}".repeat(40)]],
		["several of them", ["{a,b,c,d}".repeat(12), "*.ts"]],
		["one that is split into many", ["{", ...Array<string>(20_000).fill("aaaa")]],
	])("%s are answered or refused at once", (_name, globs) => {
		for (const key of ["glob", "exclude", "include"]) expect(cost(() => normalizeArguments("grep", { pattern: "x", [key]: globs }))).toBeLessThan(500);
	});
});
