import { basename } from "node:path";
import type { GuardPlan, PlannedWindow } from "../plan/types.ts";

/** What the shell functions have to know about the engine that reads them. */
export interface Handshake {
	/** A word that only this run knows; letters and digits. */
	readonly nonce: string;
	/** The engine's end of stdout's pipe, in this process; absent where processes cannot look at each other's descriptors. */
	readonly ownStdout?: number;
	/** The engine gets the windows' bytes from a process that relays them, even where it could read the pipes itself. */
	readonly relay?: boolean;
	/** The shell is bash and the command's last pipeline is a window: report its statuses when the command ends. */
	readonly reportStatus: boolean;
}

/**
 * The command with each window handed over (docs/handoff.md), everything else byte for byte in its place and on its line.
 * `prefix` is text that runs before the command; the functions come after it, so that its aliases apply to the views.
 */
export function rewrite(command: string, plan: GuardPlan, handshake: Handshake, prefix = ""): string {
	let text = "";
	let at = 0;
	plan.windows.forEach((window, index) => {
		text += command.slice(at, window.start) + handedOver(window, index + 1);
		at = window.end;
	});
	return prefix + prelude(plan.windows, handshake, prefix === "" ? STATUS_TRAP : STATUS_TRAP_IF_FREE) + text + command.slice(at);
}

/**
 * The stage that stands for a window's views. The views themselves stay in it, for when they have to run: the shell
 * expands and finds them there as it would have. Words that are not literal are expanded once, into `"$@"`.
 */
function handedOver(window: PlannedWindow, number: number): string {
	const literal = window.form === "call";
	const views = literal ? window.body : '"$@"';
	const stderr = literal ? "" : { inherit: "", null: " 2>/dev/null", stdout: " 2>&1", other: "" }[window.stderr];
	const [expand, words] = literal ? ["", ""] : [`\\set -- ${window.views}; `, ' "$@"'];
	// Not at the end: there a continuation counts as a line more if the text ends with it.
	return (
		`(${"\\\n".repeat(window.lines)}${expand}if __sluice ${number}${words}; then __sluice_e; ` +
		`elif __sluice_w; then if __sluice_i | ${views}; then __sluice_d 0; else __sluice_d "$?"; fi; ` +
		`elif __sluice_f; then if ${views}; then __sluice_d 0; else __sluice_d "$?"; fi; ` +
		`else ${views}; fi${stderr})`
	);
}

/** bash runs it in a stage too whose words cannot be expanded: there it must not start a command. */
const STATUS_TRAP = "\\trap 'case ${BASHPID-} in \"$$\") __sluice_x \"${PIPESTATUS[@]}\";; esac' EXIT; ";
/** A prefix may have set one; what it sets cannot be known from its text alone. */
const STATUS_TRAP_IF_FREE = `case $(\\trap -p EXIT) in "") ${STATUS_TRAP.trimEnd()}; esac; `;

/** Variables that change what a tool does and that the engine does not follow; those of "" concern every tool. */
const ODD: Readonly<Record<string, readonly string[]>> = {
	"": ["POSIXLY_CORRECT", "_POSIX2_VERSION"],
	grep: ["GREP_OPTIONS", "GREP_COLOR"],
	egrep: ["GREP_OPTIONS", "GREP_COLOR"],
	fgrep: ["GREP_OPTIONS", "GREP_COLOR"],
	rg: ["RIPGREP_CONFIG_PATH"],
	less: ["LESS", "LESSOPEN"],
	more: ["MORE", "LESS"],
};

/** Empty unless messages may be in another language than English, or locales in another place than the system's. */
const FOREIGN = "${LANGUAGE+${LANGUAGE##en*}}${LC_MESSAGES+${LC_MESSAGES##[CPe]*}}${LOCPATH+1}";

function oddVariables(windows: readonly PlannedWindow[]): readonly string[] {
	const tools = windows.flatMap(({ removed }) => removed.map((name) => basename(name)));
	return [...new Set(["", ...tools].flatMap((tool) => ODD[tool] ?? []))];
}

/** The process that runs a window, which is a subshell; bash and mksh tell it at once. */
const WHO_AM_I =
	"__sluice_p=${BASHPID-}; case $__sluice_p in '' | *[!0-9]*) { IFS=' ' \\read -r __sluice_p __sluice_q </proc/self/stat || __sluice_p=-; } 2>/dev/null;; esac;";

