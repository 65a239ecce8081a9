import { describe, expect, it } from "vitest";
import { planCommand } from "../../ts/guard/plan/plan.ts";

const GUARDED: readonly (readonly [command: string, ...views: string[]])[] = [
	["a | tail -1", "tail -1"],
	["a | tail -1; b | head -2; c", "tail -1", "head -2"],
	["a | tail -1\nb | head -2", "tail -1", "head -2"],
	["a | tail -1 && b | head -2 || c | grep x", "tail -1", "head -2", "grep x"],
	["! a | grep -q x", "grep -q x"],
	["time a | tail -1", "tail -1"],
	["if a | grep -q x; then b | tail -1; elif c | head; then d | more; else e | less; fi", "grep -q x", "tail -1", "head", "more", "less"],
	["for i in 1 2; do a | tail -1; done", "tail -1"],
	["for ((i = 0; i < 2; i++)); do a | tail -1; done", "tail -1"],
	["while a | grep -q x; do b | tail -1; done", "grep -q x", "tail -1"],
	["until a | grep -q x; do sleep 1; done", "grep -q x"],
	["case x in a) b | tail -1;; *) c | head -1 ;; esac", "tail -1", "head -1"],
	["{ a | tail -1; b | head -1; }", "tail -1", "head -1"],
	["( a | tail -1 )", "tail -1"],
	["{ a | tail -1; } 2>&1", "tail -1"],
	["{ a | tail -1; } < file", "tail -1"],
	["while read x; do a | tail -1; done <<E\nb\nE", "tail -1"],
	["while read x; do a | tail -1; done < <(b | head)", "tail -1"],
	["a | while read x; do b | tail -1; done", "tail -1"],
	["a | { read x; b | tail -1; }", "tail -1"],
	["f() { a | tail -1; }; f", "tail -1"],
	["f() { a | tail -1; }\ng() { f; b | head -1; }\ng && f", "tail -1", "head -1"],
	["function f { a | tail -1; }; f; f", "tail -1"],
	["f() { a | tail -1; }; b | f", "tail -1"],
	["f() { a | head -1; }; f | tail -1", "tail -1"],
	["[[ -f x ]] && a | tail -1", "tail -1"],
	["(( 1 )) && a | tail -1", "tail -1"],
	["a 2>&1 | grep x | tail -1", "grep x | tail -1"],
	["a |& tail -1", "tail -1"],
	["a | grep x |& tail -1", "grep x | tail -1"],
	["a | grep x | sort | tail -1", "tail -1"],
	["a | grep x file | tail -1", "tail -1"],
	["a | LC_ALL=C grep x | tail -1", "tail -1"],
	['a | grep "$x" | tail -1', "tail -1"],
	["a | grep 'x\ny' | tail -1", "tail -1"],
	["a | grep x | head -1; echo ${PIPESTATUS[0]}", "head -1"],
	["a | grep x | tail -1; echo $pipestatus", "tail -1"],
	['a | tail -n "$n"', 'tail -n "$n"'],
	["cat <<E | grep x |\nbody\nE\ntail -1", "tail -1"],
	["cat <<E | grep x | tail -1\nbody | head\nE", "grep x | tail -1"],
	["(cd x && a; exit 3) | tail -1; wait", "tail -1"],
	["x=$(a | tail -1); b | head -1", "head -1"],
	["echo $(a | tail -1) | head -1", "head -1"],
	["for i in $(a | head -2); do b | tail -1; done", "tail -1"],
	["a | tail -1 > f; b | head -1", "head -1"],
	["{ a | tail -1; } > f; b | head -1", "head -1"],
	["{ a | tail -1; b; } | head -1", "head -1"],
	["for i in 1; do a | tail -1; done | head -1", "head -1"],
	["source x/bin/activate && a | tail -1", "tail -1"],
	['eval "$(x env)"; a | tail -1', "tail -1"],
	["set -euo pipefail; a | tail -1", "tail -1"],
	["set -a; . ./.env; set +a; a | tail -1", "tail -1"],
	["trap 'rm -f x' EXIT INT; a | tail -1", "tail -1"],
	["export LC_ALL=C; a | grep x", "grep x"],
	["LC_ALL=C sort f | head -1", "head -1"],
	["find / -not -path '/proc/*' | head -1", "head -1"],
	["lsof -ti :3000 | head -1", "head -1"],
	["pkill -f x; a | tail -1", "tail -1"],
	["hash -p /x tail; PATH=/y:$PATH; a | tail -1", "tail -1"],
	["head() { x; }; a | head -1", "head -1"],
	["alias x=y; a | tail -1", "tail -1"],
	["a | tail -1 # | head -1", "tail -1"],
	["# a | head\na | tail -1", "tail -1"],
	["#!/bin/bash\na | tail -1", "tail -1"],
];

