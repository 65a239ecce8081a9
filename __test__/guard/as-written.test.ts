import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planCommand, runGuarded } from "../../ts/index.ts";
import { DEFAULTS } from "../../ts/guard/defaults.ts";
import { runCommand } from "../../ts/guard/run/run.ts";

/** Views that only the real tool can do: bash's result, and the log all the same. */

const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const env = { ...process.env, LC_ALL: "C.UTF-8" };
let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "sluice-written-"));
	writeFileSync(join(dir, "ready"), "starting\nready\n");
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const run = (command: string, options: Parameters<typeof runGuarded>[1] = {}) =>
	runGuarded(command, { cwd: dir, env, logDir: dir, shell: "/bin/bash", keepLog: "always", timeoutMs: 20_000, ...options });

async function plain(command: string) {
	const child = spawn("/bin/bash", ["-c", command], { argv0: "bash", cwd: dir, env, stdio: ["ignore", "pipe", "pipe"] });
	const read = async (stream: NodeJS.ReadableStream) => {
		const chunks: Buffer[] = [];
		for await (const chunk of stream) chunks.push(chunk as Buffer);
		return Buffer.concat(chunks).toString("latin1");
	};
	const [stdout, stderr, exitCode] = await Promise.all([read(child.stdout), read(child.stderr), new Promise((resolve) => child.once("close", resolve))]);
	return { stdout, stderr, exitCode };
}

async function guarded(command: string, options: Parameters<typeof runGuarded>[1] = {}) {
	const { stdout, stderr, exitCode } = await run(command, options);
	return { stdout: latin1(stdout), stderr: latin1(stderr), exitCode };
}

describe.runIf(process.platform === "linux")("a log without a native view", () => {
	it.each([
		["seq 99 | grep -P '9(?=9)'", "the whole", (log: string) => log === list(1, 99)],
		["yes | grep -P -m1 'y(?<=y)'", "the start", (log: string) => /^(y\n)+$/.test(log)],
		["yes a | head --lines=0x3", "the start", (log: string) => log.includes("head: invalid number of lines: ")],
		["tail -f ready | grep -P -m1 'ready(?<=y)'", "what had come", (log: string) => log === "starting\nready\n"],
		["set -o pipefail; yes | head -1", "what had come", (log: string) => /^(y\n)+$/.test(log)],
		["set -o pipefail; seq 1 300000 | grep 1 | head -1; echo $?", "what had come", (log: string) => log.startsWith(list(1, 100)) && log.endsWith("141\n")],
		['yes | head -2; echo "${PIPESTATUS[@]}"', "what had come", (log: string) => /^(y\n)+141 0\n$/.test(log)],
		["seq 1000000 | xargs -n 100 echo | head -1", "what had come", (log: string) => log.startsWith("1 2 3") && log.endsWith("signal 13\n")],
		['head() { read -r x; echo "mine $x"; }; seq 9 | head -1; echo $?', "the whole", (log: string) => log === `${list(1, 9)}0\n`],
	])("%s: %s", async (command, _what, holds) => {
		expect(await guarded(command)).toEqual(await plain(command));
		const result = await run(command);
		const log = readFileSync(result.logPath as string, "latin1");
		expect(holds(log), log.slice(0, 200)).toBe(true);
		expect(result.record?.projection?.inputBytes).toBeGreaterThanOrEqual(0);
	});

	it("a producer that outlives its views is finished for the log, where that is worth something", async () => {
		writeFileSync(join(dir, "build.sh"), "for i in 1 2 3 4; do echo step $i; sleep 0.02; done; echo built > artifact\n");
		const result = await run("sh ./build.sh | grep -P -m1 'step(?=.)'");
		expect(latin1(result.stdout)).toBe("step 1\n");
		expect([readFileSync(result.logPath as string, "utf8"), readdirSync(dir).includes("artifact")]).toEqual(["step 1\nstep 2\nstep 3\nstep 4\n", true]);
	});

	it("`set -e` stays in force inside a function that has a view's name", async () => {
		for (const command of ["set -e; tail() { false; echo no; }; seq 9 | tail -1; echo never", "set -eo pipefail; tail() { (exit 3); echo no; }; yes | tail"]) {
			expect(await guarded(command)).toEqual(await plain(command));
		}
	});

	it("a stage is stopped where bash stops it: not a page later", async () => {
		// The producer counts the pages that the pipe takes: 16 it holds, two may be with the view.
		writeFileSync(join(dir, "pages.sh"), `trap '' PIPE; page=$(printf '%4095s' x); i=0; while [ $i -lt 100 ] && echo "$page" 2>/dev/null; do i=$((i+1)); done; echo $i >&2\n`);
		const cases: [string, number][] = [
			["head -n 1 | tail -c 1", 18],
			["grep -m1 x | tail -c 1", 18],
			["head -n 1", 18],
			["grep -q x", 18],
			["head -c 5", 16],
		];
		for (const [views, most] of cases) {
			const { stderr } = await run(`set -o pipefail; sh ./pages.sh | ${views}`);
			expect(Number(latin1(stderr)), views).toBeLessThanOrEqual(most);
			expect(Number(latin1(stderr)), views).toBeGreaterThan(0);
		}
	});

	it("one view whose producer's status can be seen is done by the engine, as soon as the real one would be", async () => {
		for (const command of ["set -o pipefail; yes | head -2", "yes | grep -q y; echo ${PIPESTATUS[@]}", "seq 1000000 | xargs -n 100 echo | head -c 3"]) {
			expect(await guarded(command)).toEqual(await plain(command));
			expect((await run(command)).record?.projection?.inputBytes, command).toBeLessThanOrEqual(4096);
		}
	});
});

