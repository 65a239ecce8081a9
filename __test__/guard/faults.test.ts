import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { runGuarded } from "../../ts/index.ts";

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const env = { ...process.env, LC_ALL: "C.UTF-8" };
const ENTRY = JSON.stringify(new URL("../../ts/index.ts", import.meta.url).href);
const NOBODY = ["--reuid=65534", "--regid=65534", "--clear-groups"];
let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "sluice-faults-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const run = (command: string, options: Parameters<typeof runGuarded>[1] = {}) => runGuarded(command, { cwd: dir, env, logDir: dir, ...options });

describe("the log's place", () => {
	it.skipIf(!canMount())("a full disk is reported, and the answer is exact", async () => {
		const small = join(dir, "small");
		mkdirSync(small);
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=64k", "tmpfs", small]);
		try {
			const result = await run("seq 1 100000 | tail -2", { logDir: small });
			expect([text(result.stdout), result.exitCode]).toEqual(["99999\n100000\n", 0]);
			expect(result.logError).toMatch(/No space left/);
		} finally {
			execFileSync("umount", [small]);
		}
	});

	it.skipIf(!canMount())("a disk that fills up before only the real tool can answer: it runs over what there was, then over what comes", async () => {
		const small = join(dir, "small");
		mkdirSync(small);
		execFileSync("mount", ["-t", "tmpfs", "-o", "size=256k", "tmpfs", small]);
		try {
			for (const [keepLog, mark] of [["always", "\\365b"], ["never", "\\365b"], ["auto", "b"]] as const) {
				const command = `(seq 1 300000; printf '${mark}\\n'; sleep 0.1; seq 1 10) | grep b; echo $?`;
				const plain = spawnSync("/bin/bash", ["-c", command], { argv0: "bash", env, encoding: "latin1" });
				const result = await run(command, { logDir: small, keepLog });
				expect([text(result.stdout), text(result.stderr), result.exitCode]).toEqual([plain.stdout, plain.stderr, plain.status]);
				if (keepLog !== "never") expect(result.logError).toMatch(/No space left/);
				for (const name of readdirSync(small)) unlinkSync(join(small, name));
			}
		} finally {
			execFileSync("umount", [small]);
		}
	});

	it("a log that somebody removes meanwhile takes nothing with it", async () => {
		const running = run("seq 1 20000; sleep 0.5; seq 3 | tail -1");
		await expect.poll(() => readdirSync(dir).find((name) => name.startsWith("pi-bash-guard-")), { timeout: 5000 }).toBeDefined();
		for (const name of readdirSync(dir)) unlinkSync(join(dir, name));
		expect(text((await running).stdout)).toMatch(/20000\n3\n$/);
	});

	it("is named absolutely, whatever the folder's name is relative to", async () => {
		const folder = relative(process.cwd(), dir);
		const { logPath, record } = await run("seq 9999 | tail -1", { logDir: folder, cwd: "/" });
		expect([dirname(logPath as string), record?.sourcePath]).toEqual([dir, logPath]);
		expect(existsSync(logPath as string)).toBe(true);
	});

	it("a folder that is a file, or a link to nowhere, is reported", async () => {
		writeFileSync(join(dir, "file"), "");
		symlinkSync(join(dir, "nowhere"), join(dir, "link"));
		for (const logDir of [join(dir, "file"), join(dir, "link")]) {
			const result = await run("seq 9999 | tail -1", { logDir });
			expect([text(result.stdout), result.logPath, typeof result.logError]).toEqual(["9999\n", undefined, "string"]);
		}
	});
});

