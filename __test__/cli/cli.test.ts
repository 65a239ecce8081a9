import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { expect, test } from "vitest";
import { VERSION } from "../../ts/version.ts";
import { main, node, sluice } from "./sluice.ts";

test("help is asked for in every usual way, of each command, and says how to call it", () => {
	const [general] = sluice([]);
	for (const args of [["--help"], ["-h"], ["help"]]) expect(sluice(args)).toEqual([general, "", 0]);
	for (const name of ["run", "view", "plan", "doctor"]) {
		expect(general).toContain(`sluice ${name}`);
		const [help, stderr, status] = sluice([name, "--help"]);
		expect([help.startsWith(`Usage: sluice ${name}`), stderr, status]).toEqual([true, "", 0]);
	}
});

test.each([
	[["bogus"], 'unknown command "bogus"'],
	[["run"], "in quotes"],
	[["run", "echo", "a"], "in quotes"],
	[["run", "--bogus", "echo a"], "--bogus"],
	[["run", "--keep-log=maybe", "echo a"], '--keep-log is one of auto, always, never, not "maybe"'],
	[["run", "--finish", "x", "echo a"], '--finish is one of auto, always, never, not "x"'],
	[["run", "--timeout=soon", "echo a"], '--timeout is a number of seconds, not "soon"'],
	[["run", "--timeout=99999999", "echo a"], "--timeout is a number of seconds"],
	[["plan"], "in quotes"],
	[["doctor", "now"], "takes no arguments"],
])("sluice %j ends with status 2, says what is wrong, and shows the help", (args, message) => {
	const [stdout, stderr, status] = sluice(args);
	expect([stdout, status]).toEqual(["", 2]);
	expect(stderr).toContain(message);
	expect(stderr).toContain("Usage: sluice");
});

test("sluice run has bash's output and status, with standard input, and names a kept log on stderr", () => {
	expect(sluice(["run", "cat | tail -1; echo err >&2; exit 3"], "a\nb\n")).toEqual(["b\n", "err\n", 3]);
	expect(sluice(["run", "--", "echo a"])).toEqual(["a\n", "", 0]);
	const [stdout, stderr, status] = sluice(["run", "--keep-log", "always", "seq 3 | tail -1"]);
	expect([stdout, status]).toEqual(["3\n", 0]);
	const path = /^sluice: full output: (\S+)\n$/.exec(stderr)?.[1] ?? "";
	expect(readFileSync(path, "utf8")).toBe("1\n2\n3\n");
	rmSync(path);
	const [, , timedOut] = sluice(["run", "--timeout=0.2", "sleep 20 | tail -1"]);
	expect(timedOut).toBe(124);
});

test.each([
	["SIGINT", 130],
	["SIGTERM", 143],
] as const)("sluice run ends with the command's tree at %s, and says it by its status", async (signal, status) => {
	const child = spawn(node, [main, "run", "echo begun >&2; sleep 62 | tail -1"], { stdio: ["ignore", "pipe", "pipe"] });
	let said = "";
	child.stderr.on("data", (piece) => {
		said += piece;
		if (said === "begun\n") child.kill(signal);
	});
	const [code] = await once(child, "close");
	expect([code, said]).toEqual([status, "begun\n"]);
	await expect.poll(() => spawnSync("pgrep", ["-fx", "sleep 62"]).status).toBe(1);
});

test.runIf(existsSync("/dev/full"))("a full disk is said", () => {
	for (const command of ["run 'seq 3 | tail -1'", "plan 'seq 3 | tail -1'"]) {
		const { status, stderr } = spawnSync("sh", ["-c", `"$0" "$1" ${command} >/dev/full`, node, main], { encoding: "utf8" });
		expect([command, status, stderr]).toEqual([command, 1, expect.stringContaining("ENOSPC")]);
	}
});

test("sluice plan runs nothing and prints the plan", () => {
	const [stdout] = sluice(["plan", "echo never | tail -1"]);
	expect(JSON.parse(stdout)).toMatchObject({ action: "guard", cleanedCommand: "echo never", windows: [{ views: "tail -1", removed: ["tail"] }] });
	expect(JSON.parse(sluice(["plan", "echo a"])[0])).toEqual({ action: "pass", reason: "no-view" });
});

test("sluice doctor tells versions and that a guarded run works", () => {
	const [stdout, stderr, status] = sluice(["doctor"]);
	expect([stderr, status]).toEqual(["", 0]);
	for (const line of [`pi-sluice +${VERSION}`, `engine +${VERSION} \\(`, "guarded run +works", "head +head \\(", "grep +.*grep"]) {
		expect(stdout).toMatch(new RegExp(`^${line}`, "m"));
	}
	expect(sluice(["--version"])).toEqual([`${VERSION}\n`, "", 0]);
});