describe("the data shows that only the real tool is exact", () => {
	const nul = "(seq 1 60000; sleep 0.1; printf '\\365b\\n') | grep b";
	const cases: [string, string][] = [
		["at once", "printf '\\365b\\n' | grep b"],
		["of ripgrep", "(seq 9; printf 'a\\0b\\n') | rg b"],
		["late", nul],
		["after a megabyte", "(seq 1 300000; printf '\\365b\\n') | grep b"],
		["before more", "(seq 1 60000; printf '\\365b\\n'; sleep 0.1; seq 1 300000) | grep b | tail -1"],
		["in what the shell expands, after other output", "p=b; (echo out >&2; seq 1 60000; printf '\\365b\\n') | grep -e \"$p\"; echo $?"],
	];
	const places: [string, () => Parameters<typeof runGuarded>[1]][] = [
		["a log", () => ({ keepLog: "always" })],
		["no log wanted", () => ({ keepLog: "never" })],
		["no place for a log", () => ({ logDir: join(dir, "missing"), keepLog: "auto" })],
		["no log wanted, no place", () => ({ logDir: join(dir, "missing"), keepLog: "never" })],
	];
	describe.each(places)("%s", (_name, options) => {
		it.each(cases)("%s", async (_when, command) => {
			expect(await guarded(command, options())).toEqual(await plain(command));
			expect(readdirSync(dir).filter((name) => name.endsWith(".window"))).toEqual([]);
		});
	});

	it("behind a relay, an input that cannot be kept is one clear error, not an answer", async () => {
		const options = { ...DEFAULTS, shell: "/bin/bash", cwd: dir, env, finish: "auto", relay: true, keepLog: "auto" } as const;
		const plan = planCommand(nul);
		if (plan.action !== "guard") throw new Error(plan.reason);
		const { capture } = await runCommand(nul, plan, { ...options, logDir: dir });
		expect([latin1(capture.stderr.bytes), capture.windows[0]?.native]).toEqual(["grep: (standard input): binary file matches\n", false]);
		await expect(runCommand(nul, plan, { ...options, logDir: join(dir, "missing") })).rejects.toMatchObject({ code: "IO" });
	});
});

describe("relayed, as where the engine cannot open the shell's pipes", () => {
	it.each([
		"seq 3 | grep 9; echo rc=$?",
		"set -o pipefail; (echo a; exit 3) | tail -1",
		"for i in 1 2 3; do seq $i | tail -1; done",
		"yes | head -3",
		"yes | grep -q y && echo found",
		"N=2; seq 9 | tail -\"$N\"",
		"set -o pipefail; yes | head -1; echo $?",
		"printf 'a\\0b\\n' | grep a",
		"seq 99 | grep -P '9(?=9)'",
		"seq 100000 | grep 9 | tail -3; echo ${PIPESTATUS[0]}",
		"{ echo a; echo b >&2; } | tail -1 && echo c",
	])("%s", async (command) => {
		const plan = planCommand(command);
		if (plan.action !== "guard") throw new Error(plan.reason);
		const { capture, exitCode } = await runCommand(command, plan, { ...DEFAULTS, shell: "/bin/bash", argv0: "bash", cwd: dir, env, finish: "auto", relay: true, keepLog: "auto", logDir: dir });
		expect({ stdout: latin1(capture.stdout.bytes), stderr: latin1(capture.stderr.bytes), exitCode }).toEqual(await plain(command));
	});
});

function list(from: number, to: number): string {
	return Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join("");
}
