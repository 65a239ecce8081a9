import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGuarded } from "../../ts/index.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();
const env = { ...process.env, LC_ALL: "C.UTF-8" };
let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "sluice-run-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const run = (command: string, options: Parameters<typeof runGuarded>[1] = {}) => runGuarded(command, { cwd: dir, env, logDir: dir, ...options });
const logs = () => readdirSync(dir).filter((name) => name.startsWith("pi-bash-guard-"));

describe("the log", () => {
	it("holds the whole unprojected output of a large command, private, under its fixed name", async () => {
		const result = await run("seq 1 3000000 | tail -3");
		expect(text(result.stdout)).toBe("2999998\n2999999\n3000000\n");
		expect(result.exitCode).toBe(0);
		expect(result.logPath).toMatch(/\/pi-bash-guard-[0-9a-f]{16}\.log$/);
		expect(statSync(result.logPath as string).mode & 0o777).toBe(0o600);
		expect(readFileSync(result.logPath as string).equals(execFileSync("seq", ["1", "3000000"], { maxBuffer: 1 << 26 }))).toBe(true);
		expect(result.record?.projection).toEqual({ inputLines: 3_000_000, inputBytes: 22_888_896, outputLines: 3, outputBytes: 24 });
	});

	it("is not kept for small fast commands, at exactly pi's limits", async () => {
		expect((await run("printf 'a\\nb\\n' | tail -1")).logPath).toBeUndefined();
		expect((await run("seq 2000 | tail -1")).logPath).toBeUndefined();
		expect((await run("seq 2001 | tail -1")).logPath).toBeDefined();
		expect((await run("head -c 51200 /dev/zero | tail -c 1")).logPath).toBeUndefined();
		expect((await run("head -c 51201 /dev/zero | tail -c 1")).logPath).toBeDefined();
		expect(logs()).toHaveLength(2);
	});

	it("is kept for slow commands and on request, and never against it", async () => {
		expect((await run("sleep 0.3; echo a | tail -1", { slowMs: 200 })).record).toMatchObject({ slow: true, sourcePath: expect.any(String) });
		expect((await run("echo a | tail -1", { keepLog: "always" })).logPath).toBeDefined();
		expect((await run("seq 9999 | tail -1", { keepLog: "never" })).logPath).toBeUndefined();
		expect(logs()).toHaveLength(2);
	});

	it("has everything around the window in order, and what the views hid", async () => {
		const { logPath, stdout } = await run("echo before; seq 3 | tail -1; echo after", { keepLog: "always" });
		expect(text(stdout)).toBe("before\n3\nafter\n");
		expect(readFileSync(logPath as string, "utf8")).toBe("before\n1\n2\n3\nafter\n");
	});

	it("is kept where only the real tool can answer", async () => {
		const { logPath, stdout } = await run("printf 'a1\\nb2\\nc3\\n' | grep -P '\\d(?<=2)'", { keepLog: "always" });
		expect(text(stdout)).toBe("b2\n");
		expect(readFileSync(logPath as string, "utf8")).toBe("a1\nb2\nc3\n");
	});

	it("can be read while the command runs", async () => {
		const running = run("seq 5000; sleep 0.7; echo end | tail -1");
		await new Promise((resolve) => setTimeout(resolve, 400));
		expect(readFileSync(join(dir, logs()[0] as string), "utf8")).toMatch(/\n5000\n$/);
		await running;
	});

	it("is the file itself where a command only shows one", async () => {
		writeFileSync(join(dir, "big"), "line\n".repeat(5000));
		for (const command of ["cat big | tail -1", "cat < big | grep -c line"]) expect((await run(command)).logPath).toBe(join(dir, "big"));
		expect((await run("cat big | tail -1; echo more")).logPath).toMatch(/pi-bash-guard-/);
		expect(logs()).toHaveLength(1);
	});

	it("is purged after a day, and only if it is ours", async () => {
		const old = join(dir, "pi-bash-guard-00000000000000aa.log");
		const foreign = join(dir, "pi-bash-guard-note.log");
		const past = Date.now() / 1000 - 2 * 86_400;
		for (const path of [old, foreign]) {
			writeFileSync(path, "x");
			utimesSync(path, past, past);
		}
		await run("echo a | tail -1", { keepLog: "always" });
		await expect.poll(() => readdirSync(dir).includes("pi-bash-guard-00000000000000aa.log")).toBe(false);
		expect(readdirSync(dir)).toContain("pi-bash-guard-note.log");
	});

	it("that cannot be written is reported, and the answer is still exact", async () => {
		const result = await run("seq 5000 | tail -1", { logDir: join(dir, "missing") });
		expect(text(result.stdout)).toBe("5000\n");
		expect(result.logPath).toBeUndefined();
		expect(result.logError).toMatch(/No such file/);
	});
});

