import { execFileSync } from "node:child_process";
import fc from "fast-check";
import { expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";
import { project, SluiceError } from "../../ts/index.ts";

/** The engine reads a window's views from their text: its words must be the shell's. */

const piece = fc.constantFrom(
	..."a|é|x.y|\\|\"|'|$|\\$|\\\"|\\'|\\\\|{|}|{2}|~|=|!|^|#|`|\\||]|\\[| |\\ |*|\\*|%|@|,|:|-|+|1|/|\\n|\\t|&|;|<|>|(|)|🙂|\u00a0".split("|"),
);

it("a literal word has one value for the planner, the engine and bash", { timeout: 120_000 }, async () => {
	let compared = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(piece, { minLength: 1, maxLength: 7 }), async (pieces) => {
			const word = pieces.join("");
			const plan = planCommand(`printf x | grep -cFx -e ${word}`);
			if (plan.action === "pass" || !plan.windows[0]?.literal || plan.windows.length > 1 || !plan.windows[0].views.endsWith(` -e ${word}`)) return;
			const value = execFileSync("bash", ["-c", `printf %s ${word}`], { encoding: "utf8" });
			if (value.startsWith("-")) return;
			try {
				const { output } = await project(Buffer.from(`${value}\n`), plan.windows[0].views, { env: { LC_ALL: "C.UTF-8" } });
				compared++;
				expect(Buffer.from(output).toString(), word).toBe("1\n");
			} catch (error) {
				// The engine may decline what it is not sure of; then the shell's own grep runs.
				if (!(error instanceof SluiceError)) throw error;
			}
		}),
		{ numRuns: 1500 },
	);
	expect(compared).toBeGreaterThan(100);
});
