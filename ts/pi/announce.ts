import type { ExtensionContext } from "@earendil-works/pi-coding-agent";

/** Tells the user something once per session: a line in the transcript, or on standard error where there is none. */
export class Announcer {
	readonly #said = new Set<string>();

	say(ctx: ExtensionContext, message: string, level: "info" | "warning" | "error" = "warning"): void {
		if (this.#said.has(message)) return;
		this.#said.add(message);
		tell(ctx, `Sluice: ${message}`, level);
	}
}

/** Shows a text to the user in whatever mode pi runs. */
export function tell(ctx: ExtensionContext, text: string, level: "info" | "warning" | "error"): void {
	if (ctx.hasUI) ctx.ui.notify(text, level);
	else console.error(text);
}
