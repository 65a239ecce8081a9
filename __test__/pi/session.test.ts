// Modes, reload, resume, nested calls, the command, and what is left to pi.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";
import { bash, reportRun, runPi } from "../rig/headless.ts";
import { CHECKOUT, createHome } from "../rig/home.ts";
import { receivedResults } from "../rig/model.ts";
import { drivePi } from "../rig/rpc.ts";
import type { PiEvent } from "../rig/process.ts";

const notifications = (events: readonly PiEvent[]) => events.filter((event) => event.type === "extension_ui_request" && event["method"] === "notify").map((event) => event["message"] as string);

describe.concurrent("in RPC mode", () => {
	it("guards across reloads, turns off and on, sums up, and leaves ! commands alone", async () => {
		const pi = await drivePi([bash("seq 9 | tail -1"), { text: "one" }, bash("seq 8 | tail -1"), { text: "two" }, bash("seq 7 | tail -1"), { text: "three" }]);
		try {
			await pi.prompt("go");
			await pi.prompt("/sluice off");
			await pi.prompt("go on");
			const direct = await pi.send({ type: "bash", command: "seq 6 | tail -1" });
			expect(direct["data"]).toMatchObject({ output: "6\n", exitCode: 0 });
			await pi.prompt("/sluice on");
			await pi.prompt("go on");
			await pi.prompt("/sluice");
			await pi.prompt("/sluice nonsense");
			const { calls } = reportRun(pi, null);
			expect(calls.map((call) => call.message["content"][0].text)).toEqual(["9\n", "8\n", "7\n"]);
			expect(calls.map((call) => readPiToolGuardDetails(call.details) !== undefined)).toEqual([true, false, true]);
			const said = notifications(pi.events);
			expect(said.slice(0, 2)).toEqual(["Sluice is off until /sluice on: commands go to pi unchanged.", "Sluice guards commands again."]);
			expect(said[2]).toMatch(/^🛡 Sluice · 2 guarded\n.*Kept out of the context\n.*16 → 2 .*\n.*32 B → 4 B .*\n.*Longest runs\n.*seq . \| tail -1\n.*seq . \| tail -1$/);
			expect(said[3]).toBe("usage: /sluice [on | off | settings | export [FILE.html]]");
		} finally {
			await pi.close();
		}
	});
});

// Not concurrent: it watches a clock.
describe("live, in RPC mode", () => {
	it("shows the view as it grows, and a slow command in the footer", async () => {
		const lines = "for i in 1 2 3; do echo line $i; sleep 0.4; done";
		const pi = await drivePi([[bash(`${lines} | grep line`), bash(`echo first; ${lines} | tail -2`)], { text: "done" }], { settings: { sluice: { slowMs: 300 } } });
		try {
			await pi.prompt("go");
		} finally {
			await pi.close();
		}
		const [grown, last] = reportRun(pi, null).calls.map((call) => call.updates.map((update) => update["partialResult"].content[0]?.text));
		expect(grown).toEqual(expect.arrayContaining(["line 1\n", "line 1\nline 2\n"]));
		expect(grown!.at(-1)).toBe("line 1\nline 2\nline 3\n");
		expect(last).toEqual(expect.arrayContaining(["first\n", "first\nline 1\n", "first\nline 1\nline 2\n", "first\nline 2\nline 3\n"]));
		expect(last!.at(-1)).toBe("first\nline 2\nline 3\n");
		const statuses = pi.events.filter((event) => event.type === "extension_ui_request" && event["method"] === "setStatus");
		expect(statuses[0]!["statusText"]).toMatch(/^🛡 0s · keeping the full log of (echo first; )?for i in 1 2 3; .*…$/);
		expect(statuses.at(-1)!["statusText"]).toBeUndefined();
	});
});

describe.concurrent("a new session in the same pi", () => {
	it("is guarded, with a summary of its own", async () => {
		const pi = await drivePi([bash("seq 9 | tail -1"), { text: "done" }], { session: true });
		try {
			for (let round = 1; round <= 2; round++) {
				await pi.prompt("go");
				await pi.prompt("/sluice");
				await pi.send({ type: "new_session" });
			}
			const results = pi.events.filter((event) => event.type === "tool_execution_end").map((event) => event["result"]);
			expect(results.map((result) => readPiToolGuardDetails(result.details)?.cleanedCommand)).toEqual(["seq 9", "seq 9"]);
			expect(notifications(pi.events).map((text) => text.split("\n")[0])).toEqual(["🛡 Sluice · 1 guarded", "🛡 Sluice · 1 guarded"]);
			expect(pi.stderr()).toBe("");
		} finally {
			await pi.close();
		}
	});
});

describe.concurrent("in print mode", () => {
	it("guards as well", async () => {
		const { code, requests } = await runPi([bash("seq 9 | tail -1"), { text: "said" }], { args: ["--print"] });
		expect(code).toBe(0);
		expect([...receivedResults(requests).values()]).toEqual([{ text: "9\n", blocks: 1, isError: false }]);
	});
});

