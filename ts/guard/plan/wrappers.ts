/** A command's words; `undefined` for each that the shell expands. */
export type Words = readonly (string | undefined)[];

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