const PASSED: readonly (readonly [command: string, reason: string])[] = [
	["npm test", "no-view"],
	["tail -1 f", "no-view"],
	["ssh host 'a | tail -1'", "no-view"],
	["bash -c 'a | tail -1'", "no-view"],
	["a | command tail -1", "no-view"],
	["a | xargs tail -1", "no-view"],
	["a | tail -1 | cat", "view-not-last"],
	["( a | tail -1 ) | sort", "view-not-last"],
	["a | { b | tail -1; } | c", "view-not-last"],
	["{ a | tail -1; } > f", "stdout-redirected"],
	["{ a | tail -1; } >&2", "stdout-redirected"],
	["{ a | tail -1; } &> f", "stdout-redirected"],
	["for i in 1; do a | tail -1; done >> f", "stdout-redirected"],
	["f() { a | tail -1; } > f; f", "stdout-redirected"],
	["x=$(a | tail -1)", "substitution"],
	["echo `a | tail -1`", "substitution"],
	["cat <(a | tail -1)", "substitution"],
	["a > >(b | tail -1)", "substitution"],
	["f() { a | tail -1; }; x=$(f)", "function"],
	["f() { a | tail -1; }; f > x", "function"],
	["f() { a | tail -1; }; f | sort", "function"],
	["f() { a | tail -1; }; f; f | sort", "function"],
	["f() { a | tail -1; }; g() { f; }; x=$(g)", "function"],
	["f() { a | tail -1; }; c=f; $c", "function"],
	["f() { a | tail -1; }; eval f", "function"],
	["f() { a | tail -1; }; f; type f", "function"],
	["f() { a | tail -1; }; declare -f f", "function"],
	["set -a; f() { a | tail -1; }; f; bash -c f", "function"],
	["f() { a | tail -1; }; declare -fx f; bash -c f", "function"],
	["f() { a | tail -1; }; export -f f; xargs -I{} bash -c f", "function"],
	["f() { a | tail -1; }; trap f EXIT", "function"],
	["a | tail -1 &", "background"],
	["a & b | tail -1", "background"],
	["a | ((b; c)\n) | tail -1", "parse-doubt"],
	["echo $((b; c)\n) | tail -1", "parse-doubt"],
	["(a &) | tail -1", "background"],
	["b | tail -1; a &", "background"],
	["coproc a; b | tail -1", "coproc"],
	["select x in a; do b | tail -1; done", "select"],
	["a | ./tail -1", "view-name"],
	["a | LC_ALL=C tail -1", "view-environment"],
	["a | tail -1 f", "view-operand"],
	["a | tail +3", "view-operand"],
	["a | grep -e x f", "view-operand"],
	["a | rg x src", "view-operand"],
	["a | tail -f", "view-option"],
	["a | tail -n3 -F", "view-option"],
	["a | grep -ir x", "view-option"],
	["a | rg --files", "view-option"],
	["a | less +G", "view-option"],
	["a | less -o f", "view-option"],
	["a | grep -f <(b)", "view-expansion"],
	['a | grep "${x:?}"', "view-expansion"],
	['set -u; a | grep "$x"', "view-expansion"],
	["set -o nounset; a | head -$n", "view-expansion"],
	["a | tail -1 > f", "view-redirect"],
	["a | tail -1 > /dev/null", "view-redirect"],
	["a | tail -1 >&2", "view-redirect"],
	["a | tail -1 2> f", "view-redirect"],
	["a | 2>/dev/null tail -1", "view-redirect"],
	["a | grep x <<< y", "view-redirect"],
	["ps aux | grep x", "process-listing"],
	["sudo ps aux | grep x", "process-listing"],
	["pgrep -fl x | head", "process-listing"],
	["lsof | grep x", "process-listing"],
	["ls /proc/self/fd | tail -1", "file-descriptor"],
	["python3 -c 'import os; print(os.listdir(\"/proc/self/fd\"))' | tail -1", "file-descriptor"],
	["ls /proc/self | tail -1", "process-listing"],
	["find /proc | tail -1", "process-listing"],
	["find /proc -type d | tail -1", "process-listing"],
	["cat < /proc/$$/cmdline | tail -1", "process-listing"],
	["bash -c 'ps aux | cat' | tail -1", "process-listing"],
	["ls /dev/fd/ | tail -1", "file-descriptor"],
	["exec 9>&1; a | tail -1", "exec-redirect"],
	["exec > f; a | tail -1", "exec-redirect"],
	["( flock 9; a | tail -1 ) 9> lock", "file-descriptor"],
	["a 2>&7 | tail -1", "file-descriptor"],
	["a {x}> f; b | tail -1", "file-descriptor"],
	["lvs | tail -1", "file-descriptor"],
	["set -x; a | tail -1", "shell-option"],
	["set -o xtrace; a | tail -1", "shell-option"],
	["set -vx; a | tail -1", "shell-option"],
	["set -m; a | tail -1", "shell-option"],
	["set $x; a | tail -1", "shell-option"],
	["builtin set -x; a | tail -1", "shell-option"],
	["eval 'set -x'; a | tail -1", "shell-option"],
	["shopt -s lastpipe; a | tail -1", "shell-option"],
	["setopt x; a | tail -1", "shell-option"],
	["trap 'x' ERR; a | tail -1", "trap"],
	["trap 'x' DEBUG; a | tail -1", "trap"],
	["trap '' PIPE; a | tail -1", "trap"],
	["trap 'set -x' INT; a | tail -1", "shell-option"],
	["set | tail -1", "introspection"],
	["declare -f | grep x", "introspection"],
	["declare -p | grep x", "introspection"],
	["compgen -A function | tail -1", "introspection"],
	["echo $_ | tail -1", "introspection"],
	["echo ${BASH_EXECUTION_STRING} | tail -1", "introspection"],
	["f() { echo ${FUNCNAME[0]}; }; f | tail -1", "introspection"],
	["alias x=y; a | grep $z", "alias"],
	[". ./rc\na | grep $z", "alias"],
	["cat() { x; }; a | tail -1", "function-shadow"],
	["printf() { x; }; a | tail -1", "function-shadow"],
	["eval 'a ('; a | tail -1", "nested-text"],
	["LC_ALL=C; a | grep x", "environment-assignment"],
	["read LANG < f; a | grep x", "environment-assignment"],
	["for LANG in C; do a | grep x; done", "environment-assignment"],
	["declare LC_CTYPE=C; a | grep x", "environment-assignment"],
	["ulimit -u 10; a | tail -1", "resource-limit"],
	["ulimit -n 20; a | tail -1", "resource-limit"],
	["cat <<E | tail -1\nx", "heredoc"],
	["cat <<E | tail -1 <<F\nx\nE\ny\nF\n", "view-redirect"],
	["cat <<E | tail \\\n -1 \\\n | head\nx\nE", "guard"],
	["__sluice; a | tail -1", "reserved-name"],
	["a | tail -1 |", "syntax"],
];

