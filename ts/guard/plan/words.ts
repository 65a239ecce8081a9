/** Words without anything to resolve, most of all words. */
const PLAIN = /^[\w./:,@%+-]+$/;

/**
 * The value of a word that every supported shell reads as plain text, or `undefined` if any of them may expand it. Quotes
 * and backslashes are resolved; parameters, substitutions, globs, braces, `~`, `$'…'` and zsh's leading `=` are not literal.
 */
export function decodeLiteral(text: string): string | undefined {
	if (PLAIN.test(text)) return text;
	let value = "";
	let i = 0;
	while (i < text.length) {
		const ch = text[i] as string;
		if (ch === "'") {
			const close = text.indexOf("'", i + 1);
			if (close < 0) return undefined;
			value += text.slice(i + 1, close);
			i = close + 1;
		} else if (ch === '"') {
			const quoted = decodeDoubleQuoted(text, i + 1);
			if (quoted === undefined) return undefined;
			value += quoted.value;
			i = quoted.end;
		} else if (ch === "\\") {
			if (i + 1 >= text.length) return undefined;
			const code = text.codePointAt(i + 1) as number;
			const next = String.fromCodePoint(code);
			if (next !== "\n") value += next;
			i += 1 + next.length;
		} else if (isUnquotedLiteral(text, i)) {
			value += ch;
			i++;
		} else return undefined;
	}
	return value;
}

function decodeDoubleQuoted(text: string, from: number): { value: string; end: number } | undefined {
	let value = "";
	for (let i = from; i < text.length; i++) {
		const ch = text[i] as string;
		if (ch === '"') return { value, end: i + 1 };
		if (ch === "`") return undefined;
		if (ch === "$" && !isLiteralDollar(text[i + 1])) return undefined;
		if (ch !== "\\") {
			value += ch;
			continue;
		}
		const next = text[i + 1];
		if (next === undefined) return undefined;
		if (next === "\n") i++;
		else if (next === "$" || next === "`" || next === '"' || next === "\\") {
			value += next;
			i++;
		} else value += ch;
	}
	return undefined;
}

/** A `$` before one of these is itself in bash, dash, ksh and zsh. */
function isLiteralDollar(next: string | undefined): boolean {
	return next === undefined || ' \t\n"|)/.,;\\%&<>]}'.includes(next);
}

function isUnquotedLiteral(text: string, at: number): boolean {
	const ch = text[at] as string;
	if ("`*?[{<>()|&; \t\n".includes(ch)) return false;
	if (ch === "$") return isLiteralDollar(text[at + 1]) && text[at + 1] !== '"';
	const previous = at === 0 ? undefined : text[at - 1];
	if (ch === "~") return previous !== undefined && previous !== "=" && previous !== ":";
	if (ch === "=") return previous !== undefined;
	return true;
}

/** Quotes text for any POSIX shell. */
export function shellQuote(value: string): string {
	return `'${value.replaceAll("'", "'\\''")}'`;
}
