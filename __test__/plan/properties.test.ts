import { spawnSync } from "node:child_process";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";
import { decodeLiteral } from "../../ts/guard/plan/words.ts";
import { CommandGrammar } from "./support/grammar.ts";

const VIEW = /^(?:\/(?:usr\/)?bin\/)?[\\'"]?(?:head|tail|[ef]?grep|rg|less|more)\b/;

/** What holds for every plan, whatever the text. */
function checkPlan(command: string): void {
	const plan = planCommand(command);
	if (plan.action === "pass") {
		expect(plan.reason).toMatch(/^[a-z0-9]+(?:-[a-z0-9]+)*$/);
		return;
	}
	let at = 0;
	expect(plan.windows.length).toBeGreaterThan(0);
	for (const window of plan.windows) {
		expect(window.start).toBeGreaterThanOrEqual(at);
		expect(window.end).toBeGreaterThan(window.start);
		const text = command.slice(window.start, window.end);
		expect(text).toMatch(VIEW);
		expect(window.body.includes("\n") && window.form === "call").toBe(false);
		expect(window.lines).toBe(text.split("\n").length - window.views.split("\n").length);
		expect(window.removed.length).toBeGreaterThan(0);
		at = window.end;
	}
	expect(at).toBeLessThanOrEqual(command.length);
}

const token = fc.constantFrom(
	..."| || |& & && ; ;; \n ( ) { } < > >> << <<- <<< 2>&1 2>/dev/null >&2 &> ! time if then else elif fi for in do done while until case esac function select coproc [[ ]] (( )) $( ` \" ' \\ \\\n # $ ${ } $(( )) $[ ] = a=b x $x ${x} ${x:-y} $? * ? [a] {a,b} ~ head tail grep -5 -n 2 -v less rg /usr/bin/head cat E f() set -x -e eval exec trap cd".split(
		" ",
	),
);
const shellish = fc.array(fc.tuple(token, fc.constantFrom("", " ", " ", "\n", "\\\n")), { maxLength: 40 }).map((parts) => parts.flat().join(""));

describe("for every text", () => {
	it("a plan is sound and nothing is thrown: arbitrary strings", () => {
		fc.assert(fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => checkPlan(`${text} | tail -1`)), { numRuns: 2000 });
	});

	it("a plan is sound and nothing is thrown: shell tokens", () => {
		fc.assert(fc.property(shellish, (text) => (checkPlan(text), checkPlan(`${text} | tail -1`), checkPlan(`a | tail -1 ${text}`))), { numRuns: 10_000 });
	});

	it("what bash rejects is never guarded, and what is left can be read by bash", { timeout: 120_000 }, () => {
		const accepts = (text: string) => {
			const { status, stderr } = spawnSync("bash", ["-n", "-c", text], { encoding: "utf8" });
			return status === 0 && stderr === "";
		};
		fc.assert(
			fc.property(shellish, (text) => {
				for (const command of [text, `${text} | tail -1`, `a | tail -1 ${text}`]) {
					const plan = planCommand(command);
					if (plan.action === "pass") continue;
					expect(accepts(command)).toBe(true);
					expect(accepts(plan.cleanedCommand)).toBe(true);
				}
			}),
			{ numRuns: 1500 },
		);
	});

	it("commands of the grammar give sound plans that bash can read", { timeout: 120_000 }, () => {
		for (let seed = 1; seed <= 300; seed++) {
			const command = new CommandGrammar(seed * 7919).command();
			checkPlan(command);
			const plan = planCommand(command);
			if (plan.action === "guard") expect(spawnSync("bash", ["-n", "-c", plan.cleanedCommand]).status, command).toBe(0);
		}
	});

	it("a literal word has the value that bash gives it", () => {
		const piece = fc.constantFrom("a", "é", "\\", '"', "'", "$", "$x", "\\$", "\\\n", "*", "{", "}", "~", "=", "!", "^", "#", "`", "|", "\\|", "x.y", "]", "[", " ", "\n");
		fc.assert(
			fc.property(fc.array(piece, { minLength: 1, maxLength: 8 }), (pieces) => {
				const word = pieces.join("");
				const value = decodeLiteral(word);
				if (value === undefined || word.startsWith("#") || word.includes("!")) return;
				const { stdout, status } = spawnSync("bash", ["-c", `printf %s x${word}`], { encoding: "utf8" });
				expect(status).toBe(0);
				expect(stdout).toBe(`x${value}`);
			}),
			{ numRuns: 500 },
		);
	});
});
