// Models send JSON inside strings, and forget to escape the line breaks in it.

const SPECIAL = /["\\\p{Cc}]/gu;

/** The value of a JSON text, also with raw control characters inside its strings; undefined if it is no JSON. */
export function parseJson(text: string): unknown {
	return tryParse(text) ?? tryParse(escapeControls(text));
}

/** The value of a text that looks like an object or a list, with or without a code fence around it. */
export function parseStructure(text: string): unknown {
	const body = /^\s*```(?:json)?\s*\n([\s\S]*)\n\s*```\s*$/.exec(text.length < 8 || !/^\s*```/.test(text) ? "" : text)?.[1] ?? text;
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

/** Escapes the control characters that stand inside strings; those between tokens are white space and stay. */
function escapeControls(text: string): string {
	let out = "";
	let from = 0;
	let inString = false;
	SPECIAL.lastIndex = 0;
	for (let hit = SPECIAL.exec(text); hit !== null; hit = SPECIAL.exec(text)) {
		const [character] = hit;
		if (character === '"') inString = !inString;
		else if (character === "\\") SPECIAL.lastIndex++; // whatever follows is escaped
		else if (inString && character < " ") {
			out += text.slice(from, hit.index) + JSON.stringify(character).slice(1, -1);
			from = hit.index + 1;
		}
	}
	return out + text.slice(from);
}