describe.concurrent("scripts of codemode", () => {
	it("are summed up like the model's own calls", async () => {
		const code = 'await Promise.all([1, 2, 3].map((n) => tools.bash({ command: `seq 9${n} | tail -1` })));';
		const pi = await drivePi([{ name: "codemode", arguments: { code } }, { text: "done" }], { tools: "+codemode" });
		try {
			await pi.prompt("go");
			await pi.prompt("/sluice");
			expect(notifications(pi.events)[0]).toMatch(/^🛡 Sluice · 3 guarded\n.*\n.*276 → 3 /);
		} finally {
			await pi.close();
		}
	});

	it("get exact bytes, an exit code instead of a rejection, and no notice", async () => {
		const code = `
			const ok = await tools.bash({ command: "seq 9000 | tail -2" });
			const failed = await tools.bash({ command: "seq 9 | grep nothing" });
			const cut = await tools.bash({ command: "sh -c 'seq 9; exit 3' | tail -1" });
			return JSON.stringify([ok, failed, cut].map(({ output, exit_code, truncated }) => [output, exit_code, truncated]));`;
		const { calls } = await runPi([{ name: "codemode", arguments: { code } }], { tools: "+codemode" });
		expect(calls[0]!.received.text).toContain(JSON.stringify([["8999\n9000\n", 0, false], ["", 1, false], ["9\n", 0, false]]));
	});
});

describe.concurrent("a resumed session", () => {
	it("knows what was guarded and whether it is off", async () => {
		const home = createHome();
		try {
			const options = { home, session: true };
			const first = await drivePi([bash("seq 9 | tail -1"), { text: "one" }], options);
			await first.prompt("go");
			await first.prompt("/sluice off");
			await first.close();
			const second = await drivePi([{ text: "-" }, { text: "-" }, bash("seq 8 | tail -1"), { text: "two" }], { ...options, args: ["--continue"] });
			await second.prompt("/sluice");
			await second.prompt("go on");
			const [call] = reportRun(second, null).calls;
			const said = notifications(second.events);
			await second.close();
			expect(said[0]).toMatch(/^🛡 Sluice \(off\) · 1 guarded\n/);
			expect(call!.details).toBeUndefined();
		} finally {
			home.remove();
		}
	});
});

describe.concurrent("a log that cannot be written", () => {
	// Below /proc, Node's recursive mkdir never returns: there pi must be kept from caching what it loads (docs/troubleshooting.md).
	it.each(["/dev/null/nowhere", "/nowhere", "/proc/nowhere"])("is told, and the result stays: %s", async (TMPDIR) => {
		const env = { TMPDIR, JITI_FS_CACHE: "false" };
		const { calls } = await runPi([bash("seq 1 9000 | tail -1"), bash("seq 9 | tail -1")], { env });
		expect(calls[0]!.received.text).toMatch(/^9000\n\n\[The full output could not be kept: .+\]$/);
		expect(calls[0]!.details.fullOutputPath).toBeUndefined();
		expect(calls[1]!.received.text).toBe("9\n");
	});
});

describe.concurrent("without the native engine", () => {
	it("pi starts, says once what to install, and arguments are still repaired", async () => {
		const clone = mkdtempSync(join(tmpdir(), "sluice-clone-"));
		try {
			cpSync(join(CHECKOUT, "package.json"), join(clone, "package.json"));
			cpSync(join(CHECKOUT, "ts"), join(clone, "ts"), { recursive: true });
			symlinkSync(join(CHECKOUT, "node_modules"), join(clone, "node_modules"));
			mkdirSync(join(clone, "binding"));
			for (const name of readdirSync(join(CHECKOUT, "binding"))) {
				if (!name.endsWith(".node")) cpSync(join(CHECKOUT, "binding", name), join(clone, "binding", name));
			}
			const script = [bash("seq 9 | tail -1"), { name: "write", arguments: { file_path: "x.txt", contents: "hello\n" } }];
			const { code, calls, stderr } = await runPi(script, { extensions: [clone] });
			expect(code).toBe(0);
			expect(stderr.split("\n").filter((line) => line.includes("Sluice"))).toEqual([
				expect.stringMatching(/^Sluice: commands are not guarded, pi's own tools stay; arguments are still repaired\. The native engine of pi-sluice .* could not be loaded on /),
			]);
			expect(stderr).toMatch(/ {2}- npm install pi-sluice-\w+-\w+(-\w+)?@/);
			expect(calls.map((call) => call.received.isError)).toEqual([false, false]);
			expect(calls[0]!.received.text).toBe("9\n");
			expect(calls[0]!.details).toBeUndefined();
		} finally {
			rmSync(clone, { recursive: true, force: true });
		}
	});
});