describe("what a command may meet or do", () => {
	it("its working folder goes away", async () => {
		const gone = join(dir, "gone");
		mkdirSync(gone);
		const result = await run(`rmdir '${gone}'; seq 3 | tail -1`, { cwd: gone });
		expect([text(result.stdout), result.exitCode]).toEqual(["3\n", 0]);
	});

	it.each([
		["no PATH", "seq 3 | tail -1; echo rc=$?", { PATH: "" }],
		["no PATH from here on", "echo a | tail -1; PATH=; echo b | tail -1; echo rc=$?", {}],
		["another PATH", "mkdir bin; printf '#!/bin/sh\\necho mine\\n' >bin/tail; chmod +x bin/tail; PATH=$PWD/bin:$PATH; echo a | tail -1; rm -r bin", {}],
		["few descriptors", "ulimit -n 64; seq 3 | grep -v 2 | tail -1; seq 9 | grep -P '9(?!.)'", {}],
		["no files", "ulimit -f 0; seq 30000 | tail -1", {}],
	])("%s: as in bash", async (_name, command, more) => {
		const own = { ...env, ...more };
		const plain = spawnSync("/bin/bash", ["-c", command], { argv0: "bash", env: own, cwd: dir, encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] });
		const result = await run(command, { env: own, shell: "/bin/bash" });
		expect([text(result.stdout), text(result.stderr), result.exitCode]).toEqual([plain.stdout, plain.stderr, plain.status]);
	});

	it("it ends its own shell, the relay's shell, or everything", async () => {
		expect((await run("kill -9 $$; seq 3 | tail -1")).exitCode).toBe(137);
		expect((await run("seq 3 | tail -1; kill -TERM $$; sleep 1")).exitCode).toBe(143);
		expect((await run("(echo a; kill -9 0) | tail -1")).exitCode).toBe(137);
	});

	it("it writes into the engine's descriptors", async () => {
		for (const fd of [7, 8, 9]) {
			const command = `sh -c 'echo garbage >&${fd}' 2>/dev/null; seq 3 | tail -1; seq 4 | tail -1`;
			const result = await run(command, { timeoutMs: 10_000 });
			expect([text(result.stdout), result.exitCode, result.timedOut]).toEqual(["3\n4\n", 0, false]);
		}
	});

	it("its output holds our own words, escapes and shell text", async () => {
		const nasty = "$(touch pwned)`touch pwned`\\0\\033]0;x\\007 Full output: /etc/passwd]\\n__sluice 1\\n\\0B\\0001\\n";
		const result = await run(`printf '${nasty}' | tail -n 9`);
		expect(text(result.stdout)).toBe("$(touch pwned)`touch pwned`\0\x1b]0;x\x07 Full output: /etc/passwd]\n__sluice 1\n\0B\x001\n");
		expect(readdirSync(dir)).not.toContain("pwned");
	});

	it("no descriptors are left: one clear error, and the process goes on", () => {
		const script = `
			import { runGuarded } from ${ENTRY};
			import { openSync, closeSync } from "node:fs";
			await runGuarded("echo a | tail -1");
			const held = [];
			try { for (;;) held.push(openSync("/dev/null")); } catch {}
			try { await runGuarded("echo a | tail -1"); console.log("ran"); } catch (error) { console.log(error.name, error.code); }
			held.forEach(closeSync);
			console.log(new TextDecoder().decode((await runGuarded("echo a | tail -1")).stdout));`;
		const { stdout } = spawnSync("sh", ["-c", 'ulimit -n 64; exec "$0" --input-type=module -e "$1"', process.execPath, script], { encoding: "utf8", env });
		expect(stdout).toBe("SluiceError IO\na\n\n");
	});
});

describe("no thread and no process can be started", () => {
	it.skipIf(!canDropRights())("a clear error, or an answer, for each function, and no descriptor is lost", () => {
		// A limit that does not hold for root. The pool of Node's own threads is there before it, or Node itself would end.
		const script = `
			import { find, grep, projectFile, readLines, runGuarded, truncateFile } from ${ENTRY};
			import { spawnSync } from "node:child_process";
			import { readdirSync } from "node:fs";
			const file = process.argv[1];
			await readLines(file, { limit: 1 });
			spawnSync("prlimit", ["--pid", String(process.pid), "--nproc=1:1"]);
			const jobs = {
				runGuarded: () => runGuarded("seq 3 | tail -1"), pass: () => runGuarded("seq 3"),
				projectFile: () => projectFile(file, "grep -c nothing"), backwards: () => projectFile(file, "grep nothing | tail -1"),
				grep: () => grep({ pattern: "ordinary", path: file, limit: 1 }), find: () => find({ pattern: "*", path: "." }),
				readLines: () => readLines(file, { offset: 5, limit: 1 }), truncateFile: () => truncateFile(file, { keep: "tail" }),
			};
			const round = async () => {
				const results = {};
				for (const [name, job] of Object.entries(jobs)) results[name] = await job().then(() => "answer", (error) => error.name + " " + error.code);
				return results;
			};
			await round();
			const before = readdirSync("/proc/self/fd").length;
			const results = await round();
			console.log(JSON.stringify({ ...results, lost: readdirSync("/proc/self/fd").length - before }));`;
		const file = join(dir, "big");
		writeFileSync(file, "a line of an ordinary log file\n".repeat(2_000_000));
		chmodSync(dir, 0o755);
		const { stdout, stderr, signal } = spawnSync("setpriv", [...NOBODY, process.execPath, "--input-type=module", "-e", script, file], { encoding: "utf8", env, cwd: dir });
		expect([stderr, signal]).toEqual(["", null]);
		const answers = Object.fromEntries(["grep", "find", "readLines", "truncateFile"].map((name) => [name, "answer"]));
		expect(JSON.parse(stdout)).toEqual({ ...answers, runGuarded: "SluiceError SPAWN", pass: "SluiceError SPAWN", projectFile: "SluiceError IO", backwards: "SluiceError IO", lost: 0 });
	});
});

