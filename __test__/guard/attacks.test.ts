import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, renameSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { planCommand, runGuarded } from "../../ts/index.ts";

/** Commands that attack the handoff, the log and the host. What they must never do: hang it, end it, lie to it. */

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
const env: Record<string, string | undefined> = { ...process.env, LC_ALL: "C.UTF-8" };
const linux = process.platform === "linux";
let dir: string;
beforeEach(() => {
	dir = mkdtempSync(join(tmpdir(), "sluice-attacks-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));
const run = (command: string, options: Parameters<typeof runGuarded>[1] = {}) => runGuarded(command, { cwd: dir, env, logDir: dir, timeoutMs: 20_000, ...options });
/** A file of shell text: the planner does not look into it. */
function script(name: string, body: string): string {
	writeFileSync(join(dir, name), body);
	return `sh ./${name}`;
}
/** Finds the run's secret word in the shell's own text. */
const NONCE = "n=$(tr '\\0' '\\n' </proc/$PPID/cmdline | sed -n \"s/.*printf '%s.*0' \\([0-9a-f]\\{24\\}\\) B.*/\\1/p\" | head -1)\n";

/** Keeps the pipes open when the command's group is gone. */
const HOLDER = "setsid sleep 25 >/dev/null 2>&1 &\n";

describe.runIf(linux)("the handoff's descriptors", () => {
	it("questions without end whose answers nobody reads do not hold the engine up", async () => {
		const flood = script("flood.sh", `${NONCE}[ -n "$n" ] || exit 3\n${HOLDER}yes "$n" | head -c 100000000 | tr '\\n' '\\0' >&8 &\nwhile :; do printf "$n\\0B\\0001\\0-\\0001\\0C\\0\\0\\0\\0\\0\\0000\\0/usr/bin/tail\\n\\0$n\\0E\\0001\\0"; done >&8`);
		const started = performance.now();
		const result = await run(`${flood}; seq 3 | tail -1`, { timeoutMs: 2000 });
		expect(result.timedOut).toBe(true);
		expect(performance.now() - started).toBeLessThan(12_000);
		expect(text((await run("seq 3 | tail -1")).stdout)).toBe("3\n");
	});

	it("an abort ends a run whose command floods the engine", async () => {
		const flood = script("flood.sh", `${NONCE}${HOLDER}while :; do printf "$n\\0B\\0001\\0-\\0001\\0C\\0\\0\\0\\0\\0\\0000\\0/usr/bin/tail\\n\\0"; done >&8`);
		const controller = new AbortController();
		const running = run(`${flood}; seq 3 | tail -1`, { signal: controller.signal });
		setTimeout(() => controller.abort(), 1000);
		const started = performance.now();
		await expect(running).rejects.toMatchObject({ name: "AbortError" });
		expect(performance.now() - started).toBeLessThan(12_000);
	});

	it("a command can find the secret word, so these attacks are real", async () => {
		const find = script("find.sh", `${NONCE}echo "$n"`);
		expect(text((await run(`${find} | tail -1`)).stdout)).toMatch(/^[0-9a-f]{24}\n$/);
	});

	it("output without end beside a window does not hold its end up", async () => {
		const spam = script("spam.sh", "for i in 1 2 3; do timeout 2 cat /dev/zero & done");
		const result = await run(`sh -c '${spam} &'; sleep 0.3; seq 3 | tail -1; echo after`, { maxOutputBytes: 1 << 16, keepLog: "never", timeoutMs: 15_000 });
		expect(result.timedOut).toBe(false);
	});

	it.each(["E\\0001\\0", "B\\0009999999\\0-\\0001\\0\\0\\0\\0\\0\\0\\0000\\0x\\0", "P\\0001\\0001\\0", "X\\00099999999\\000", "B\\0001\\0001\\0001\\0\\0\\0\\0\\0\\0\\00018446744073709551615\\0"])(
		"a forged message (%s) cannot do more than end the handoff",
		async (message) => {
			const forge = script("forge.sh", `${NONCE}printf "$n\\0${message}" >&8`);
			const result = await run(`${forge}; seq 3 | tail -1; seq 4 | tail -1; echo rc=$?`, { timeoutMs: 5000 });
			if (!result.timedOut) expect(text(result.stdout)).toMatch(/^3\n4\nrc=0\n$/);
			expect(text((await run("seq 3 | tail -1")).stdout)).toBe("3\n");
		},
	);

	it("a thief of answers hangs itself only, until the timeout", async () => {
		const thief = script("thief.sh", "(while head -c 1 <&9 | grep -q .; do :; done) &");
		const result = await run(`${thief}; seq 3 | tail -1`, { timeoutMs: 1500 });
		expect([result.timedOut || text(result.stdout) === "3\n"]).toEqual([true]);
	});

	it("a forged answer cannot make the shell run its text", async () => {
		for (const answer of ["n; touch pwned", "x/etc/passwd; touch pwned", "$(touch pwned)", "a[$(touch pwned)]", "x$(touch pwned)", "`touch pwned`"]) {
			const forge = script("forge.sh", `printf '%s\\n' '${answer.replaceAll("'", "'\\''")}' '${answer.replaceAll("'", "'\\''")}' >/proc/self/fd/9`);
			await run(`${forge}; seq 3 | tail -1`, { timeoutMs: 5000 });
			expect(existsSync(join(dir, "pwned")), answer).toBe(false);
		}
	});
});

describe("tools that lie or hang", () => {
	it("a tool that hangs, floods or forks when asked for its version is not waited for", async () => {
		for (const body of ['[ "$1" = --version ] && sleep 1000\nexec /usr/bin/tail "$@"', '[ "$1" = --version ] && exec yes\nexec /usr/bin/tail "$@"', '[ "$1" = --version ] && { sleep 1000 & exit 0; }\nexec /usr/bin/tail "$@"']) {
			const bin = mkdtempSync(join(dir, "bin-"));
			writeFileSync(join(bin, "tail"), `#!/bin/sh\n${body}\n`);
			chmodSync(join(bin, "tail"), 0o755);
			const result = await run("seq 3 | tail -1", { env: { ...env, PATH: `${bin}:${env["PATH"]}` } });
			expect([text(result.stdout), result.timedOut]).toEqual(["3\n", false]);
		}
		expect(children().filter((args) => /sleep 1000/.test(args))).toEqual([]);
	});

	it("a tool that is replaced meanwhile is asked anew", async () => {
		const bin = join(dir, "bin");
		mkdirSync(bin);
		const options = { env: { ...env, PATH: `${bin}:${env["PATH"]}` } };
		symlinkSync("/usr/bin/tail", join(bin, "tail"));
		expect(text((await run("seq 3 | tail -1", options)).stdout)).toBe("3\n");
		writeFileSync(join(bin, "other"), "#!/bin/sh\ncat >/dev/null; echo replaced\n");
		chmodSync(join(bin, "other"), 0o755);
		renameSync(join(bin, "other"), join(bin, "tail"));
		expect(text((await run("seq 3 | tail -1", options)).stdout)).toBe("replaced\n");
	});
});

describe("processes that do not behave", () => {
	it.each([
		["the producer stops itself", "sh -c 'echo a; kill -STOP $$' | tail -1", "a\n"],
		["the whole group is stopped", "echo a; sh -c 'kill -STOP 0' | tail -1", "a\n"],
		["a producer ignores SIGTERM", "sh -c 'trap \"\" TERM; echo a; while :; do sleep 1; done' | tail -1", "a\n"],
	])("%s: the timeout ends it", async (_name, command, stdout) => {
		const result = await run(command, { timeoutMs: 700 });
		expect([result.timedOut, text(result.stdout), result.exitCode]).toEqual([true, stdout, 124]);
	});

	it.runIf(linux)("a process in a session of its own that writes for ever does not outlive the timeout's wait", async () => {
		const started = performance.now();
		const result = await run("setsid sh -c 'echo $$ >pid; while :; do echo spam; sleep 0.01; done' & wait", { timeoutMs: 700, keepLog: "never" });
		try {
			expect([result.timedOut, performance.now() - started < 10_000]).toEqual([true, true]);
		} finally {
			process.kill(Number(readFileSync(join(dir, "pid"), "utf8")), "SIGKILL");
		}
	});

	it("a producer closes its own streams, and goes on", async () => {
		expect(text((await run("sh -c 'echo a; exec <&- >&- 2>&-; sleep 0.1; true' | tail -1; echo $?")).stdout)).toBe("a\n0\n");
	});

	it("a daemon that keeps every descriptor is not waited for", async () => {
		const started = performance.now();
		const daemon = script("daemon.sh", "(sleep 15 &) ; echo up");
		const result = await run(`${daemon}; seq 3 | tail -1`);
		expect([text(result.stdout), result.timedOut, performance.now() - started < 12_000]).toEqual(["up\n3\n", false, true]);
	});

	it.runIf(linux)("the relay is killed: the producer gets SIGPIPE, the status is known", async () => {
		const killer = script("kill.sh", "sleep 0.3; pid=$(pgrep -s 0 -x cat) && kill -9 $pid; sleep 0.3; echo late; echo later");
		const result = await run(`${killer} | tail -1; echo rc=$?`, { timeoutMs: 8000 });
		expect([result.timedOut, /rc=\d+\n$/.test(text(result.stdout))]).toEqual([false, true]);
	});

	it("nested shells that run views themselves", async () => {
		const result = await run("bash -c 'seq 5 | tail -2; bash -c \"seq 3 | head -1\"' | tail -2; (seq 4 | (cat | tail -1)) | tail -1");
		expect(text(result.stdout)).toBe("5\n1\n4\n");
	});
});

describe.runIf(linux)("the log's name is turned into something else while it is written", () => {
	it.each([
		["a link to another file", (path: string) => symlinkSync(join(dir, "victim"), path)],
		["a fifo", (path: string) => void spawnSync("mkfifo", [path])],
		["a folder", (path: string) => mkdirSync(path)],
		["nothing", () => {}],
	])("%s", async (_name, replace) => {
		writeFileSync(join(dir, "victim"), "precious");
		const running = run("seq 1 20000; sleep 0.4; (seq 1 30000; printf 'a\\0b\\n') | grep -c b; seq 5 | tail -1", { keepLog: "always" });
		let log: string | undefined;
		await expect.poll(() => (log = readdirSync(dir).find((name) => name.endsWith(".log"))), { timeout: 8000, interval: 10 }).toBeDefined();
		rmSync(join(dir, log as string));
		replace(join(dir, log as string));
		const result = await running;
		expect(text(result.stdout)).toMatch(/20000\n1\n5\n$/);
		expect(readFileSync(join(dir, "victim"), "utf8")).toBe("precious");
	});

	it("the real tool gets the window's own bytes, whatever lies at the log's name", async () => {
		writeFileSync(join(dir, "victim"), "b from elsewhere\n".repeat(100_000));
		const running = run("(seq 1 200000; sleep 1; printf 'x\\0b\\n'; seq 1 9) | grep b", { keepLog: "always" });
		let log: string | undefined;
		await expect.poll(() => (log = readdirSync(dir).find((name) => name.endsWith(".log"))), { timeout: 8000, interval: 10 }).toBeDefined();
		rmSync(join(dir, log as string));
		symlinkSync(join(dir, "victim"), join(dir, log as string));
		expect(text((await running).stdout)).not.toContain("elsewhere");
	});
});

describe("text", () => {
	const cases: [string, string][] = [
		["100 KB", `printf '${"x".repeat(95_000)}' | tail -c 3`],
		["over 100 KB", `printf '${"x".repeat(120_000)}' | tail -c 3`],
		["5000 nested parentheses", `${"( ".repeat(5000)}seq 3 | tail -1${" )".repeat(5000)}`],
		["100 nested parentheses", `${"( ".repeat(100)}seq 3 | tail -1${" )".repeat(100)}`],
		["5000 nested substitutions", `echo ${"$(echo ".repeat(5000)}a${")".repeat(5000)} | tail -1`],
		["5000 braces", `${"{ ".repeat(5000)}seq 3 | tail -1${"; }".repeat(5000)}`],
		["50000 backticks", `echo ${"`".repeat(50_000)} | tail -1`],
		["20000 pipes", `seq 3 ${"| cat ".repeat(2_000)}| tail -1`],
		["20000 heredocs", `cat ${"<<E ".repeat(2_000)}| tail -1\n${"a\nE\n".repeat(2_000)}`],
		["unbalanced quotes", `${"'\"".repeat(20_000)} | tail -1`],
		["brackets", `${"[[ ".repeat(10_000)} | tail`],
		["arithmetic", `echo $((${"(".repeat(10_000)}1${")".repeat(10_000)})) | tail -1`],
		["case", `${"case a in a) ".repeat(3_000)}seq 3 | tail -1${";; esac".repeat(3_000)}`],
		["a lone surrogate", "echo \ud800 | tail -1"],
		["a NUL", "echo a\0b | tail -1"],
		["right to left", "echo '\u202egnp.exe' | tail -1"],
		["control characters", "echo '\x01\x7f\x9b31m' | tail -1"],
		["escapes", "echo '\x1b]0;title\x07\x1b[2J' | tail -1"],
	];
	it.each(cases)("%s is planned in time and not mistaken", (_name, command) => {
		const started = performance.now();
		const plan = planCommand(command);
		expect(performance.now() - started).toBeLessThan(5000);
		expect(["guard", "pass"]).toContain(plan.action);
	});

	it.each(cases.filter(([name]) => /^(100|right|escapes)/.test(name)))("%s runs as in bash", async (_name, command) => {
		const plain = spawnSync("bash", ["-c", command], { encoding: "latin1", env, cwd: dir });
		const result = await run(command);
		expect([text(result.stdout), result.exitCode]).toEqual([plain.stdout, plain.status]);
	});

	it("huge words are handed over", async () => {
		const words = 'seq 1 200000 | grep -c "$(seq 1 20000)"';
		const plain = spawnSync("bash", ["-c", words], { encoding: "latin1", env, cwd: dir });
		expect(text((await run(words, { timeoutMs: 60_000 })).stdout)).toBe(plain.stdout);
	}, 90_000);

	it("10 MB of escapes through a window", async () => {
		const result = await run("yes \"$(printf '\\033[')\" | head -c 10000000 | tail -c 4");
		expect(text(result.stdout)).toBe("\x1b[\n\x1b");
	});
});

describe.runIf(linux)("purging", () => {
	it("of a hostile folder, twice at once", async () => {
		const folder = join(dir, "logs");
		mkdirSync(folder);
		writeFileSync(join(dir, "victim"), "precious");
		const old = new Date(Date.now() - 3 * 86_400_000);
		const name = (n: number) => join(folder, `pi-bash-guard-${n.toString(16).padStart(16, "0")}.log`);
		for (let n = 0; n < 300; n++) {
			if (n % 6 === 0) symlinkSync(join(dir, "victim"), name(n));
			else if (n % 6 === 1) mkdirSync(join(name(n), "inner"), { recursive: true });
			else if (n % 6 === 2) spawnSync("mkfifo", [name(n)]);
			else writeFileSync(name(n), "x");
			if (n % 6 > 1) utimesSync(name(n), old, old);
		}
		const code = `import { createRequire } from "node:module"; const { purgeLogs } = createRequire(import.meta.url)(${JSON.stringify(new URL("../../binding/binding.cjs", import.meta.url).pathname)});
			const [one, two] = await Promise.all([purgeLogs(${JSON.stringify(folder)}, 1e6), purgeLogs(${JSON.stringify(folder)}, 1e6)]); console.log(one + two);`;
		const both = await Promise.all([node(code), node(code)]);
		expect(both.reduce((sum, out) => sum + Number(out), 0)).toBe(150);
		expect(readdirSync(folder).length).toBe(150);
		expect(readFileSync(join(dir, "victim"), "utf8")).toBe("precious");
	});

	it("takes nothing for an age that is no number, and nothing of other users", async () => {
		const { purgeLogs } = createRequire(import.meta.url)("../../binding/binding.cjs") as typeof import("../../binding/binding.cjs");
		const [mine, theirs] = ["0", "1"].map((digit) => join(dir, `pi-bash-guard-${digit.repeat(16)}.log`)) as [string, string];
		const old = new Date(Date.now() - 3 * 86_400_000);
		for (const path of [mine, theirs]) {
			writeFileSync(path, "x");
			utimesSync(path, old, old);
		}
		await expect(purgeLogs(dir, Number.NaN)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
		expect(await purgeLogs(dir, Number.POSITIVE_INFINITY)).toBe(0);
		if (process.getuid?.() === 0) chownSync(theirs, 65534, 65534);
		else rmSync(theirs);
		expect(await purgeLogs(dir, 1e6)).toBe(1);
		expect([existsSync(mine), existsSync(theirs)]).toEqual([false, process.getuid?.() === 0]);
	});
});

describe.runIf(linux)("many runs", () => {
	const rounds = Number(process.env["SLUICE_MANY_RUNS"] ?? 150);
	it(`${rounds} runs leave memory, descriptors and processes flat`, { timeout: 600_000 }, async () => {
		for (let n = 0; n < 20; n++) await run("echo warm | tail -1");
		const before = { fds: descriptors(), ...memory() };
		for (let n = 0; n < rounds; n += 5) {
			const commands = ["seq 9 | tail -1", "yes | head -2", "seq 99 | grep 9 | head -1", "false | tail -1", "seq 3000 | tail -n +1"];
			await Promise.all(commands.map((command) => run(command, { keepLog: n % 50 === 0 ? "auto" : "never" })));
		}
		await expect.poll(descriptors, { timeout: 5000 }).toBeLessThanOrEqual(before.fds + 2);
		expect(zombies()).toBe(0);
		const after = memory();
		expect([after.heap - before.heap, after.rest - before.rest].every((grown) => grown < 32 << 20), JSON.stringify({ before, after })).toBe(true);
	});

	it("200 runs at once", { timeout: 300_000 }, async () => {
		const before = descriptors();
		const results = await Promise.all(Array.from({ length: 200 }, (_, n) => run(`seq ${n + 1} | tail -1`, { timeoutMs: 280_000, keepLog: "never" })));
		expect(results.map(({ stdout }) => text(stdout))).toEqual(results.map((_, n) => `${n + 1}\n`));
		await expect.poll(descriptors, { timeout: 5000 }).toBeLessThanOrEqual(before + 2);
		expect(zombies()).toBe(0);
	});

	const loops = Number(process.env["SLUICE_MANY_LOOPS"] ?? 300);
	it(`${loops} windows in one loop`, { timeout: 600_000 }, async () => {
		const result = await run(`for ((i = 0; i < ${loops}; i++)); do seq $i | tail -1; done | tail -1; for i in $(seq ${loops}); do seq $i | tail -1; done`, { timeoutMs: 590_000 });
		expect(text(result.stdout)).toBe(`${loops - 1}\n${Array.from({ length: loops }, (_, i) => `${i + 1}\n`).join("")}`);
	});
});

/** Bytes alive in JavaScript's heap, and bytes of the process beside that heap, which V8 lets grow before it collects. */
function memory(): { heap: number; rest: number } {
	setFlagsFromString("--expose-gc");
	(runInNewContext("gc") as () => void)();
	const { rss, heapTotal, heapUsed } = process.memoryUsage();
	return { heap: heapUsed, rest: rss - heapTotal };
}

function descriptors(): number {
	return readdirSync("/proc/self/fd").filter((fd) => {
		try {
			return readlinkSync(`/proc/self/fd/${fd}`).startsWith("pipe:");
		} catch {
			return false;
		}
	}).length;
}

/** The command lines of all processes of this machine that are visible. */
function children(): string[] {
	return spawnSync("ps", ["-eo", "ppid=,stat=,args="], { encoding: "utf8" }).stdout.split("\n");
}

function zombies(): number {
	return children().filter((line) => new RegExp(`^\\s*${process.pid}\\s+Z`).test(line)).length;
}

function node(code: string): Promise<string> {
	const child: ChildProcess = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "pipe", "inherit"], env });
	let out = "";
	child.stdout?.on("data", (chunk: Buffer) => void (out += chunk.toString()));
	return new Promise((resolve) => child.once("exit", () => resolve(out)));
}

describe.runIf(linux)("what a command sets before its window", () => {
	const shells = ["/bin/bash", "/bin/dash", "/bin/zsh", "/bin/busybox", "/bin/mksh"].filter((shell) => existsSync(shell));
	it.each(shells)("%s: field separators and names that the handoff reads by", async (shell) => {
		for (const set of ["IFS=,", "IFS=", "IFS=0123456789", "IFS='\n'", "BASHPID=7", "BASHPID=x", "__sluice_like=1; set -f", "set -- a 'b c'"]) {
			const result = await run(`${set}; seq 30 | grep 2 | tail -1; echo "$?"`, { shell, timeoutMs: 5000 });
			expect([set, text(result.stdout), text(result.stderr), result.exitCode]).toEqual([set, "29\n0\n", "", 0]);
		}
	});

	it.each(shells)("%s: no program in reach, at once or while the views run", async (shell) => {
		for (const command of ["PATH=/nonexistent; echo 5 | tail -1; echo $?", 'head() { PATH=/nonexistent; read -r x; echo "mine $x"; }; echo 1 | head -1; echo $?']) {
			const busybox = shell.endsWith("busybox");
			const plain = spawnSync(shell, busybox ? ["sh", "-c", command] : ["-c", command], { cwd: dir, env, argv0: shell.split("/").at(-1), encoding: "latin1", stdio: ["ignore", "pipe", "pipe"] });
			const result = await run(command, { shell, timeoutMs: 5000 });
			expect([text(result.stdout), text(result.stderr), result.exitCode]).toEqual([plain.stdout, plain.stderr, plain.status]);
		}
	});
});