describe("order and status", () => {
	const cases: [command: string, stdout: string, exitCode: number][] = [
		["seq 3 | grep 9; echo rc=$?", "rc=1\n", 0],
		["seq 3 | grep 9", "", 1],
		["seq 3 | grep 9 || echo none", "none\n", 0],
		["set -e; seq 3 | grep 9; echo unreachable", "", 1],
		["set -o pipefail; (echo a; exit 3) | tail -1", "a\n", 3],
		["! seq 3 | grep -q 2; echo $?", "1\n", 0],
		["(exit 4) | tail -1; echo ${PIPESTATUS[0]}", "4\n", 0],
		["for i in 1 2 3; do seq $i | tail -1; done", "1\n2\n3\n", 0],
		["N=2; seq 9 | tail -\"$N\"", "8\n9\n", 0],
		["f() { seq 5 | tail -1; }; f; f", "5\n5\n", 0],
		["tail() { echo mine; }; seq 3 | tail -1", "mine\n", 0],
		["cd / && pwd && seq 3 | tail -1 && pwd", "/\n3\n/\n", 0],
	];
	it.each(cases)("%s", async (command, stdout, exitCode) => {
		const result = await run(command);
		expect([text(result.stdout), result.exitCode]).toEqual([stdout, exitCode]);
		expect(result.record).toBeDefined();
	});

	it("stderr passes by the view, before what the view writes at its end", async () => {
		const result = await run("(echo out; echo err >&2; echo no) | grep o");
		expect(text(result.output)).toBe("err\nout\nno\n");
		expect(text(result.stderr)).toBe("err\n");
	});

	it("the producer's hidden failure is in the record", async () => {
		expect((await run("(echo x; exit 3) | tail -5")).record?.commandExitCode).toBe(3);
		expect((await run("(echo x; exit 0) | tail -5")).record?.commandExitCode).toBeUndefined();
		expect((await run("yes | head -1")).record?.commandExitCode).toBeUndefined();
	});

	it("side effects happen once", async () => {
		await run("echo run >> count; cat count | tail -1");
		expect(readFileSync(join(dir, "count"), "utf8")).toBe("run\n");
	});

	it("stdin is empty, or what is handed over", async () => {
		expect(text((await run("cat | tail -1")).stdout)).toBe("");
	});
});

describe("ending early", () => {
	it("an endless producer is stopped at once", async () => {
		const started = performance.now();
		expect(text((await run("yes | head -3")).stdout)).toBe("y\ny\ny\n");
		expect(performance.now() - started).toBeLessThan(2000);
	});

	it("a follower ends with its view as in bash", async () => {
		writeFileSync(join(dir, "x"), "starting\n");
		setTimeout(() => writeFileSync(join(dir, "x"), "starting\nready\nmore\n"), 200);
		const result = await run("tail -f x | grep -m1 ready", { timeoutMs: 10_000 });
		expect([text(result.stdout), result.timedOut]).toEqual(["ready\n", false]);
	});

	it("work is finished for the log, unless that is not wanted", async () => {
		writeFileSync(join(dir, "build.sh"), "for i in 1 2 3 4 5 6; do echo step $i; sleep 0.02; done; echo built > artifact\n");
		const { stdout, logPath } = await run("sh ./build.sh | head -2", { keepLog: "always" });
		expect(text(stdout)).toBe("step 1\nstep 2\n");
		expect(readFileSync(join(dir, "artifact"), "utf8")).toBe("built\n");
		expect(readFileSync(logPath as string, "utf8")).toContain("step 6\n");
		rmSync(join(dir, "artifact"));
		await run("sh ./build.sh | head -2", { finish: "never" });
		expect(readdirSync(dir)).not.toContain("artifact");
	});

	it("a producer that runs on has limits", async () => {
		const started = performance.now();
		const result = await run("sh -c 'while :; do echo x; done' | head -1", { finish: "always", finishLimits: { ms: 60_000, bytes: 100_000 } });
		expect(text(result.stdout)).toBe("x\n");
		const timed = await run("sh -c 'while :; do echo x; sleep 0.01; done' | head -1", { finish: "always", finishLimits: { ms: 300, bytes: 1e9 } });
		expect(text(timed.stdout)).toBe("x\n");
		expect(performance.now() - started).toBeLessThan(10_000);
	});
});

