import type { Command } from "unbash";
import type { PassReason } from "./types.ts";
import type { Words } from "./wrappers.ts";

/** Utilities that the added functions call; a function of that name in the text would be called instead. */
const HELPERS = new Set(
	"cat command printf read echo test [ kill exec eval local return exit set trap wait true false : unset shift sh tee mkfifo".split(
		" ",
	),
);

export function isHelperName(name: string): boolean {
	return HELPERS.has(name);
}

/** Shell builtins that would show the rewrite, or change how the shell treats it. */
export function builtinReason(words: Words, command: Command): PassReason | undefined {
	const inner = words[0] === "builtin" || words[0] === "command" ? words.slice(1) : words;
	const [name, ...args] = inner;
	switch (name) {
		case "set":
			return setReason(args);
		case "shopt":
			return shoptReason(args);
		case "setopt":
		case "unsetopt":
		case "emulate":
			return "shell-option";
		case "trap":
			return trapReason(args);
		case "exec":
			return args.length === 0 && command.redirects.length > 0 ? "exec-redirect" : undefined;
		case "declare":
		case "typeset":
			return args.every((word) => word !== undefined && /^[-+][a-zA-Z]*$/.test(word)) ? "introspection" : undefined;
		case "compgen":
			return args.every((word) => word === "-k" || word === "-b") ? undefined : "introspection";
		case "functions":
		case "caller":
		case "enable":
			return "introspection";
		case "ulimit":
			return ulimitReason(args);
		default:
			return undefined;
	}
}

const SET_NAMES = new Set("errexit nounset pipefail noglob noclobber allexport braceexpand".split(" "));

/** Options that leave the functions of the handoff, and what is printed, as they are. */
function setReason(args: Words): PassReason | undefined {
	if (args.length === 0) return "introspection";
	for (let i = 0; i < args.length; i++) {
		const word = args[i];
		if (word === undefined) return "shell-option";
		if (word === "--" || word === "-" || !/^[-+]/.test(word)) return undefined;
		if (!/^[-+][eufCBo]*$/.test(word) && word !== "-a" && word !== "+a") return "shell-option";
		if (!word.includes("o")) continue;
		const option = args[++i];
		if (option === undefined) return args.length === 1 ? undefined : "shell-option";
		if (!SET_NAMES.has(option)) return "shell-option";
	}
	return undefined;
}

const SHOPT_NAMES = new Set("globstar nullglob dotglob nocaseglob nocasematch failglob inherit_errexit".split(" "));

function shoptReason(args: Words): PassReason | undefined {
	if (!args.some((word) => word === undefined || !word.startsWith("-"))) return undefined;
	if (args.some((word) => word !== undefined && /^-[a-z]*[qp]/.test(word))) return undefined;
	return args.every((word) => word !== undefined && (/^-[su]$/.test(word) || SHOPT_NAMES.has(word))) ? undefined : "shell-option";
}

const TRAP_SIGNALS = /^(?:SIG)?(?:EXIT|0|INT|TERM|HUP|QUIT|USR1|USR2|ALRM|1|2|3|15)$/i;

/** An ignored SIGPIPE reaches the relay, and DEBUG, ERR, RETURN and CHLD traps run for the added functions too. */
function trapReason(args: Words): PassReason | undefined {
	const rest = args[0] === "--" ? args.slice(1) : args;
	if (rest.length === 0 || rest[0] === "-p" || rest[0] === "-l") return undefined;
	const signals = rest.length === 1 ? rest : rest.slice(1);
	return signals.every((word) => word !== undefined && TRAP_SIGNALS.test(word)) ? undefined : "trap";
}

/** Few limits can hit the relay: a process, memory or descriptor limit does. */
function ulimitReason(args: Words): PassReason | undefined {
	const options = args.filter((word) => word === undefined || word.startsWith("-"));
	if (options.some((word) => word === undefined || !/^-[HSacfstn]+$/.test(word))) return "resource-limit";
	if (!options.some((word) => word?.includes("n"))) return undefined;
	const value = args.find((word) => word === undefined || !word.startsWith("-"));
	const enough = value === undefined ? args.every((word) => word !== undefined) : /^\d+$/.test(value) && Number(value) >= 64;
	return enough || value === "unlimited" ? undefined : "resource-limit";
}
