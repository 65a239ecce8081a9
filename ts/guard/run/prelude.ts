import type { GuardPlan, PlannedWindow } from "../plan/types.ts";

/** What the shell function has to know about the engine that reads it. */
export interface Handshake {
	/** A word that only this run knows; letters and digits. */
	readonly nonce: string;
	/** The engine's end of stdout's pipe, in this process; absent where the shell cannot look at it. */
	readonly ownStdout?: number;
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
		text += command.slice(at, window.start) + call(window, index + 1);
		at = window.form === "call" ? window.end : window.start;
	});
	return prefix + prelude(plan.windows, handshake) + text + command.slice(at);
}

function call(window: PlannedWindow, number: number): string {
	if (window.form === "insert") return `__sluice ${number} `;
	return `__sluice ${number} __sluice_${number}${"\\\n".repeat(window.lines)}`;
}

/**
 * Function definitions on one line. POSIX only; every command is written `\name` or `command name` so that neither
 * aliases nor functions of the user replace it. fd 7 takes a window's bytes, fd 8 announcements, fd 9 gives answers:
 * `n` relay the bytes and return the status that comes next, `r` run the views with a copy to fd 7, else run them alone.
 */
function prelude(windows: readonly PlannedWindow[], { nonce, ownStdout, reportStatus }: Handshake): string {
	const say = (fields: string) => `\\command printf '%s\\0' ${nonce} ${fields}`;
	const names = windows.map(
		(window, index) => `${index + 1}) ${window.removed.map((name) => `\\command -v ${name};`).join(" ")};`,
	);
	const bodies = windows.map((window, index) =>
		window.form === "call" ? `__sluice_${index + 1}(){ ${window.body}; }; ` : "",
	);
	const stdoutTest =
		ownStdout === undefined ? "\\:" : `\\command test /dev/fd/1 -ef /proc/${process.pid}/fd/${ownStdout}`;
	const odd = ["GREP_OPTIONS", "GREP_COLOR", "POSIXLY_CORRECT", "_POSIX2_VERSION", "RIPGREP_CONFIG_PATH", "LESS", "LESSOPEN", "MORE"];
	const begin = [
		`B "$__sluice_k" "$__sluice_o" "\${LC_ALL-}" "\${LC_CTYPE-}" "\${LANG-}" "\${GREP_COLORS-}"`,
		`"${odd.map((name) => `\${${name}+1}`).join("")}" "\${SHELLOPTS-}" "$#" "$@"`,
	].join(" ");
	const main = [
		"__sluice_k=$1; \\shift; __sluice_o=0;",
		`if ${stdoutTest}; then __sluice_o=1; fi;`,
		`{ ${say(begin)}; __sluice_v "$__sluice_k" || \\:; \\command printf '\\0'; } >&8;`,
		"__sluice_r=; IFS= \\read -r __sluice_r <&9 || \\:;",
		"case $__sluice_r in",
		`n) { \\command cat <&6 >&7 & ${say('P "$__sluice_k" "$!"')} >&8; \\wait "$!" || \\:; } 6<&0; __sluice_s=141;;`,
		'r) if \\command -v tee >/dev/null && \\command test -w /dev/fd/7; then \\command tee /dev/fd/7 | "$@"; else "$@"; fi && __sluice_s=0 || __sluice_s=$?;;',
		'*) "$@" && __sluice_s=0 || __sluice_s=$?; \\return "$__sluice_s";;',
		"esac;",
		`${say('E "$__sluice_k"')} >&8;`,
		'__sluice_a=; IFS= \\read -r __sluice_a <&9 || __sluice_a=$__sluice_s;',
		"case $__sluice_r$__sluice_a in",
		`nx*) "$@" <"\${__sluice_a#x}" && __sluice_s=0 || __sluice_s=$?; ${say('E "$__sluice_k"')} >&8; IFS= \\read -r __sluice_a <&9 || \\:;;`,
		"n*) __sluice_s=$__sluice_a;;",
		"esac;",
		'\\return "$__sluice_s"',
	].join(" ");
	const exit = reportStatus
		? `__sluice_x(){ ${say('X "$#" "$@"')} >&8; }; \\trap '__sluice_x "\${PIPESTATUS[@]}"' EXIT; `
		: "";
	return `__sluice_v(){ case $1 in ${names.join(" ")} esac; }; ${bodies.join("")}__sluice(){ ${main}; }; ${exit}`;
}