/**
 * Function definitions on one line. POSIX only; every command is written `\name` or `command name`, so that neither
 * aliases nor functions of the user replace it. fd 6 is a window's input, fd 7 takes its bytes, fd 8 announcements, fd 9
 * gives answers.
 */
function prelude(windows: readonly PlannedWindow[], { nonce, ownStdout, relay, reportStatus }: Handshake, statusTrap: string): string {
	const say = (fields: string) => `\\command printf '%s\\0' ${nonce} ${fields}`;
	// An answer to a process that is gone may still be in the pipe.
	const hear = (name: string) =>
		`${name}=; while IFS=' ' \\read -r __sluice_q ${name} <&9; do case $__sluice_q in "$__sluice_p") \\break;; esac; done;`;
	const ours = ownStdout === undefined ? undefined : `/proc/${process.pid}/fd/`;
	const stdoutIsOurs = ours === undefined ? "\\:" : `\\command test /dev/fd/1 -ef ${ours}${ownStdout}`;
	const whoAmI = ours === undefined || relay ? "__sluice_p=-;" : WHO_AM_I;
	const begin =
		'B "$__sluice_k" "$__sluice_p" "$__sluice_o" "${LC_ALL-}" "${LC_CTYPE-}" "${LANG-}" "${GREP_COLORS-}" ' +
		`"${FOREIGN}${oddVariables(windows).map((name) => `\${${name}+1}`).join("")}" "\${SHELLOPTS-}:$-" "$#" "$@"`;
	const names = windows.map(
		({ removed }, index) => `${index + 1}) ${removed.map((name) => `\\command -v ${name} || \\:;`).join(" ")};`,
	);
	const functions: Record<string, string> = {
		// Where each view's name leads.
		__sluice_v: `case $1 in ${names.join(" ")} esac`,
		// Status 0: the engine has the window's bytes, and its status is known. Else __sluice_r says how the views run.
		__sluice: [
			`__sluice_k=$1; \\shift; __sluice_o=0; ${whoAmI}`,
			`if ${stdoutIsOurs}; then __sluice_o=1; fi 2>/dev/null;`,
			// While the shell reads an answer, its fd 0 is another. Nobody answers what could not be said: in zsh and mksh
			// printf is a program, which the command's PATH may not have.
			`\\exec 6<&0; if { ${say(begin)}; __sluice_v "$__sluice_k"; \\command printf '\\0'; } 2>/dev/null >&8; then ${hear("__sluice_r")} else __sluice_r=p; fi;`,
			"case $__sluice_r in",
			`n) \\command cat <&6 >&7 & ${say('P "$__sluice_k" "$!"')} >&8;;`,
			"d) ;;",
			`f*) \\exec 6<&-; __sluice_t; \\return 1;;`,
			`*) \\exec 6<&-; \\return 1;; esac;`,
			// Only the relay, or the engine, holds the pipe now: when that lets go, the producer's next write fails at once.
			"\\exec </dev/null 6<&-;",
			`case $__sluice_r in n) \\wait "$!" || \\:; ${say('E "$__sluice_k"')} >&8;; esac;`,
			hear("__sluice_s"),
			"case $__sluice_s in x*) __sluice_r=x; \\return 1;; f*) __sluice_r=$__sluice_s; __sluice_t; \\return 1;; esac",
		].join(" "),
		// From here on, stdin is what the engine hands on.
		__sluice_t: ours === undefined ? "\\:" : `\\exec <"${ours}\${__sluice_r#f}"`,
		// The window's status; that of a broken pipe if the engine is gone.
		__sluice_e: '\\return "${__sluice_s:-141}"',
		// Whether the views run on __sluice_i: with a copy for the log, or over what the engine has kept.
		__sluice_w:
			"case $__sluice_r in r) \\command -v tee >/dev/null && \\command test -w /dev/fd/7;; x) ;; *) \\return 1;; esac",
		__sluice_i: 'case $__sluice_r in x) \\command cat "${__sluice_s#x}";; *) \\command tee /dev/fd/7;; esac',
		// Whether the views run on what the engine hands on.
		__sluice_f: "case $__sluice_r in f*) ;; *) \\return 1;; esac",
		// The views have run with this status.
		__sluice_d: `if ${say('E "$__sluice_k"')} 2>/dev/null >&8; then ${hear("__sluice_s")} fi; \\return "$1"`,
		...(reportStatus ? { __sluice_x: `${say('X "$#" "$@"')} >&8` } : {}),
	};
	const defined = Object.entries(functions).map(([name, body]) => `${name}(){ ${body}; }; `);
	return defined.join("") + (reportStatus ? statusTrap : "");
}
