import type { PassReason } from "./types.ts";
import { type Words, unwrapped } from "./wrappers.ts";

/** Programs that print command lines or processes: the shell's own text and its filters are among them. */
const LISTINGS = new Set(["ps", "pstree", "top", "htop", "atop", "btop", "glances"]);
/** Volume managers complain about every descriptor they inherit, and the handoff's are among them. */
const DESCRIPTOR_WATCHERS = /^(?:[lpv][vg]|pv)(?:s|display|scan|create|change|extend|remove|reduce|resize|rename|convert|move|ck|split|merge|import|export)$|^(?:lvm|os-prober|update-grub|grub-mkconfig|grub-install)$/;
/** Programs that find processes by name or by open file; as producer they would find the filter. */
const FINDERS = new Set(["pgrep", "pkill", "pidof", "lsof", "fuser", "killall"]);

/** Programs that show processes, wherever they stand. */
export function programReason(words: Words): PassReason | undefined {
	const [name, ...args] = unwrapped(words);
	if (name === undefined) return undefined;
	if (LISTINGS.has(name)) return "process-listing";
	if (DESCRIPTOR_WATCHERS.test(name) || (name === "valgrind" && args.some((word) => word?.startsWith("--track-fds")))) return "file-descriptor";
	const expression = name === "find" ? args.findIndex((word) => word === undefined || /^[-!(]/.test(word)) : -1;
	const paths = expression < 0 ? args : args.slice(0, expression);
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
