import { isEndless } from "./endless.ts";
import { parseChecked } from "./parse.ts";
import { collectProducers, definedFunctions } from "./producers.ts";
import { isCheapReader } from "./readers.ts";
import { unwrapped } from "./wrappers.ts";

/**
 * What happens to a producer whose views have seen enough. `stop`: it gets SIGPIPE at its next write, as in bash.
 * `run-on`: it finishes its work, up to the runner's limits, so that `npm run build | head` builds.
 */
export type ProducerEnding = "stop" | "run-on";

/**
 * The policy for a window's {@link PlannedWindow.producers}: endless ones stop, those that only read and are cheap to repeat
 * stop, all others run on.
 */
export function producerEnding(producers: readonly (readonly string[])[]): ProducerEnding {
	const commands = producers.flatMap((argv) => expand(argv, 0));
	if (commands.some(isEndless)) return "stop";
	return commands.every(isCheapReader) ? "stop" : "run-on";
}

const MAX_DEPTH = 3;
const SHELL = /^(?:ba|da|z|k|mk|a)?sh$/;
/** Programs whose arguments are a command, after a word or none. */
const RUNNERS: Readonly<Record<string, RegExp | undefined>> = {
	npx: undefined, bunx: undefined, uvx: undefined, pipx: /^run$/, dotenv: undefined, "cross-env": undefined,
	pnpm: /^(?:exec|dlx)$/, yarn: /^(?:exec|dlx)$/, bun: /^x$/, npm: /^(?:exec|x)$/, uv: /^run$/, poetry: /^run$/,
	pipenv: /^run$/, bundle: /^exec$/, rye: /^run$/, pdm: /^run$/, hatch: /^run$/, mise: /^(?:exec|x)$/,
};

/** The commands that an argv runs in the end: behind `sudo`, `timeout`, `npx`, `bash -c`, `ssh`. */
function expand(argv: readonly string[], depth: number): (readonly string[])[] {
	const words = unwrapped(argv).map((word) => word ?? "");
	const [name = "", ...args] = words;
	if (depth >= MAX_DEPTH) return [words];
	if (SHELL.test(name)) {
		const at = args.findIndex((word) => /^-[a-z]*c$/.test(word));
		return at < 0 ? [words] : scripted(args[at + 1] ?? "", words, depth);
	}
	if (name === "ssh") {
		const host = hostIndex(args);
		return host < 0 || host === args.length - 1 ? [words] : scripted(args.slice(host + 1).join(" "), words, depth);
	}
	if (/^python\d?(?:\.\d+)?$/.test(name) && args[0] === "-m" && args[1] !== undefined) return expand(args.slice(1), depth + 1);
	if (Object.hasOwn(RUNNERS, name)) {
		const needed = RUNNERS[name];
		let rest = args.slice();
		if (needed !== undefined && !needed.test(rest[0] ?? "")) return [words];
		if (needed !== undefined) rest = rest.slice(1);
		while (/^-|^\w+=/.test(rest[0] ?? "")) rest = rest.slice(/^(?:-p|--package|-e)$/.test(rest[0] as string) ? 2 : 1);
		return rest.length === 0 ? [words] : expand(rest, depth + 1);
	}
	return [words];
}

/** `ssh -p 22 user@host command`: the first word that is neither an option nor an option's argument. */
function hostIndex(args: readonly string[]): number {
	for (let i = 0; i < args.length; i++) {
		const word = args[i] as string;
		if (!word.startsWith("-")) return i;
		if (/^-[BbcDEeFIiJLlmOopQRSWw]$/.test(word)) i++;
	}
	return -1;
}

function scripted(text: string, otherwise: readonly string[], depth: number): (readonly string[])[] {
	const checked = parseChecked(text);
	if (typeof checked === "string") return [otherwise];
	const inner = collectProducers(checked.script.commands, definedFunctions(checked));
	return inner.length === 0 ? [otherwise] : inner.flatMap((argv) => expand(argv, depth + 1));
}
