// The commands that repairs make, run by the real bash.
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { normalizeArguments } from "../../ts/index.ts";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "sluice-shell-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function commandOf(args: Record<string, unknown>): string {
	return (normalizeArguments("bash", args).args as { command: string }).command;
}
function bash(command: string, env: Record<string, string> = {}): { out: string; status: number | null } {
	const { stdout, status } = spawnSync("bash", ["-c", command], { cwd: folder, env: { ...process.env, ...env }, encoding: "utf8" });
	return { out: stdout, status };
}

const word = fc.oneof(fc.string({ unit: "grapheme", maxLength: 8 }), fc.constantFrom("a b", "it's", '"', "\\", "*.ts", "foo|bar", "a&&b", "x;y", "-n", "", "\n", "!", "a$b", "{1..3}", "#c")).filter((text) => !text.includes("\0") && text.isWellFormed());

test("a list of words reaches the program as these words", () => {
	fc.assert(
		fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
			let command: string;
			try {
				command = commandOf({ command: ["printf", "%s\\0", ...words] });
			} catch {
				return; // refused: it may count on the shell
			}
			expect(bash(command).out).toBe(execFileSync("printf", ["%s\\0", ...words], { encoding: "utf8" }));
		}),
		{ numRuns: 150 },
	);
});

test.each(["plain", "with space", "it's", 'a"q', "a$HOME", "-", "-x", "..x", "new\nline", "*", "é", "a;b"])("a command runs in the folder %j", (name) => {
	mkdirSync(join(folder, name), { recursive: true });
	const env = { CDPATH: tmpdir() };
	expect(bash(commandOf({ command: "pwd; true | cat; echo $?", cwd: name }), env).out).toBe(`${join(folder, name)}\n0\n`);
	expect(bash(commandOf({ command: "pwd", workdir: join(folder, name) }), env).out).toBe(`${join(folder, name)}\n`);
});

test("a command does not run where its folder is missing", () => {
	expect(bash(commandOf({ command: "echo ran; echo on", cwd: "missing" }))).toEqual({ out: "", status: 1 });
	expect(bash(commandOf({ command: "echo ran || true", cwd: "/nowhere/at all" }))).toEqual({ out: "", status: 1 });
});

test("the home folder is the user's", () => {
	mkdirSync(join(folder, "home", "a b"), { recursive: true });
	const env = { HOME: join(folder, "home") };
	expect(bash(commandOf({ command: "pwd", cwd: "~" }), env).out).toBe(`${folder}/home\n`);
	expect(bash(commandOf({ command: "pwd", cwd: "~/a b" }), env).out).toBe(`${folder}/home/a b\n`);
});

test.each(["seq 9", "seq 8; echo 9", "seq 9 # comment", "seq 9 &", "seq 8 && echo 9 >&2", "for i in $(seq 9); do echo $i; done", "(seq 9)", "seq 9 | cat"])("%s with a view beside it", (command) => {
	expect(bash(commandOf({ command, tail: 2 })).out).toBe("8\n9\n");
	expect(bash(commandOf({ command, head: "2" })).out).toBe("1\n2\n");
});

test("the script of bash -lc is the command", () => {
	expect(bash(commandOf({ command: ["/bin/bash", "-lc", "echo $((1 + 1)) | cat"] })).out).toBe("2\n");
	expect(bash(commandOf({ command: ["bash", "-euo", "pipefail", "-c", "echo a; false; echo b"] }))).toEqual({ out: "a\n", status: 1 });
});
