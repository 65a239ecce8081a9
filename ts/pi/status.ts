import type { ExtensionContext } from "@earendil-works/pi-coding-agent";
import { formatSeconds } from "./format/numbers.ts";
import { oneLine } from "../text/plain.ts";
import { clip } from "./format/text.ts";
import type { SluiceSettings } from "./settings.ts";

const KEY = "sluice";
/** A longer one would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The footer line for guarded commands that have become slow. One line, however many run. */
export class RunningStatus {
	readonly #running = new Map<object, { command: string; keeps: boolean; startedAt: number }>();
	readonly #waiting = new Set<NodeJS.Timeout>();
	#interval: NodeJS.Timeout | undefined;

	/** Shows a command once it is slow, until it is stopped. */
	watch(ctx: ExtensionContext, command: string, settings: SluiceSettings): { stop(): void } {
		if (!ctx.hasUI || !settings.notices.status) return { stop: () => undefined };
		const key = {};
		const startedAt = performance.now();
		const timer = setTimeout(() => {
			this.#waiting.delete(timer);
			this.#running.set(key, { command, keeps: settings.keepLog !== "never", startedAt });
			this.#show(ctx);
		}, Math.min(settings.slowMs, LONGEST_TIMER_MS));
		this.#waiting.add(timer);
		return {
			stop: () => {
				clearTimeout(timer);
				this.#waiting.delete(timer);
				if (this.#running.delete(key)) this.#show(ctx);
			},
		};
	}

	/** The session ends: pi does not let its context be used any more, not even by a timer that is still to come. */
	end(): void {
		for (const timer of this.#waiting) clearTimeout(timer);
		this.#waiting.clear();
		this.#running.clear();
		clearInterval(this.#interval);
		this.#interval = undefined;
	}

	#show(ctx: ExtensionContext): void {
		const [first] = this.#running.values();
		if (first === undefined) {
			clearInterval(this.#interval);
			this.#interval = undefined;
			ctx.ui.setStatus(KEY, undefined);
			return;
		}
		const more = this.#running.size > 1 ? ` and ${this.#running.size - 1} more` : "";
		// The clock first: a narrow terminal cuts the end.
		const clock = formatSeconds(performance.now() - first.startedAt);
		const text = `🛡 ${clock} · ${first.keeps ? "keeping the full log of" : "running"} ${clip(oneLine(first.command), 40)}${more}`;
		ctx.ui.setStatus(KEY, ctx.mode === "tui" ? ctx.ui.theme.fg("accent", text) : text);
		this.#interval ??= setInterval(() => this.#show(ctx), 1000).unref();
	}
}
