// What is on, who owns bash, and the user's own settings.
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";
import { bash, runPi } from "../rig/headless.ts";
import { CHECKOUT, createHome, type PiOptions } from "../rig/home.ts";

const OTHER = join(CHECKOUT, "__test__", "pi", "extensions", "other-bash.ts");
const SCRIPT = [bash("seq 9 | tail -1")];

describe.concurrent("the user's selection of tools", () => {
	it.each<[string, PiOptions, string[]]>([
		["pi's defaults", {}, ["read", "bash", "edit", "write"]],
		["without bash by setting", { settings: { defaultTools: ["-bash"] } }, ["read", "edit", "write"]],
		["none by setting", { settings: { defaultTools: [] } }, []],
		["without bash by flag", { tools: "-bash" }, ["read", "edit", "write"]],
		["only read by flag", { tools: "read" }, ["read"]],
		["all by flag", { tools: "+grep,+find,+ls" }, ["read", "bash", "edit", "write", "grep", "find", "ls"]],
		["without pi's own", { args: ["--no-builtin-tools"] }, []],
		["bash excluded", { args: ["--exclude-tools", "bash"] }, ["read", "edit", "write"]],
	])("holds: %s", async (_name, options, tools) => {
		const { code, declared, stderr } = await runPi([{ text: "hi" }], options);
		expect({ code, stderr, declared: declared.map((tool) => tool.name) }).toEqual({ code: 0, stderr: "", declared: tools });
	});
});

describe.concurrent("another extension that provides bash", () => {
	const cases: [string, string[], string, boolean][] = [
		["loaded after us", [CHECKOUT, OTHER], "factory", true],
		["loaded before us", [OTHER, CHECKOUT], "factory", true],
		["once the session starts, before us", [OTHER, CHECKOUT], "session_start", true],
		["once the session starts, after us", [CHECKOUT, OTHER], "session_start", false],
		["even later, and loaded before us", [OTHER, CHECKOUT], "agent_start", true],
	];
	it.each(cases)("%s: pi starts, and Sluice says so once", async (_name, extensions, when, theirs) => {
		const script = [...SCRIPT, { name: "read", arguments: { path: "note.txt" } }];
		const home = createHome();
		writeFileSync(join(home.work, "note.txt"), "hello\n");
		const report = await runPi(script, { extensions, env: { OTHER_WHEN: when }, home }).finally(home.remove);
		expect(report.code).toBe(0);
		expect(report.calls.map((call) => call.received.text)).toEqual([theirs ? "from the other extension" : "9\n", "hello\n"]);
		const said = report.stderr.split("\n").filter((line) => line.includes("Sluice"));
		const expected = `Sluice: another extension provides bash (${OTHER}): commands are not guarded and arguments are not repaired there. Everything else works.`;
		expect(said).toEqual(theirs ? [expected] : []);
	});
});

describe.concurrent("a second copy of the extension", () => {
	it("steps aside, and says so once", async () => {
		const copy = mkdtempSync(join(tmpdir(), "sluice-copy-"));
		try {
			for (const name of ["package.json", "ts", "binding"]) cpSync(join(CHECKOUT, name), join(copy, name), { recursive: true });
			symlinkSync(join(CHECKOUT, "node_modules"), join(copy, "node_modules"));
			const report = await runPi([bash("sleep 0.1; seq 9 | tail -1")], { extensions: [CHECKOUT, copy], settings: { sluice: { slowMs: 100 } } });
			expect(report.code).toBe(0);
			expect(report.calls[0]!.received.text).toMatch(/^9\n\n\[Showing the requested view of 9 lines [^\n]*\]$/);
			expect(report.stderr.split("\n").filter((line) => line.includes("Sluice"))).toEqual([
				expect.stringMatching(/^Sluice: another extension provides bash, read, edit, write, grep, find, ls \(.*ts\/pi\/index\.ts\): /),
			]);
		} finally {
			rmSync(copy, { recursive: true, force: true });
		}
	});
});

describe.concurrent("pi's shell settings", () => {
	const home = createHome();
	afterAll(home.remove);
	const shell = join(home.dir, "shells", "bash");
	mkdirSync(join(home.dir, "shells"));
	writeFileSync(shell, "#!/bin/sh\nWRAPPED=yes exec /bin/bash \"$@\"\n");
	chmodSync(shell, 0o755);
	const prefix = "alias greet='echo hello'\nshopt -s expand_aliases\nSET_BY_PREFIX=1";

	it.each([["~/shells/bash"], [shell], [`file://${shell}`]])("shellPath %s and shellCommandPrefix hold for guarded commands", async (shellPath) => {
		const settings = { shellPath, shellCommandPrefix: prefix, sluice: { notices: { hiddenFailure: false } } };
		const script = [bash("echo \"$WRAPPED $SET_BY_PREFIX\" | tail -1"), bash("greet | tail -1"), bash("echo \"$WRAPPED\"; nosuchcommand | tail -1")];
		const env = { HOME: home.dir };
		const [plain, guarded] = await Promise.all([runPi(script, { settings, env, extensions: [] }), runPi(script, { settings, env })]);
		expect(guarded.calls.map((call) => call.received)).toEqual(plain.calls.map((call) => call.received));
		expect(guarded.calls[0]!.received.text).toBe("yes 1\n");
		expect(guarded.calls.map((call) => readPiToolGuardDetails(call.details) !== undefined)).toEqual([true, true, true]);
	});

	it("a shell that cannot be started is pi's error", async () => {
		const broken = join(home.dir, "broken", "bash");
		mkdirSync(join(home.dir, "broken"));
		writeFileSync(broken, "not executable\n");
		const settings = { shellPath: broken };
		const [plain, guarded] = await Promise.all([runPi(SCRIPT, { settings, extensions: [] }), runPi(SCRIPT, { settings })]);
		expect(guarded.calls[0]!.received).toEqual(plain.calls[0]!.received);
		expect(guarded.calls[0]!.received).toMatchObject({ isError: true, text: expect.stringContaining("EACCES") });
	});

	it("a shell that does not exist is pi's error", async () => {
		const { calls } = await runPi(SCRIPT, { settings: { shellPath: "/no/such/shell" } });
		expect(calls[0]!.received).toEqual({ text: "Custom shell path not found: /no/such/shell", blocks: 1, isError: true });
	});
});

