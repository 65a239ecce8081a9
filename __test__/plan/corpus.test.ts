import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";

const rows = readFileSync(new URL("../fixtures/commands.jsonl", import.meta.url), "utf8")
	.trim()
	.split("\n")
	.map((line) => JSON.parse(line) as { id: string; command: string; views: string[]; shape: string });

/** Shapes whose views do not show what the command prints, or whose pipeline is not the shell's own. */
const NOT_TOP_LEVEL = /command-substitution|pipestatus|background|nested-shell|redirect-last|xargs|process-sub|heredoc/;

describe("commands of real agents", () => {
	it("guards at least nine in ten of those with a view at the top level", () => {
		const reasons: Record<string, number> = {};
		let guarded = 0;
		const withView = rows.filter((row) => row.views.length > 0 && !NOT_TOP_LEVEL.test(row.shape));
		for (const { command } of withView) {
			const plan = planCommand(command);
			if (plan.action === "guard") guarded++;
			else reasons[plan.reason] = (reasons[plan.reason] ?? 0) + 1;
		}
		console.log(`guarded ${guarded} of ${withView.length}; passed: ${JSON.stringify(reasons)}`);
		expect(guarded / withView.length).toBeGreaterThanOrEqual(0.9);
	});

	it("never hands over what is no view of the command itself", () => {
		const passed = ["c061", "c096", "c183", "c184", "c193", "c215", "c222", "c380", "c420", "c118", "c157", "c297", "c491", "c147"];
		const wrongly = rows.filter(({ id, command }) => passed.includes(id) && planCommand(command).action === "guard");
		expect(wrongly.map((row) => row.id)).toEqual([]);
	});

	it.each(rows.filter(({ command }) => planCommand(command).action === "guard"))("$id: what is left is what bash can read", ({ command }) => {
		const plan = planCommand(command);
		if (plan.action !== "guard") throw new Error("not guarded");
		execFileSync("bash", ["-n", "-c", plan.cleanedCommand], { stdio: "pipe" });
		for (const window of plan.windows) {
			expect(command.slice(window.start)).toMatch(/^(?:[\w/]*\/)?[\\'"]?(?:head|tail|[ef]?grep|rg|less|more)\b/);
		}
	});
});
