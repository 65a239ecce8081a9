import { fromNative } from "../errors.ts";
import { type Binding, binding } from "../native.ts";
import type { ViewEnvironment } from "./types.ts";

/** A parsed chain of views. Parsing once saves work when it is used often. */
export class ViewPipeline {
	/** The text it was parsed from. */
	readonly text: string;
	readonly #native: Binding.Pipeline;

	/** Use {@link parseView}. */
	constructor(text: string, parsed: Binding.Pipeline) {
		this.text = text;
		this.#native = parsed;
	}

	toString(): string {
		return this.text;
	}

	/** The binding's object, for the files of this folder. */
	static native(view: ViewPipeline): Binding.Pipeline {
		return view.#native;
	}
}

/**
 * Parses a chain of views, `grep -E 'FAIL|Tests' | tail -5`: literal words, quotes and `|`, nothing else of the shell.
 * @throws SluiceError `UNSUPPORTED_VIEW`, which names the word that cannot be reproduced exactly
 */
export function parseView(pipeline: string): ViewPipeline {
	const engine = binding();
	try {
		return new ViewPipeline(pipeline, engine.Pipeline.parse(pipeline));
	} catch (error) {
		throw fromNative(error);
	}
}

/** How many parsed texts are remembered: agents repeat themselves. */
const REMEMBERED = 16;
const recent = new Map<string, Binding.Pipeline>();

/** The binding's pipeline of a view given either way. @throws as {@link parseView} */
export function nativePipeline(view: string | ViewPipeline): Binding.Pipeline {
	if (typeof view !== "string") return ViewPipeline.native(view);
	let parsed = recent.get(view);
	if (parsed === undefined) {
		parsed = ViewPipeline.native(parseView(view));
		if (recent.size >= REMEMBERED) recent.delete(recent.keys().next().value ?? "");
		recent.set(view, parsed);
	}
	return parsed;
}

/** The binding's form of an environment. */
export function nativeEnv(env: ViewEnvironment = process.env): Binding.ViewEnv {
	const result: Binding.ViewEnv = {};
	if (env.LC_ALL !== undefined) result.lcAll = env.LC_ALL;
	if (env.LC_CTYPE !== undefined) result.lcCtype = env.LC_CTYPE;
	if (env.LANG !== undefined) result.lang = env.LANG;
	if (env.GREP_COLORS !== undefined) result.grepColors = env.GREP_COLORS;
	return result;
}
