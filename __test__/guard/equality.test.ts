import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { planCommand, runGuarded } from "../../ts/index.ts";
import { CommandGrammar } from "../plan/support/grammar.ts";
import { type Outcome, Sandbox } from "../plan/support/sandbox.ts";
import { differs } from "../plan/support/simulate.ts";

/** Guarded commands, with the real engine, do what bash does: stdout, stderr, status, files. */

const sandbox = new Sandbox();
const logDir = mkdtempSync(join(tmpdir(), "sluice-equality-"));
afterAll(() => {
	sandbox.dispose();
	rmSync(logDir, { recursive: true, force: true });
});

const SHELLS = { bash: "/bin/bash", dash: "/bin/dash" };

function difference(command: string, shell: keyof typeof SHELLS, env?: Record<string, string>) {
	return differs(
		() => sandbox.run([shell], command, env),
		() =>
			sandbox.observe(async (cwd, base) => {
				const result = await runGuarded(command, { cwd, env: { ...base, ...env }, shell: SHELLS[shell], logDir, keepLog: "never", finish: "never", timeoutMs: 10_000 });
				const latin1 = (bytes: Uint8Array) => Buffer.from(bytes).toString("latin1");
				return { stdout: latin1(result.stdout), stderr: latin1(result.stderr), status: result.timedOut ? "SIGKILL" : String(result.exitCode) };
			}),
	);
}

const rows = readFileSync(new URL("../fixtures/tricky.jsonl", import.meta.url), "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line) as { id: string; command: string; env?: Record<string, string> });
/** The times or processes that they print differ from run to run, or they run for ever in bash too. */
const UNFIT = new Set(["st-time", "pr-loop-forever", "pr-watch", "pr-ps"]);

describe("tricky commands", () => {
	it.each(rows.filter((row) => !UNFIT.has(row.id)))("$id: $command", { timeout: 90_000 }, async ({ command, env }) => {
		expect(await difference(command, "bash", env)).toBeUndefined();
	});
});

describe.each(Object.keys(SHELLS) as (keyof typeof SHELLS)[])("random commands in %s", (shell) => {
	const wanted = Number(process.env["SLUICE_RANDOM_COMMANDS"] ?? (shell === "bash" ? 500 : 100));
	it(`${wanted} commands`, { timeout: wanted * 1000 }, async () => {
		let seed = Number(process.env["SLUICE_SEED"] ?? 1_000_000);
		let ran = 0;
		const failures: unknown[] = [];
		const worker = async () => {
			while (ran < wanted && failures.length < 3) {
				const own = seed++;
				const command = new CommandGrammar(own, shell !== "bash").command();
				if (planCommand(command).action !== "guard") continue;
				ran++;
				const found = await difference(command, shell);
				if (found) failures.push(summary(own, command, found));
			}
		};
		await Promise.all([worker(), worker(), worker()]);
		expect(failures).toEqual([]);
		expect(readdirSync(logDir)).toEqual([]);
	});
});

/** What differs, without what does not. */
function summary(seed: number, command: string, { plain, other }: { plain: Outcome; other: Outcome }) {
	const keys = (["stdout", "messages", "status", "files"] as const).filter((key) => plain[key] !== other[key]);
	const only = (text: string, known: string) => text.split("\n").filter((line) => !known.split("\n").includes(line));
	return { seed, command, differs: keys.map((key) => ({ [key]: [only(plain[key], other[key]), only(other[key], plain[key])] })) };
}
