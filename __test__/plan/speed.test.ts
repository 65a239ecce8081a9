import { describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";

const TYPICAL =
	'cd /srv/app && npm run build 2>&1 | tail -5; echo "=== tests ==="; npx vitest run --reporter=verbose 2>&1 | grep -E "FAIL|Tests|✗" | head -40 && git status --short | head; echo "exit: $?"';

/** Milliseconds of processor time of the cheapest of some runs: the machine may be busy. */
function cheapest(runs: number, action: () => void): number {
	let best = Infinity;
	for (let i = 0; i < runs; i++) {
		const start = process.cpuUsage();
		action();
		best = Math.min(best, process.cpuUsage(start).user / 1000);
	}
	return best;
}

describe("cost of a plan", () => {
	it("is below 0.3 ms for a usual command", () => {
		expect(planCommand(TYPICAL).action).toBe("guard");
		for (let i = 0; i < 500; i++) planCommand(TYPICAL);
		const ms = cheapest(20, () => {
			for (let i = 0; i < 50; i++) planCommand(TYPICAL);
		}) / 50;
		console.log(`${TYPICAL.length} characters: ${(ms * 1000).toFixed(1)} µs`);
		expect(ms).toBeLessThan(0.3);
	});

	it.each([
		["one long word", (size: number) => `echo ${"x".repeat(size)} | tail -1`],
		["many words", (size: number) => `echo ${"word ".repeat(size / 5)} | tail -1`],
		["many statements", (size: number) => `${"echo abc;\n".repeat(size / 10)}a | tail -1`],
		["many pipelines that end elsewhere", (size: number) => `${"a | tail | b\n".repeat(size / 13)}a | tail -1`],
		["a long quoted word", (size: number) => `echo '${"it is | head\n".repeat(size / 13)}' | tail -1`],
		["a long here-document", (size: number) => `cat <<'E' | tail -1\n${"line | head\n".repeat(size / 12)}E\n`],
		["many substitutions", (size: number) => `echo ${"$(a | b) ".repeat(size / 9)} | tail -1`],
		["many doubtful texts in quotes", (size: number) => `echo ${"'$[' ".repeat(size / 5)} | tail -1`],
		["many functions", (size: number) => `${Array.from({ length: size / 20 }, (_, i) => `f${i}() { :; }; f${i}\n`).join("")}a | tail -1`],
	])("grows linearly: %s", (_, text) => {
		const [small, large] = [text(10_000), text(90_000)];
		const [once, ninefold] = [cheapest(8, () => planCommand(small)), cheapest(8, () => planCommand(large))];
		// Nine times as much text: nine times as long, not eighty-one times.
		expect(ninefold / Math.max(once, 0.5)).toBeLessThan(36);
	});

	it.each([
		["groups", "{ ", "; }"],
		["subshells", "(", ")"],
		["substitutions", "$(", ")"],
		["quoted substitutions", 'echo "$(', ')"'],
		["parameter expansions", "${x:-", "}"],
		["arithmetic", "$((", "))"],
		["conditions", "if ", "; then :; fi"],
		["functions", "f() { ", "; }"],
		["loops", "while ", "; do :; done"],
		["backticks", "`", "`"],
		["cases", "case x in x) ", " ;; esac"],
		["tests", "[[ ! ", " ]]"],
		["process substitutions", "<(", ")"],
		["unclosed groups", "{ ", ""],
		["unclosed functions", "f() {", ""],
		["redirections", "<", ""],
		["pipes", "| ", ""],
		["here-documents", "<<E ", ""],
	])("no nesting overflows the stack: %s", (_, open, close) => {
		for (const depth of [10, 100, 300, 3000, 20_000]) {
			const text = `${open.repeat(depth)}a${close.repeat(depth)} | tail -1`;
			const start = performance.now();
			expect(["guard", "pass"]).toContain(planCommand(text).action);
			expect(performance.now() - start).toBeLessThan(5000);
		}
	});

	it("refuses what no argument can hold", () => {
		expect(planCommand(`echo ${"x".repeat(110_000)} | tail -1`)).toEqual({ action: "pass", reason: "too-long" });
		expect(planCommand(`echo ${"é".repeat(60_000)} | tail -1`)).toEqual({ action: "pass", reason: "too-long" });
		expect(planCommand(`a | grep ${"x".repeat(60_000)}`)).toEqual({ action: "pass", reason: "too-long" });
		expect(planCommand("a | tail -1;".repeat(65))).toEqual({ action: "pass", reason: "too-many-windows" });
	});
});