describe.concurrent("a shellCommandPrefix", () => {
	it("that would show the rewriting keeps commands from being guarded, and Sluice says so once", async () => {
		const { calls, stderr } = await runPi([bash("seq 9 | tail -1")], { settings: { shellCommandPrefix: "set -x" } });
		expect(calls[0]!.received.text).toContain("+ tail -1\n");
		expect(calls[0]!.received.text).not.toContain("sluice");
		expect(calls[0]!.details).toBeUndefined();
		expect(stderr).toBe("Sluice: commands are not guarded: the setting shellCommandPrefix does not allow it (shell-option).\n");
	});

	it("that goes elsewhere: a file that a command only shows is not taken for one of that name here", async () => {
		const home = createHome();
		try {
			mkdirSync(join(home.work, "sub"));
			for (const [name, text] of [["a.txt", "here\n"], ["sub/a.txt", "there\nthere\n"]] as const) writeFileSync(join(home.work, name), text);
			const settings = { shellCommandPrefix: "cd sub", sluice: { slowMs: 0 } };
			await runPi([bash("cat a.txt | tail -1")], { home, settings }, ({ calls }) => {
				expect(calls[0]!.received.text).toMatch(/^there\n\n\[Showing the requested view of 2 lines/);
				expect(readFileSync(calls[0]!.details.fullOutputPath, "utf8")).toBe("there\nthere\n");
			});
		} finally {
			home.remove();
		}
	});

	it("keeps its own exit trap", async () => {
		const { calls } = await runPi([bash("seq 9 | tail -1")], { settings: { shellCommandPrefix: "trap 'echo bye' EXIT" } });
		expect(calls[0]!.received.text).toBe("9\nbye\n");
		expect(readPiToolGuardDetails(calls[0]!.details)).toBeDefined();
	});
});

describe.concurrent("pi's environment", () => {
	it("is there for guarded commands", async () => {
		const { calls } = await runPi([bash("env | grep -c -E '^PI_(SESSION_ID|PROVIDER|MODEL)='"), bash("pwd | tail -1")]);
		expect(calls[0]!.received.text).toBe("3\n");
		expect(calls[1]!.received.text).toMatch(/\/work\n$/);
	});
});

describe.concurrent("our settings", () => {
	it("are checked: a bad entry is named, and its default holds", async () => {
		const settings = { sluice: { slowMs: "soon", keepLog: "never", nonsense: 1 } };
		const { calls, stderr } = await runPi([bash("seq 1 9000 | tail -1")], { settings });
		expect(stderr).toContain('Sluice: settings: sluice.slowMs must be a number, 0 or more, not "soon". The default holds.');
		expect(stderr).toContain("Sluice: settings: sluice.nonsense is unknown; known are enabled, tools,");
		expect(calls[0]!.received.text).toBe("9000\n");
		expect(calls[0]!.details.fullOutputPath).toBeUndefined();
	});

	it.each([[{ enabled: false }], [{ tools: { bash: false } }]])("%j leaves bash to pi", async (sluice) => {
		const { calls } = await runPi(SCRIPT, { settings: { sluice } });
		expect(calls[0]!.received.text).toBe("9\n");
		expect(calls[0]!.details).toBeUndefined();
	});

	it.each([["auto", true], ["always", true], ["never", false]] as const)("finish: %s decides whether a command runs on behind head", async (finish, finished) => {
		const home = createHome();
		try {
			const command = "sh -c 'for i in 1 2 3; do sleep 0.1; echo $i; done; touch finished' | head -1";
			const { calls } = await runPi([bash(command)], { home, settings: { sluice: { finish } } });
			expect(calls[0]!.received).toEqual({ text: "1\n", blocks: 1, isError: false });
			expect(existsSync(join(home.work, "finished"))).toBe(finished);
		} finally {
			home.remove();
		}
	});

	it("keep every log, or tell nothing", async () => {
		const quiet = { log: false, hiddenFailure: false };
		const settings = { sluice: { keepLog: "always", slowMs: 0, notices: quiet } };
		const { calls } = await runPi([bash("sh -c 'seq 9; exit 5' | tail -1")], { settings });
		expect(calls[0]!.received.text).toBe("9\n");
		expect(calls[0]!.details.fullOutputPath).toMatch(/pi-bash-guard-/);
		expect(readPiToolGuardDetails(calls[0]!.details)).toMatchObject({ commandExitCode: 5, slow: true });
	});
});
