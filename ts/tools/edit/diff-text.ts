import type { Change } from "diff";

/** Renders changes as numbered lines: `+12 new`, `-12 old`, ` 11 same`, and ` ...` for what is left out. */
export class DiffText {
	/** Number of the first changed line in the new text. */
	firstChangedLine: number | undefined;
	readonly #lines: string[] = [];
	readonly #width: number;
	readonly #context: number;

	/** `lines` sets the width of the numbers, `context` how many unchanged lines are shown around a change. */
	constructor(lines: number, context: number) {
		this.#width = String(lines).length;
		this.#context = context;
	}

	/** The lines so far. */
	get text(): string {
		return this.#lines.join("\n");
	}

	/** Adds the changes of a part of the text that begins at these line numbers (1-based). */
	add(changes: readonly Change[], oldLine: number, newLine: number): void {
		const lines: string[] = [];
		const isChange = (change: Change | undefined) => change !== undefined && (change.added || change.removed);
		changes.forEach((change, index) => {
			const texts = change.value.split("\n");
			if (texts.at(-1) === "") texts.pop();
			if (isChange(change)) this.firstChangedLine ??= newLine;
			if (change.added) for (const text of texts) lines.push(this.#line("+", newLine++, text));
			else if (change.removed) for (const text of texts) lines.push(this.#line("-", oldLine++, text));
			else {
				const head = isChange(changes[index - 1]) ? this.#context : 0;
				const tail = isChange(changes[index + 1]) ? this.#context : 0;
				lines.push(...this.#same(texts, oldLine, head, tail));
				oldLine += texts.length;
				newLine += texts.length;
			}
		});
		// Two parts around unchanged lines both mark them as left out.
		if (lines[0] === this.#gap && this.#lines.at(-1) === this.#gap) lines.shift();
		for (const line of lines) this.#lines.push(line);
	}

	#same(texts: readonly string[], first: number, head: number, tail: number): string[] {
		const shown = (from: number, to: number) => texts.slice(from, to).map((text, index) => this.#line(" ", first + from + index, text));
		if (head + tail === 0) return [];
		if (texts.length <= head + tail) return shown(0, texts.length);
		return [...shown(0, head), this.#gap, ...shown(texts.length - tail, texts.length)];
	}

	get #gap(): string {
		return ` ${" ".repeat(this.#width)} ...`;
	}

	#line(mark: string, number: number, text: string): string {
		return `${mark}${String(number).padStart(this.#width)} ${text}`;
	}
}
