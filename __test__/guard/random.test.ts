import { execFileSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";
import { runGuarded } from "../../ts/index.ts";
import { CommandGrammar } from "../plan/support/grammar.ts";
import { type Outcome, Sandbox } from "../plan/support/sandbox.ts";

/** Random commands through the engine, against the same shell without it. */

const sandbox = new Sandbox();
afterAll(() => sandbox.dispose());

function find(shell: string): string | undefined {
	try {
		return execFileSync("sh", ["-c", 'command -v "$1"', "sh", shell], { encoding: "utf8" }).trim();
	} catch {
		return undefined;
	}
}

async function guarded(shell: string, command: string): Promise<Outcome> {
	return await sandbox.observe(async (cwd, env) => {
		const result = await runGuarded(command, { cwd, env, shell, timeoutMs: 10_000, keepLog: "never", finish: "never" });
		const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
		return { stdout: text(result.stdout), stderr: text(result.stderr), status: String(result.exitCode) };
	});
}

/** `undefined` if equal. Commands whose plain runs differ among themselves are compared with each of them. */
async function difference(shell: readonly string[], path: string, command: string): Promise<{ plain: Outcome; guarded: Outcome } | undefined> {
	const key = ({ stdout, stderr, status, files }: Outcome) => JSON.stringify([stdout, stderr, status, files]);
	const plains = new Set<string>();
	for (let attempt = 0; ; attempt++) {
		const plain = await sandbox.run(shell, command);
		plains.add(key(plain));
		const other = await guarded(path, command);
		if (plains.has(key(other))) return undefined;
		if (attempt === 5) return { plain, guarded: other };
	}
}

describe.each([["bash"], ["dash"], ["zsh"], ["mksh"], ["busybox", "sh"]].map((words) => ({ shell: words[0] as string, words })))("$shell", ({ shell, words }) => {
	const path = find(shell);
	const wanted = Number(process.env["SLUICE_RANDOM_COMMANDS"] ?? (shell === "bash" ? 300 : 60));
	it.runIf(path !== undefined)(`${wanted} random commands`, { timeout: wanted * 1000 }, async () => {
		let seed = Number(process.env["SLUICE_SEED"] ?? 100_000);
		let ran = 0;
		const failures: unknown[] = [];
		const worker = async () => {
			while (ran < wanted && failures.length === 0) {
				const own = seed++;
				const command = new CommandGrammar(own, shell !== "bash").command();
				if (planCommand(command).action !== "guard") continue;
				ran++;
				const found = await difference(words, path as string, command);
				if (found) failures.push({ seed: own, command, ...found });
			}
		};
		await Promise.all([worker(), worker(), worker()]);
		expect(failures).toEqual([]);
	});
});
