// Control characters, what turns the direction of text around, and halves of characters: they can move, hide or spoof
// what a terminal shows.
// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]|\p{Cs}/u;
const BLANKS = new RegExp(`(?:${UNSAFE.source}|\\s)+`, "gu");

/** One printable line: what could steer a terminal becomes a space, runs of blanks one. */
export function oneLine(text: string): string {
	return text.replace(BLANKS, " ").trim();
}

/** Whether a text can be shown on a line as it is. */
export function isPlain(text: string): boolean {
	return !UNSAFE.test(text);
}
