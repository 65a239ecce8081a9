import { spawnSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";

/** Texts that the parser accepts and bash rejects, each in the ways it can stand next to a window. */
const REJECTED_BY_BASH = [
	// `$[`, and `${` that is no parameter expansion
	"echo $[1", 'echo "$["', "x=($[)", "echo ${ ", "echo ${\n", "echo ${|", "echo ${ foo;", "echo ${<(}", "echo ${>(}", "echo ${$(if)}",
	// a parenthesis behind a word
	"foo(", "foo(bar", "=(", "-(", "~(", "[(", "](", "%(", '""(', "$ (", "local (", "ls (#i)*.m",
	// a dropped prefix
	"a=b f() { c; }", ">f g() { c; }",
	// bare ! and time
	"! && a", "! || a", "time&",
	// a number as target before another redirection
	">2>1", "<2>x", ">{x}>e", "<{x}<e", ">=()",
	// line breaks and ]] inside [[ ]]
	"[[\na\n]]", "[[ a\n&& b ]]", "[[ a\n== b ]]", "[[ -n\na ]]", "[[ a ==\nb ]]",
	"coproc = in", "coproc @ then",
	"cat <<'", "cat <<`",
	// line continuations inside operators and expansions
	"echo $\\\n[[", "echo ${\\\n ", "a ;\\\n&>if", "<<<2>&1",
	// extglob is off in `bash -c`
	"ls !(a)", "ls @(a|b)", "ls +(a)", "ls ?(a)", "ls *(a)", "case x in @(a|b)) :;; esac",
];

/** Texts that bash accepts and the parser rejects. */
const REJECTED_BY_PARSER = ["echo `echo '`", "`(`", "`|`", "`in`", "cat <<E\n$(}\nE", "cat <<E\n$(while\nE", "a &\\\n& b", "a |\\\n| b", "a >\\\n> b"];

const around = (text: string) => [`${text}; printf a | tail -1`, `printf a | tail -1\n${text}`, `${text} | tail -1`, `{ ${text}\n} | tail -1`, `if ${text}; then printf a | tail -1; fi`];

function bashAccepts(text: string): boolean {
	// bash 5.2 reports some errors in [[ ]] with status 0.
	const { status, stderr } = spawnSync("bash", ["-n", "-c", text], { encoding: "utf8" });
	return status === 0 && stderr === "";
}

describe("texts on which the parser and bash disagree are left alone", () => {
	it.each(REJECTED_BY_BASH)("%j", (text) => {
		for (const command of around(text)) {
			if (bashAccepts(command)) continue;
			expect.soft(planCommand(command), JSON.stringify(command)).toMatchObject({ action: "pass" });
		}
		// At least one of the forms is what the row is about.
		expect(around(text).some((command) => !bashAccepts(command))).toBe(true);
	});

	it.each(REJECTED_BY_PARSER)("%j", (text) => {
		expect(planCommand(`${text}\nprintf a | tail -1`)).toMatchObject({ action: "pass" });
	});

	it.each([
		["a final backslash joins with what is appended", "printf a | tail -1 \\"],
		["an operator split by a continuation", "printf a |\\\n| tail -1"],
		["more than 16 here-documents", `${Array.from({ length: 17 }, (_, i) => `cat <<E${i}`).join("; ")} | tail -1\n${Array.from({ length: 17 }, (_, i) => `E${i}\n`).join("")}`],
		["a here-document without its end", "cat <<E | tail -1\nx"],
		["a carriage return", "printf a | tail -1\r\n"],
		["a vertical tab", "printf a |\vtail -1"],
		["a NUL", "printf a | tail -1\0"],
		["half a surrogate pair", "echo \ud800 | tail -1"],
	])("%s", (_, command) => {
		expect(planCommand(command).action).toBe("pass");
	});

	it.each([
		["in single quotes", "awk '{ print $[1] }' x | tail -1"],
		["in single quotes with a brace", "echo '${ ' | tail -1"],
		["escaped", "echo \\$[1] | tail -1"],
		["in a quoted here-document", "cat <<'E' | tail -1\n$[ ${ \nE"],
	])("doubtful text %s is no reason", (_, command) => {
		expect(bashAccepts(command)).toBe(true);
		expect(planCommand(command).action).toBe("guard");
	});
});
