import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";
import { CommandGrammar } from "./support/grammar.ts";
import { Sandbox } from "./support/sandbox.ts";
import { bare, difference, simulated } from "./support/simulate.ts";

/** Rewrites must leave every command as it was when the engine leaves every window to the shell. */

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

const rows = readFileSync(new URL("../fixtures/tricky.jsonl", import.meta.url), "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line) as { id: string; command: string; env?: Record<string, string> });
/** Never end by themselves, or take long; SHELLOPTS and BASH_ENV are refused before a plan is made. */
const UNFIT = new Set(["pr-yes", "pr-zero", "pr-follow", "pr-find", "pr-loop-forever", "pr-watch", "st-time", "name-shellopts", "name-bash-env"]);

const shells = [["bash"], ["dash"], ["zsh"], ["mksh"], ["busybox", "ash"]].filter(isInstalled);

function isInstalled([program, ...args]: readonly string[]): boolean {
	try {
		execFileSync(program as string, [...args, "-c", ":"], { stdio: "ignore" });
		return true;
	} catch {
		return false;
	}
}

describe.each(shells.map((shell) => ({ shell, name: shell.join(" ") })))("$name", ({ shell }) => {
	it.each(rows.filter((row) => !UNFIT.has(row.id) && planCommand(row.command).action === "guard"))("$id", async ({ command, env }) => {
		const plan = planCommand(command);
		if (plan.action !== "guard") throw new Error("not guarded");
		expect(await difference(sandbox, shell, command, bare(command, plan), env)).toBeUndefined();
		expect(await difference(sandbox, shell, command, simulated(command, plan), env)).toBeUndefined();
	});

	const wanted = Number(process.env["SLUICE_RANDOM_COMMANDS"] ?? (shell[0] === "bash" ? 2000 : 150));
	it(`${wanted} random commands`, { timeout: wanted * 1000 }, async () => {
		const first = Number(process.env["SLUICE_SEED"] ?? 1);
		let seed = first;
		let ran = 0;
		const failures: unknown[] = [];
		const worker = async () => {
			while (ran < wanted && failures.length === 0) {
				const own = seed++;
				const command = new CommandGrammar(own, shell[0] !== "bash").command();
				const plan = planCommand(command);
				if (plan.action !== "guard") continue;
				ran++;
				// The functions of the handoff cost time; the bare ones find what the rewriting itself does.
				const rewritten = own % 4 === 0 ? simulated(command, plan) : bare(command, plan);
				const found = await difference(sandbox, shell, command, rewritten);
				if (found) failures.push({ seed: own, command, ...found });
			}
		};
		await Promise.all([worker(), worker(), worker()]);
		expect(failures).toEqual([]);
	});
});
