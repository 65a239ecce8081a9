import type { Command } from "unbash";
import type { PassReason } from "./types.ts";

type Words = readonly (string | undefined)[];

/** Utilities that the added functions call; a function of that name in the text would be called instead. */
const HELPERS = new Set(
	"cat command printf read echo test [ kill exec eval local return exit set trap wait true false : unset shift sh tee mkfifo".split(
		" ",
	),
);

export function isHelperName(name: string): boolean {
	return HELPERS.has(name);
}

/** Programs that print command lines or processes: the shell's own text and its filters are among them. */
const LISTINGS = new Set(["ps", "pstree", "top", "htop", "atop", "btop", "glances"]);
/** Volume managers complain about every descriptor they inherit, and the handoff's are among them. */
const DESCRIPTOR_WATCHERS = /^(?:[lpv][vg]|pv)(?:s|display|scan|create|change|extend|remove|reduce|resize|rename|convert|move|ck|split|merge|import|export)$|^(?:lvm|os-prober|update-grub|grub-mkconfig|grub-install)$/;
/** Programs that find processes by name or by open file; as producer they would find the filter. */
const FINDERS = new Set(["pgrep", "pkill", "pidof", "lsof", "fuser", "killall"]);

/** Wrappers that run the command named by their arguments, and which of their options take a word. */
const WRAPPERS: Readonly<Record<string, string>> = {
	command: "",
	builtin: "",
	exec: "a",
	env: "uCS",
	sudo: "ugpCTRDh",
	doas: "uC",
	nohup: "",
	setsid: "",
	nice: "n",
	ionice: "cnp",
	time: "fo",
	timeout: "ks",
	stdbuf: "ioe",
	unbuffer: "",
	xargs: "IinLPsdEa",
	chronic: "",
	caffeinate: "tw",
	watch: "n",
};

/** The command behind `sudo`, `env X=1`, `timeout 5`, `xargs -n1` and the like. Names lose their directory. */
export function unwrapped(words: Words): Words {
	let rest = words;
	for (let guard = 0; guard < 8; guard++) {
		const name = baseName(rest[0]);
		const optionLetters = name === undefined || !Object.hasOwn(WRAPPERS, name) ? undefined : WRAPPERS[name];
		if (name === undefined || optionLetters === undefined) return [name, ...rest.slice(1)];
		let i = 1;
		for (; i < rest.length; i++) {
			const word = rest[i];
			if (word === undefined) break;
			if (name === "env" && /^\w+=/.test(word)) continue;
			if (name === "sudo" && /^\w+=/.test(word)) continue;
			if (!word.startsWith("-") || word === "-") break;
			if (word.length === 2 && optionLetters.includes(word[1] as string)) i++;
		}
		if (name === "timeout") i++;
		if (i >= rest.length) return [name, ...rest.slice(1)];
		rest = rest.slice(i);
	}
	return rest;
}

function baseName(word: string | undefined): string | undefined {
	return word?.slice(word.lastIndexOf("/") + 1);
}

/** Programs that show processes, wherever they stand. */
export function programReason(words: Words): PassReason | undefined {
	const [name, ...args] = unwrapped(words);
	if (name === undefined) return undefined;
	if (LISTINGS.has(name)) return "process-listing";
	if (DESCRIPTOR_WATCHERS.test(name) || (name === "valgrind" && args.some((word) => word?.startsWith("--track-fds")))) return "file-descriptor";
	const paths = name === "find" ? args.slice(0, args.findIndex((word) => word === undefined || /^[-!(]/.test(word))) : args;
	return paths.some((word) => word !== undefined && isProcessPath(word)) ? "process-listing" : undefined;
}

/** Programs that would find the filter when they feed it. */
export function producerReason(words: Words): PassReason | undefined {
	const [name, ...args] = unwrapped(words);
	if (name === undefined || !FINDERS.has(name)) return undefined;
	// Sockets are no pipes: `lsof -i :8081` lists the same with any filter.
	const sockets = args.filter((word) => word !== undefined && !/^-(?:[nPt]+|s.*|a)$/.test(word));
	const onlySockets = name === "lsof" && /^-t?i/.test(sockets[0] ?? "") && sockets.slice(1).every((word) => !word?.startsWith("-"));
	return onlySockets ? undefined : "process-listing";
}

function isProcessPath(word: string): boolean {
	return /^\/proc(?:\/?$|\/(?:self|thread-self|\*|\?|\[|\$|\d))/.test(word);
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

const SHELLS = /^(?:ba|da|z|k|mk|a)?sh$/;

/** Literal shell text among a command's words; `own` if this shell itself will run it. */
export function nestedShellText(words: Words): { text: string; own: boolean }[] {
	const [name, ...args] = unwrapped(words);
	if (name === undefined) return [];
	if (name === "eval") {
		const literal = args.filter((word) => word !== undefined);
		return literal.length === args.length ? [{ text: literal.join(" "), own: true }] : [];
	}
	if (name === "trap" && args[0] !== undefined && args.length > 1 && args[0] !== "-") return [{ text: args[0], own: true }];
	if (!SHELLS.test(name)) return [];
	const at = args.findIndex((word) => word !== undefined && /^-[a-z]*c$/.test(word));
	const text = at < 0 ? undefined : args[at + 1];
	return text === undefined ? [] : [{ text, own: false }];
}
