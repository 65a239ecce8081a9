// Abort, and the ends of pi: nothing that was guarded outlives it.
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";
import { bash, reportRun } from "../rig/headless.ts";
import { drivePi, type PiDriver } from "../rig/rpc.ts";

/** Prints a line, writes down its process id and that of a child, and stays. */
const STAYS = "sh -c 'echo started; sleep 0.2; sleep 300 & echo $! >> pids; echo $$ >> pids; exec sleep 301' | grep started | tail -1";

async function startStaying(settings = {}): Promise<{ pi: PiDriver; pids: number[] }> {
	const pi = await drivePi([bash(STAYS)], { settings });
	await pi.send({ type: "prompt", message: "go" });
	const file = join(pi.home.work, "pids");
	const read = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
	await until("two processes", () => read().length === 2);
	return { pi, pids: read() };
}

async function until(what: string, test: () => boolean, ms = 10_000): Promise<void> {
	for (const end = performance.now() + ms; !test(); await sleep(20)) if (performance.now() > end) throw new Error(`no ${what} within ${ms} ms`);
}

function isAlive(pid: number): boolean {
	try {
		process.kill(pid, 0);
	} catch {
		return false;
	}
	// A zombie that nobody has waited for yet is dead.
	return process.platform !== "linux" || !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
}

describe("an abort", () => {
	it("ends the whole tree, and the result keeps the record and pi's words", async () => {
		const { pi, pids } = await startStaying({ sluice: { slowMs: 0 } });
		try {
			await pi.send({ type: "abort" });
			await pi.waitFor((event) => event.type === "agent_settled");
			await until("end of the tree", () => !pids.some(isAlive), 3_000);
			const [call] = reportRun(pi, null).calls;
			expect(call!.isError).toBe(true);
			expect(call!.message["content"]).toHaveLength(1);
			expect(call!.message["content"][0].text).toMatch(/^(started\n\n)?\[Showing the requested view of 1 line .*\]\n\nCommand aborted$/);
			expect(readPiToolGuardDetails(call!.message["details"])).toMatchObject({ originalCommand: STAYS });
		} finally {
			await pi.close();
		}
	});
});

describe("the end of a session", () => {
	it("ends the whole tree, and leaves nothing else of ours running", async () => {
		const { pi, pids } = await startStaying();
		try {
			await pi.send({ type: "new_session" });
			await until("end of the tree", () => !pids.some(isAlive), 3_000);
			const children = () => spawnSync("ps", ["-axo", "ppid=,args="], { encoding: "utf8" }).stdout.split("\n").filter((line) => line.trim().startsWith(`${pi.child.pid} `));
			await until("end of pi's children", () => children().length === 0, 3_000);
		} finally {
			await pi.close();
		}
	});
});

describe("nothing guarded outlives pi", () => {
	it.each(["end of input", "SIGTERM", "SIGHUP", "SIGKILL"] as const)("after %s", async (end) => {
		const { pi, pids } = await startStaying();
		expect(pids.every(isAlive)).toBe(true);
		if (end === "end of input") pi.child.stdin!.end();
		else pi.child.kill(end);
		await pi.ended;
		await until("end of the tree", () => !pids.some(isAlive), 3_000);
		await pi.dispose();
	});
});
