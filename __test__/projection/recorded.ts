// Cuts a recorded command into what produces, the views, and what reads them.

/** A pipeline around views. */
export interface Split {
	/** What runs in front, for the shell. */
	readonly producer: string;
	/** The views, as `parseView` takes them. */
	readonly views: string;
	/** What reads the views' output, for the shell; empty if nothing does. */
	readonly consumer: string;
}

const VIEW = /^\s*(?:head|tail|grep|egrep|fgrep|rg|less|more)(?=\s|$)/;

/** The first views of a plain pipeline, or `undefined` if the command is more than that. */
export function splitAtViews(command: string): Split | undefined {
	const stages = pipelineStages(command);
	// The shell's own state, and the status of the whole, are not the views'.
	if (!stages || /^\s*(?:!|env\b)/.test(command) || command.includes("$$")) return undefined;
	const first = stages.findIndex((stage, index) => index > 0 && VIEW.test(stage));
	if (first < 0) return undefined;
	const count = stages.slice(first).findIndex((stage) => !VIEW.test(stage));
	const end = count < 0 ? stages.length : first + count;
	return {
		producer: stages.slice(0, first).join("|"),
		views: stages.slice(first, end).join("|").trim(),
		consumer: stages.slice(end).join("|"),
	};
}

/** The stages of a command that is one pipeline, or `undefined`. */
function pipelineStages(command: string): string[] | undefined {
	const stages = [""];
	for (let at = 0; at < command.length; at++) {
		const rest = command.slice(at);
		const quoted = /^(?:\$?'(?:[^'\\]|\\.)*'|"(?:[^"\\$`]|\\.)*"|\\.)/s.exec(rest)?.[0];
		const text = quoted ?? command.charAt(at);
		if (text === "|" && command.charAt(at + 1) !== "|" && command.charAt(at + 1) !== "&") stages.push("");
		else if (!quoted && /[;&\n()`|<]/.test(text) && !rest.startsWith("&1")) return undefined;
		else stages[stages.length - 1] += text;
		at += text.length - 1;
	}
	return stages;
}
