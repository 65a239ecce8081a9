import { insideFence } from "./text.ts";

// Models send JSON inside strings, and forget to escape the line breaks in it.

const SPECIAL = /["\\\p{Cc}]/gu;
/** An escape of JSON, or one that is none but may be meant as one. */
const ESCAPE = /^\\(?:["\\/bfnrt'`]|u[0-9a-fA-F]{4})/;

/** The value of a JSON text, also with raw control characters and lone backslashes inside its strings; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
	return tryParse(text) ?? tryParse(escapeInside(text));
}

/** The value of a text that looks like an object or a list, with or without a code fence around it. */
export function parseStructure(text: string): unknown {
	const body = insideFence(text) ?? text;
	return looksStructured(body) ? parseJson(body) : undefined;
}

/** Whether a text starts as a JSON object or list does. */
export function looksStructured(text: string): boolean {
	return /^\s*[[{]/.test(text);
}

function tryParse(text: string): unknown {
	try {
		const value: unknown = JSON.parse(text);
		return value ?? undefined;
	} catch {
		return undefined; // not JSON: the caller says what that means
	}
}

/**
 * Escapes what stands unescaped inside strings: control characters, and backslashes before a letter or sign that JSON has
 * no escape for (`\d`). A quote after a backslash may mean either, and stays: the text is no JSON then.
 */
function escapeInside(text: string): string {
	let out = "";
	let from = 0;
	let inString = false;
	SPECIAL.lastIndex = 0;
	for (let hit = SPECIAL.exec(text); hit !== null; hit = SPECIAL.exec(text)) {
		const [character] = hit;
		const { index } = hit;
		if (character === '"') inString = !inString;
		else if (character === "\\" && (!inString || ESCAPE.test(text.slice(index, index + 6)))) SPECIAL.lastIndex++;
		else if (inString && (character === "\\" || character < " ")) {
			out += text.slice(from, index) + JSON.stringify(character).slice(1, -1);
			from = index + 1;
		}
	}
	return out + text.slice(from);
}