describe("where windows stand", () => {
	it.each(GUARDED)("guards %j", (command, ...views) => {
		const plan = planCommand(command);
		expect(plan).toMatchObject({ action: "guard" });
		if (plan.action === "guard") expect(plan.windows.map((window) => window.views)).toEqual(views);
	});

	it.each(PASSED)("%j: %s", (command, reason) => {
		const plan = planCommand(command);
		expect(plan.action === "guard" ? "guard" : plan.reason).toBe(reason);
	});
});

describe("what is told about a window", () => {
	const only = (command: string) => {
		const plan = planCommand(command);
		if (plan.action !== "guard") throw new Error(plan.reason);
		return plan.windows[0] as (typeof plan.windows)[number];
	};

	it.each([
		["a | tail -1", "inherit"],
		["a | tail -1 2>/dev/null", "null"],
		["a | tail -1 2>&1", "stdout"],
		["a | grep x 2>/dev/null | tail -1 2>/dev/null", "null"],
		["a | grep x 2>/dev/null | tail -1", "other"],
		["a | grep x 2>&1 | tail -1", "other"],
		["a | grep x |& tail -1", "other"],
		["{ a | tail -1; } 2>&1", "stdout"],
		["{ a | tail -1; } 2>/dev/null", "null"],
		["{ a | tail -1; } 2> f", "other"],
		["f() { a | tail -1; }; f 2> f", "other"],
		["f() { a | tail -1; }; f", "inherit"],
	])("%j writes its messages to %s", (command, stderr) => expect(only(command).stderr).toBe(stderr));

	it.each([
		["cat f | tail -1", "f"],
		["cat 'a b' | tail -1", "a b"],
		["cat < f | tail -1", "f"],
		["< f cat | tail -1", "f"],
		["cat /x/f 2>/dev/null | grep a | tail -1", "/x/f"],
		["cat f g | tail -1", undefined],
		["cat -n f | tail -1", undefined],
		["cat $f | tail -1", undefined],
		["cat f | sort | tail -1", undefined],
		["cd x && cat f | tail -1", undefined],
		["cat f | tail -1; rm f", undefined],
		["cat f | tail -1; echo x > f", undefined],
		["cat f | tail -1; echo x | head -1", "f"],
	])("%j reads %s", (command, file) => expect(only(command).sourceFile).toBe(file));

	it.each([
		["a b | c | tail -1", [["a", "b"], ["c"]]],
		["A=1 a 'b c' $d | tail -1", [["a", "b c", ""]]],
		["{ a; b; } | tail -1", [["a"], ["b"]]],
		["while true; do a; done | head -1", [["while", "true"], ["true"], ["a"]]],
		["tr x y < /dev/zero | head -1", [["tr", "x", "y"], ["<", "/dev/zero"]]],
		["f() { a; }; f | tail -1", [["f"], ["a"]]],
		["a | grep x f | tail -1", [["a"], ["grep", "x", "f"]]],
	])("%j is fed by %j", (command, producers) => expect(only(command).producers).toEqual(producers));

	it("keeps the number of lines", () => {
		expect(only("a | grep x |\n# why\n  tail -1").lines).toBe(2);
		expect(only("a | grep \\\n -n x").lines).toBe(1);
		expect(only("a | grep 'x\ny'")).toMatchObject({ lines: 0, form: "insert", literal: true });
		expect(only("a | grep \\\n 'x\ny'")).toMatchObject({ lines: 1, form: "insert" });
	});

	it("tells what not every shell can be given", () => {
		expect(planCommand("a |& tail -1")).toMatchObject({ bash4: true });
		expect(planCommand("a 2>&1 | tail -1")).toMatchObject({ bash4: false, timed: false });
		expect(planCommand("time a | tail -1")).toMatchObject({ timed: true });
		expect(planCommand("a | tail -1; echo ${PIPESTATUS[0]}")).toMatchObject({ pipeStatus: true });
	});
});
