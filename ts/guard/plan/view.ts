import type { Command, CommandNode, Redirection, Word } from "unbash";
import type { PassReason } from "./types.ts";
import { argumentReason, isViewName } from "./view-options.ts";
import { decodeLiteral, shellQuote } from "./words.ts";

/** One stage of a pipeline that filters its stdin to its stdout. */
export interface View {
	readonly name: string;
	/** Offset of the name, and behind the last word or redirection. */
	readonly start: number;
	readonly end: number;
	/** Source text of the words, one blank between them, line continuations removed where possible. */
	readonly words: string;
	/** `words` and the redirection. */
	readonly shellText: string;
	readonly literal: boolean;
	/** `words` holds no newline. */
	readonly oneLine: boolean;
	readonly stderr: "inherit" | "null" | "stdout";
}

/** The view that a stage is; why it is none although its name is a view's; or `undefined` for any other program. */
export function asView(stage: CommandNode, source: string): View | PassReason | undefined {
	if (stage.type !== "Command" || stage.name === undefined) return undefined;
	const spelled = decodeLiteral(stage.name.text);
	if (spelled === undefined) return undefined;
	const name = spelled.slice(spelled.lastIndexOf("/") + 1);
	if (!isViewName(name)) return undefined;
	if (name !== spelled && !/^\/(?:usr\/(?:local\/)?)?bin\//.test(spelled)) return "view-name";
	if (stage.prefix.some((part) => part.type === "Assignment")) return "view-environment";
	if (stage.prefix.length > 0) return "view-redirect";
	const stderr = viewStderr(stage, source);
	if (stderr === undefined) return "view-redirect";
	return readWords(stage, stage.name, name, source, stderr);
}

function readWords(
	stage: Command,
	nameWord: Word,
	name: string,
	source: string,
	stderr: View["stderr"],
): View | PassReason {
	const texts = [plainText(nameWord)];
	const args: (string | undefined)[] = [];
	let redirected = false;
	for (const part of stage.suffix) {
		if (part.type === "Word" || part.type === "Assignment") {
			// `grep a=b`: an operand like any other, but for the few builtins that declare.
			const text = source.slice(part.pos, part.end);
			const value = decodeLiteral(text);
			if (part.type === "Word" && value !== undefined && value !== part.value) return "parse-doubt";
			// A process substitution lives as long as the command whose word it is; `${x?}` ends the stage with a status of its own.
			if (value === undefined && /[<>]\(|\$\{[^}]*\?/.test(text)) return "view-expansion";
			args.push(value);
			texts.push(part.type === "Word" ? plainText(part) : text);
		} else redirected = true;
	}
	const reason = argumentReason(name, args);
	if (reason !== undefined) return reason;
	const words = texts.join(" ");
	const suffix = !redirected ? "" : stderr === "stdout" ? " 2>&1" : " 2>/dev/null";
	return {
		name,
		start: nameWord.pos,
		end: stage.end,
		words,
		shellText: words + suffix,
		literal: args.every((value) => value !== undefined),
		oneLine: !words.includes("\n"),
		stderr,
	};
}

/** A word on one line if that can be: a line continuation inside it is dropped by quoting its value anew. */
function plainText(word: Word): string {
	if (!word.text.includes("\n")) return word.text;
	const value = decodeLiteral(word.text);
	return value === undefined || value.includes("\n") ? word.text : shellQuote(value);
}

/** Only one redirection, and only of the view's own messages: to nowhere or to its stdout. */
function viewStderr(stage: Command, source: string): View["stderr"] | undefined {
	const redirects = stage.suffix.filter((part): part is Redirection => part.type !== "Word" && part.type !== "Assignment");
	const only = redirects[0];
	if (only === undefined) return "inherit";
	if (redirects.length > 1) return undefined;
	const text = source.slice(only.pos, only.end);
	if (/^2>[ \t]*\/dev\/null$/.test(text)) return "null";
	return text === "2>&1" ? "stdout" : undefined;
}
