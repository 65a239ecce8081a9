import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";

interface Row {
	readonly id: string;
	readonly command: string;
	/** `guard`, or the reason to pass. */
	readonly plan: string;
	readonly cleaned?: string;
	readonly views?: readonly string[];
}

const rows = readFileSync(new URL("../fixtures/tricky.jsonl", import.meta.url), "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line) as Row);

describe("tricky commands", () => {
	it.each(rows)("$id: $plan", (row) => {
		const plan = planCommand(row.command);
		expect(plan.action === "guard" ? "guard" : plan.reason).toBe(row.plan);
		if (plan.action === "pass") return;
		expect(plan.cleanedCommand).toBe(row.cleaned);
		expect(plan.windows.map((window) => window.views)).toEqual(row.views);
		// `bash -n` reads the text only.
		execFileSync("bash", ["-n", "-c", plan.cleanedCommand], { stdio: "pipe" });
	});
});
