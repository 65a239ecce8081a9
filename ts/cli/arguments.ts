import { parseArgs, type ParseArgsConfig } from "node:util";

/** The status of a call with wrong arguments, as the shells have it. */
export const USAGE = 2;

type Options = NonNullable<ParseArgsConfig["options"]>;
type Parsed<T extends Options> = ReturnType<typeof parseArgs<{ options: T; allowPositionals: true }>>;

/** A subcommand's name, its help, and what it takes. */
interface Syntax<T extends Options> {
	readonly name: string;
	readonly help: string;
	readonly options: T;
	/** How many words that are no options it takes, least and most. */
	readonly words: readonly [least: number, most: number];
	/** What to say if there are more or fewer. */
	readonly expected: string;
}

/** The arguments, or the status to end with if help was asked for or they are wrong, which is said. */
export function parseArguments<const T extends Options>(args: readonly string[], syntax: Syntax<T>): Parsed<T> | number {
	if (args[0] === "--help" || args[0] === "-h") {
		process.stdout.write(syntax.help);
		return 0;
	}
	try {
		const parsed = parseArgs({ args: [...args], options: syntax.options, allowPositionals: true });
		const [least, most] = syntax.words;
		if (parsed.positionals.length >= least && parsed.positionals.length <= most) return parsed;
		return refuse(syntax, syntax.expected);
	} catch (error) {
		// Node's advice after the first sentence is about its own conventions.
		const [problem] = (error as Error).message.split(". ");
		return refuse(syntax, `${problem}; ${syntax.expected}`);
	}
}

/** Says what is wrong with the arguments, and what would be right. */
export function refuse({ name, help }: { readonly name: string; readonly help: string }, problem: string): number {
	process.stderr.write(`sluice ${name}: ${problem}\n\n${help}`);
	return USAGE;
}