describe("timeout, abort and faults", () => {
	it("a timeout ends the whole tree and returns what there was", async () => {
		const result = await run("(echo one; echo two; sleep 97; echo late) | tail -1", { timeoutMs: 300, keepLog: "always" });
		expect(result).toMatchObject({ timedOut: true, exitCode: 124 });
		expect(text(result.stdout)).toBe("two\n");
		expect(readFileSync(result.logPath as string, "utf8")).toBe("one\ntwo\n");
		await expect.poll(() => alive("sleep 97")).toBe(false);
	});

	it("an abort rejects within 50 ms and ends the tree", async () => {
		const abort = new AbortController();
		const running = run("sleep 96 | tail -1", { signal: abort.signal });
		await new Promise((resolve) => setTimeout(resolve, 200));
		const at = performance.now();
		abort.abort();
		await expect(running).rejects.toMatchObject({ name: "AbortError" });
		expect(performance.now() - at).toBeLessThan(50);
		await expect.poll(() => alive("sleep 96")).toBe(false);
		await expect(run("echo a | tail -1", { signal: abort.signal })).rejects.toMatchObject({ name: "AbortError" });
	});

	it("a missing shell or folder is one clear error", async () => {
		await expect(run("echo a | tail -1", { shell: "/nonexistent/bash" })).rejects.toMatchObject({ code: "SPAWN", message: expect.stringContaining("/nonexistent/bash") });
		await expect(run("echo a | tail -1", { cwd: "/nonexistent" })).rejects.toMatchObject({ code: "SPAWN", message: expect.stringContaining("/nonexistent") });
	});

	it("a background process that holds the pipes does not hold the result", async () => {
		const started = performance.now();
		expect(text((await run("sleep 5 & echo a | tail -1")).stdout)).toBe("a\n");
		expect(performance.now() - started).toBeLessThan(2000);
	});

	it("binary output and a line of 200 MB come through", async () => {
		const bytes = await run("head -c 100000 /dev/urandom > r; cat r | tail -c 5000");
		expect(readFileSync(join(dir, "r")).subarray(-5000).equals(bytes.stdout)).toBe(true);
		const line = await run("head -c 200000000 /dev/zero | tr '\\0' x | tail -n 1 | head -c 3", { keepLog: "never" });
		expect(text(line.stdout)).toBe("xxx");
	}, 60_000);

	it("500 runs leave no descriptor behind", async () => {
		const count = () => readdirSync("/proc/self/fd").length;
		await run("echo warm | tail -1");
		const before = count();
		for (let round = 0; round < 10; round++) {
			const results = await Promise.all(Array.from({ length: 50 }, (_, i) => run(i % 5 === 0 ? `seq ${i + 1} | grep -P '^${i + 1}(?!.)'` : `seq ${i + 1} | tail -1`)));
			expect(results.map((r) => text(r.stdout))).toEqual(Array.from({ length: 50 }, (_, i) => `${i + 1}\n`));
		}
		await expect.poll(count).toBeLessThanOrEqual(before);
		expect(logs()).toEqual([]);
	}, 120_000);
});

function alive(commandLine: string): boolean {
	return readdirSync("/proc").some((pid) => {
		try {
			return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/cmdline`, "utf8").replaceAll("\0", " ").trim() === commandLine;
		} catch {
			return false;
		}
	});
}
