import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runGuarded } from "../../ts/index.ts";

/** Followers, servers, endless and interactive programs: guarded, they end when and how they end in bash. */

const DEADLINE_MS = 2000;
let dir: string;
const env = { ...process.env, LC_ALL: "C.UTF-8" };

beforeAll(() => {
	dir = mkdtempSync(join(tmpdir(), "sluice-endless-"));
	writeFileSync(join(dir, "log"), "one\ntwo\nready\nmore\n");
	writeFileSync(join(dir, "ticker.sh"), 'i=0; while :; do i=$((i+1)); echo "tick $i"; sleep 0.02; done\n');
	writeFileSync(join(dir, "server.py"), "import http.server, sys\ns = http.server.HTTPServer(('127.0.0.1', 0), http.server.BaseHTTPRequestHandler)\nprint('listening', flush=True)\ns.serve_forever()\n");
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

const ENDING = [
	"yes | head -3",
	"yes | grep -m2 y",
	"yes | grep -q y; echo $?",
	"yes abc | head -c 10",
	"cat /dev/zero | head -c 5 | tail -c 2",
	"cat /dev/urandom | tr -dc a | head -c 4",
	"tail -f log | head -2",
	"tail -n +1 -f log | grep -m1 ready",
	"tail -F log | grep -q two; echo found",
	"while true; do echo x; done | head -2",
	"while :; do echo a; echo b; done | grep -m3 b",
	"until false; do echo u; done | head -1",
	"for ((;;)); do echo c; done | head -2",
	"sh ticker.sh | head -2",
	"sh ticker.sh | grep -m1 'tick 3'",
	"sh ./ticker.sh 2>&1 | grep -m1 'tick 2' | head -1",
	"seq inf | head -3",
	"seq 1 inf | grep -m1 00",
	"python3 -c 'while True: print(1)' 2>/dev/null | head -1",
	"perl -e 'print \"p\\n\" while 1' | head -2",
	"find / 2>/dev/null | head -1",
	"dd if=/dev/zero bs=1024 2>/dev/null | head -c 3 | tail -c 1",
	"tail -f /dev/null | head -n 0; echo $?",
	"set -o pipefail; tail -f /dev/null | head -c 0; echo $?",
	"cat | head -1",
	"read x | head -1; echo read",
	"python3 -i -c 'print(5)' 2>/dev/null | tail -1",
	"bash -i -c 'echo hi' 2>/dev/null | tail -1",
	"sleep 3 & echo started | tail -1",
	"yes | tr y z | head -1",
	"timeout 0.3 sh ticker.sh | tail -1 | grep -c tick",
	"{ echo now; sleep 0.2; echo later; } | head -1; echo after",
];

describe("commands that end in bash end here, with the same output", () => {
	it.each(ENDING)("%s", { timeout: 60_000 }, async (command) => {
		const plain = await plainRun(command, 30_000);
		const started = performance.now();
		const result = await runGuarded(command, { cwd: dir, env, timeoutMs: 30_000, keepLog: "never", finishLimits: { ms: 1000, bytes: 1 << 20 } });
		expect({ stdout: Buffer.from(result.stdout).toString("latin1"), timedOut: result.timedOut, exitCode: result.exitCode }).toEqual(plain.outcome);
		// Loaded machines are slow; a hang is not a matter of seconds.
		expect(performance.now() - started).toBeLessThan(plain.ms + 15_000);
	});
});

describe("commands that never end in bash are ended by the timeout, with what they printed", () => {
	const ENDLESS: [command: string, stdout: string][] = [
		["python3 server.py | tail -1", "listening\n"],
		["tail -f log | tail -1", "more\n"],
		["tail -f log | grep ready", "ready\n"],
		["python3 server.py | grep -c listening", "1\n"],
		["sleep 100 | head -1", ""],
	];
	it.each(ENDLESS)("%s", { timeout: 60_000 }, async (command, stdout) => {
		const result = await runGuarded(command, { cwd: dir, env, timeoutMs: DEADLINE_MS, keepLog: "never" });
		expect([result.timedOut, Buffer.from(result.stdout).toString()]).toEqual([true, stdout]);
	});
});

async function plainRun(command: string, deadlineMs: number) {
	const started = performance.now();
	const child = spawn("/bin/bash", ["-c", command], { cwd: dir, env, stdio: ["ignore", "pipe", "ignore"], detached: true });
	const chunks: Buffer[] = [];
	child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
	const timer = setTimeout(() => process.kill(-(child.pid as number), "SIGKILL"), deadlineMs);
	const exitCode = await new Promise<number | null>((resolve) => child.once("exit", resolve));
	clearTimeout(timer);
	await new Promise((resolve) => setTimeout(resolve, 50));
	return { outcome: { stdout: Buffer.concat(chunks).toString("latin1"), exitCode, timedOut: false }, ms: performance.now() - started };
}
