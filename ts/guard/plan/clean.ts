import type { Pipeline } from "unbash";
import { type Skipped, skipBlanks } from "./gap.ts";

/** A window, as far as cutting it out needs it. */
export interface Cut {
	readonly pipeline: Pipeline;
	/** How many stages before the window stay. */
	readonly kept: number;
	readonly start: number;
	readonly end: number;
}

/**
 * The command without its windows: each view and the operator before it go, `|&` leaves its `2>&1` behind. Everything else
 * keeps its text.
 */
export function cleanCommand(source: string, cuts: readonly Cut[], bodies: readonly Skipped[]): string {
	let cleaned = "";
	let copied = 0;
	const remove = (from: number, to: number, instead: string) => {
		cleaned += source.slice(copied, from) + instead;
		copied = to;
	};
	for (const { pipeline, kept, start, end } of cuts) {
		const keptEnd = (pipeline.commands[kept - 1] as { end: number }).end;
		const operator = pipeline.operators[kept - 1] as string;
		const behind = skipBlanks(source, keptEnd) + operator.length;
		// A here-document of the producer may stand between the operator and the view: it stays, and so does the operator.
		if (bodies.some((body) => body.pos >= behind && body.pos < start)) remove(start, end, "cat");
		else remove(keptEnd, end, operator === "|&" ? " 2>&1" : "");
	}
	return cleaned + source.slice(copied);
}