describe("little memory", () => {
	it.runIf(process.platform === "linux")("350 MB of address space are enough for any file of 450 MB", { timeout: 120_000 }, () => {
		const script = `
			import { grep, projectFile, readLines, runGuarded, truncateFile } from ${ENTRY};
			import { spawnSync } from "node:child_process";
			import { readFileSync } from "node:fs";
			const file = process.argv[1];
			await readLines(file, { limit: 1 });
			const used = Number(/VmSize:\\s+(\\d+)/.exec(readFileSync("/proc/self/status", "utf8"))[1]) * 1024;
			spawnSync("prlimit", ["--pid", String(process.pid), "--as=" + (used + 350e6)]);
			const views = ["grep -c line", "grep nothing | tail -1", "tail -n 3", "head -n -3 | tail -n 1", "head -c -5 | grep -c line"];
			for (const view of views) await projectFile(file, view);
			await grep({ pattern: "nothing", path: file, limit: 1 });
			await readLines(file, { offset: 1e6, limit: 1 });
			await truncateFile(file, { keep: "tail" });
			for (const view of ["tail -n 1", "tail -n +1", "grep -c line"]) await runGuarded("cat " + file + " | " + view, { keepLog: "never" });
			console.log("done");`;
		const file = join(dir, "big");
		execFileSync("sh", ["-c", `yes 'a line of some length for the log' | head -c 450000000 > '${file}'`]);
		const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", script, file], { encoding: "utf8", env, cwd: dir });
		expect([stdout, stderr]).toEqual(["done\n", ""]);
	});
});

describe("size", () => {
	const bytes = Number(process.env["SLUICE_BIG_BYTES"] ?? 300_000_000);
	it(`${bytes} bytes through a window leave memory flat`, { timeout: 600_000 }, async () => {
		await run("echo warm | tail -1");
		const before = process.memoryUsage().rss;
		const result = await run(`yes 'a line of some length for the log' | head -c ${bytes} | cat | grep -c line`, { keepLog: "always" });
		expect(text(result.stdout)).toBe(`${Math.ceil(bytes / 34)}\n`);
		expect(result.record?.projection?.inputBytes).toBe(bytes);
		expect(process.memoryUsage().rss - before).toBeLessThan(64 << 20);
	});

	it("of output that is all shown, the end is kept and all is reported", { timeout: 120_000 }, async () => {
		let seen = 0;
		const result = await run("seq 1 3000000 | tail -n +1", { maxOutputBytes: 1000, onOutput: (chunk) => void (seen += chunk.length) });
		expect([seen, result.stdout.length, result.truncated]).toEqual([22_888_896, 1000, true]);
		expect(text(result.stdout).endsWith("2999999\n3000000\n")).toBe(true);
	});
});

/** Whether a process of a user without rights can be started here, and can read this checkout. */
function canDropRights(): boolean {
	return process.getuid?.() === 0 && spawnSync("setpriv", [...NOBODY, process.execPath, "--input-type=module", "-e", `await import(${ENTRY});`]).status === 0;
}

function canMount(): boolean {
	return process.getuid?.() === 0 && spawnSync("sh", ["-c", 'd=$(mktemp -d) && mount -t tmpfs tmpfs "$d" && umount "$d"; s=$?; rmdir "$d"; exit $s']).status === 0;
}
