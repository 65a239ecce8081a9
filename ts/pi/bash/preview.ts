import { truncateTail } from "@earendil-works/pi-coding-agent";
import type { BashDefinition, BashResult } from "./types.ts";

type OnUpdate = Parameters<BashDefinition["execute"]>[3];

/** pi's own interval between live updates, in milliseconds. */
const INTERVAL_MS = 100;

/**
 * Live updates of a running command: pi's own snapshots of what is final, with the projection as it stands below them.
 */
export class LivePreview {
	readonly #send: OnUpdate;
	#settled: BashResult = { content: [], details: undefined };
	#provisional = "";
	#timer: NodeJS.Timeout | undefined;
	#sentAt = 0;

	constructor(send: OnUpdate) {
		this.#send = send;
	}

	/** To be handed to pi's tool in place of the caller's. */
	get onUpdate(): OnUpdate {
		if (this.#send === undefined) return undefined;
		return (update) => {
			this.#settled = update;
			this.#emit();
		};
	}

	/** Shows the projection as it stands; at most ten times a second. */
	show(text: Uint8Array): void {
		if (this.#send === undefined) return;
		this.#provisional = new TextDecoder().decode(text);
		const wait = INTERVAL_MS - (Date.now() - this.#sentAt);
		if (wait <= 0) this.#emit();
		else this.#timer ??= setTimeout(() => this.#emit(), wait);
	}

	/** Final output replaces what was provisional. */
	settle(deliver: () => void): void {
		this.#provisional = "";
		deliver();
	}

	/** No further update leaves after this. */
	end(): void {
		clearTimeout(this.#timer);
		this.#timer = undefined;
	}

	#emit(): void {
		this.end();
		this.#sentAt = Date.now();
		if (this.#provisional === "") return this.#send?.(this.#settled);
		const shown = this.#settled.content.map((block) => ("text" in block ? block.text : "")).join("");
		const text = truncateTail(shown + this.#provisional).content;
		this.#send?.({ ...this.#settled, content: [{ type: "text", text }] });
	}
}
