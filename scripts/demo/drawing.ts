// How the demo prints.

/** A title, headings, field names and quoted blocks, in colour or plain. */
export function drawingTools(colour: boolean) {
	const paint = (code: string, text: string) => (colour ? `\x1b[${code}m${text}\x1b[0m` : text);
	return {
		title: (text: string) => `\n${paint("1", text)}`,
		heading: (text: string) => `\n${paint("1;36", `── ${text}`)}`,
		field: (text: string) => paint("1", `${text}:`),
		quote: (text: string) =>
			text
				.trimEnd()
				.split("\n")
				.map((line) => `  ${line}`)
				.join("\n"),
	};
}
