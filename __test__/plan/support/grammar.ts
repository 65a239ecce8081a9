/** Random commands in the forms that agents write, and in forms nobody writes. Equal seeds give equal commands. */
export class CommandGrammar {
	#state: number;
	/** Two loops with one counter, or a function that its own body redefines in a subshell, would never end. */
	#names = 0;
	readonly #posix: boolean;

	/** `posix`: only what every shell understands. */
	constructor(seed: number, posix = false) {
		this.#state = seed >>> 0 || 1;
		this.#posix = posix;
	}

	command(): string {
		const text = this.#list(this.#pick([1, 1, 2, 2, 2, 3]));
		const before = this.#pick(["", "", "", "set -e; ", "set -u\n", "set -o noglob; ", "x=5; n=2\n", "# a comment | head\n", "cd sub\n", "trap 'echo bye' EXIT; "]);
		return (this.#posix ? before : this.#chance(0.1) ? "set -o pipefail; " : before) + text + this.#pick(["", "", "", "\n", ";", " # end | tail -1", "\n\n"]);
	}

	#next(): number {
		// mulberry32
		this.#state = (this.#state + 0x6d2b79f5) | 0;
		let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
	}

	#chance(probability: number): boolean {
		return this.#next() < probability;
	}

	#pick<T>(items: readonly T[]): T {
		return items[Math.floor(this.#next() * items.length)] as T;
	}

	#list(depth: number): string {
		let text = this.#andOr(depth);
		for (let i = this.#pick([0, 0, 0, 1, 1, 2]); i > 0; i--) {
			text += this.#pick(["; ", "\n", "\n\n", " ;", "\n# note | grep x\n", ";\n  "]) + this.#andOr(depth);
		}
		return text;
	}

	#andOr(depth: number): string {
		let text = this.#pipeline(depth);
		while (this.#chance(0.15)) text += this.#pick([" && ", " || ", "&&", " ||\n", " && \\\n"]) + this.#pipeline(depth);
		return text;
	}

	#pipeline(depth: number): string {
		const prefix = this.#chance(0.08) ? "! " : "";
		let text = prefix + this.#stage(depth);
		if (this.#chance(0.2)) text += this.#bar() + this.#pick(["sort", "sed 's/a/b/'", "tr a-z A-Z", "cat", "wc -l", "sort -r 2>/dev/null", "tee w/t.txt"]);
		if (depth > 0 && this.#chance(0.08)) text += this.#bar() + this.#compound(depth - 1);
		const views = this.#pick([0, 1, 1, 1, 1, 2, 2, 3]);
		for (let i = 0; i < views; i++) text += this.#bar() + this.#view(i === views - 1);
		if (this.#chance(0.05)) text += this.#bar() + this.#pick(["cat", "sort"]);
		return text;
	}

	#bar(): string {
		const plain = [" | ", " | ", "|", " |\n", " | \\\n", " \\\n| ", " | # why\n  "];
		return this.#pick(this.#posix ? plain : [...plain, " |& "]);
	}

	/** None that ends before it has read anything (`head -0`): whether it or its producer is first, is a race in any shell. */
	#view(last: boolean): string {
		const text = this.#pick([
			"tail -1", "tail -2", "tail -n 2", "tail -n +2", "head -1", "head -2", "head", "head -n -1", "grep a", "grep -v a", "grep -c a", "grep -q a", "grep -E 'a|e'",
			'grep "line"', "grep nomatch", "grep -i FAIL", "less", "grep -x alpha", "tail -c 5", "grep 'it'\\''s'", "grep \\\n  -n a", "grep 'a\nb'", 'grep -e "x|y" -e \\a',
			'grep "$x"', "head -n $n", 'tail -"$n"', "head -n $((1+1))", "grep $(echo a)", "grep [a]l", "tail -n ${n:-2}", 'grep "${x:-a}"', "\\tail -1", "'head' -2", "/usr/bin/head -1",
			"grep a -", "grep -f pats.txt", "grep -P 'a(?=l|$)'", "grep -P -m1 'a(?!z)'", "grep -E '(a).*\\1'", "grep --color=always a", "grep --no-such", "head --lines=0x2", "tail -n 3 -v", "grep -a a", "tail --bytes=7", 'grep "$(false; echo a)"', 'tail "-$n"', "grep ${x:+a}", "head -n ${#x}", 'grep -e "$@"', "grep a $@", 'head -1"$?"', "tail -n 1$#", 'grep "$x" $nothing',
			"grep ~", "grep -n ''", 'grep ""', "grep a2>/dev/null", "more", "grep -m1 a", "grep -m 1 -v a", "tail -n1", "head -2 -q", "grep -A1 b", "head -c 3", "grep -o a", "grep -- -a", "LC_ALL=C grep a", "grep a data.txt", "egrep 'a|b'", "fgrep a",
		]);
		const redirect = this.#chance(0.12) ? this.#pick([" 2>/dev/null", " 2>&1", " >w/o.txt", " >&2", " 2>w/e.txt", " >/dev/null"]) : "";
		return last || this.#chance(0.3) ? text + redirect : text;
	}

	#stage(depth: number): string {
		if (depth > 0 && this.#chance(0.25)) return this.#compound(depth - 1);
		const text = this.#pick([
			"npm test", "npm test 2>&1", "npm run build", "echo alpha", "echo $x", 'echo "x=$x n=$n"', "printf 'a\\nb\\nc\\n'", "printf 'no newline'", "cat data.txt", "seq 5", "seq 12",
			"false", "true", ":", "(exit 3)", "sh -c 'echo s; exit 4'", "nosuchcmd", "cat nosuch", "x=a", "n=1", "cd sub", "cd ..", "cd nosuchdir", 'echo "rc=$?"', "echo $LINENO >&2", 'basename "$PWD"',
			"echo err >&2", "{ echo g; echo e >&2; } 2>&1", "echo $(seq 3 | tail -1)", "echo `seq 4 | head -1`", "exit 3", "export E=1", "cat < data.txt", "< data.txt cat", "echo a > w/a.txt",
			"emit 3 2", "emit 4 0 2>&1", "echo 'a | head -1'", 'echo "q \\" | tail"', "echo a\\|b", "set -- p q", 'echo "$@" $#', "test -f data.txt", "[ -f nosuch ]", "docker logs app", "read r", "shift 9",
			"cat <<E\none alpha\ntwo $x\nE", "cat <<'E E'\nthree | tail\nE E", "cat <<-E\n\tfour\n\tE", "unset x", "x=$(seq 2 | tail -1)", "wait", "seq 3 > w/s.txt", "eval 'echo ev; false'", ". ./pats.txt", "printf 'y=3\n' > w/rc; . w/rc", "(cd sub; ls)", "umask 077", "grep a data.txt", "head -3 data.txt",
			"cd sub && ls", "npm test 2>&1 || true", 'npm run build >/dev/null 2>&1; echo "exit: $?"', "timeout 5 seq 3", "env A=1 B=2 sh -c 'echo $A$B'", "2>&1 npm test",
			"seq 3 | while read -r l; do echo \"got $l\"; done", "sleep 0.01; echo late", "exec 3<data.txt; read -r l <&3; echo \"$l\"", 'echo "$((n + 1))"', "LC_ALL=C sort data.txt", "command cat data.txt",
			"sh -c 'echo out; echo err >&2' 2>&1", "(sleep 0.01; echo slow; exit 5)", "printf 'x\\0y\\n'", "printf '\\303\\251\\n\\377a\\n'", "yes a | head -500", "seq 3000", "unset -f nosuch", "trap 'echo trapped' EXIT", "kill -0 $$",
		]);
		// A here-document ends a line: what follows in the pipeline must stand on the operator's line.
		if (text.includes("<<")) return "cat data.txt";
		if (this.#posix) return text;
		return this.#chance(0.12)
			? this.#pick([
					"cat <<< alpha", "[[ -f data.txt ]]", "[[ a =~ a|b ]]", "(( n > 1 ))", "echo {a,b}", "echo $'a\\nb'", "cat <(seq 3)", "mapfile -t m < data.txt", 'echo "${PIPESTATUS[@]}"',
					"echo ${PIPESTATUS[0]}", "a=(1 2)", "let n=n+1", "npm test &> w/b.txt", "time true", "local v=1", "pushd sub", "declare v=2", 'read -r x < <(seq 2 | tail -1)', "echo ${x^^}", "shopt -s nullglob",
					"set -o pipefail", "arr=(x y z); printf '%s\\n' \"${arr[@]}\"", 'echo "${x:-none} ${#x} ${x/a/b}"', "for ((i = 0; i < 3; i++)); do echo $i; done", "printf -v y '%03d' 7; echo $y", "declare -A m; m[k]=v; echo ${m[k]}",
					"echo $RANDOM >/dev/null", "while IFS= read -r l; do echo \"<$l>\"; done < data.txt", "[[ $x == a* ]] && echo match", "readarray -t m < <(seq 3); echo ${#m[@]}", "(( n++ )); echo $n", "time -p true 2>/dev/null", 'exit ${PIPESTATUS[0]}',
				])
			: text;
	}

	#compound(depth: number): string {
		const list = () => (depth > 0 ? this.#andOr(depth) : this.#pipeline(0));
		const body = () => list().replace(/\n*$/, "");
		const text = this.#pick<() => string>([
			() => `{ ${body()}; }`,
			() => `( ${body()} )`,
			() => `(${body()}\n)`,
			() => `if ${body()}; then ${body()}; fi`,
			() => `if ${body()}\nthen\n  ${body()}\nelse ${body()}\nfi`,
			() => `if ${body()}; then :; elif ${body()}; then ${body()}; fi`,
			() => `for i in 1 2; do ${body()}; done`,
			() => `for x in alpha b\ndo\n${body()}\ndone`,
			() => `while read l; do ${body()}; done < n.txt`,
			() => {
				const i = `i${this.#names++}`;
				return `${i}=0; while [ $${i} -lt 2 ]; do ${i}=$((${i}+1)); ${body()}; done`;
			},
			() => `until true; do ${body()}; done`,
			() => `case $x in a*) ${body()};; *) ${body()} ;; esac`,
			() => `case a in\n(a|b)\n ${body()}\n;;\nesac`,
			() => {
				const f = `f${this.#names++}`;
				return this.#pick([
					() => `${f}() { ${body()}; }; ${f}`,
					() => `${f}() { ${body()}; return 2; }\n${f}; ${f}`,
					() => `${f}() ( ${body()} ); ${f} | tail -1`,
					() => `${f}() { ${body()}; }; y=$(${f}); ${f}`,
					() => `${f}() { ${body()}; } 2>&1; ${f} 2>/dev/null`,
				])();
			},
			() => `cat <<E | tail -1\nbody alpha\n$x\nE\n${body()}`,
			() => `while read l; do ${body()}; done <<E\none\ntwo\nE\ntrue`,
		])();
		return text + (this.#chance(0.15) && !/[\n;]\w*$/.test(text) ? this.#pick([" 2>&1", " 2>/dev/null", " > w/c.txt", " 2> w/ce.txt", " < data.txt"]) : "");
	}
}
