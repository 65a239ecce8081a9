import type { ExtensionAPI, ExtensionContext, ToolDefinition } from "@earendil-works/pi-coding-agent";
import type { Announcer } from "./announce.ts";

/** A definition of any tool. */
// oxlint-disable-next-line typescript/no-explicit-any
export type AnyTool = ToolDefinition<any, any, any>;

/** A tool to take over. */
export interface Takeover {
	readonly definition: AnyTool;
	/** What does not work where the tool is another extension's. */
	readonly losses: string;
}

/**
 * Takes over pi's own tools, one session long. Registered once the session starts, never while extensions load: there, pi
 * refuses to start if another extension overrides the same tool, and a tool that the user switched off would come on.
 */
export class Takeovers {
	readonly #pi: ExtensionAPI;
	readonly #announcer: Announcer;
	/** Tools that are ours, with the path that pi gives as their source. */
	readonly #owned = new Map<string, { path: string | undefined; losses: string }>();

	constructor(pi: ExtensionAPI, announcer: Announcer) {
		this.#pi = pi;
		this.#announcer = announcer;
	}

	/** Registers those that pi itself provides; says which belong to another extension, and leaves them to it. */
	register(ctx: ExtensionContext, takeovers: readonly Takeover[]): void {
		const lost: { name: string; path: string; losses: string }[] = [];
		for (const { definition, losses } of takeovers) {
			const source = this.#source(definition.name);
			if (source === undefined) continue; // Not a tool that pi has now.
			if (source.source === "builtin" || this.#owned.get(definition.name)?.path === source.path) {
				this.#pi.registerTool(definition);
				this.#owned.set(definition.name, { path: this.#source(definition.name)?.path, losses });
			} else {
				lost.push({ name: definition.name, path: source.path, losses });
			}
		}
		this.#report(ctx, lost);
	}

	/** Says it once when another extension took a tool over later. */
	check(ctx: ExtensionContext): void {
		const lost: { name: string; path: string; losses: string }[] = [];
		for (const [name, { path, losses }] of this.#owned) {
			const source = this.#source(name);
			if (source !== undefined && source.path !== path) lost.push({ name, path: source.path, losses });
		}
		for (const { name } of lost) this.#owned.delete(name);
		this.#report(ctx, lost);
	}

	#source(name: string): { source: string; path: string } | undefined {
		return this.#pi.getAllTools().find((tool) => tool.name === name)?.sourceInfo;
	}

	#report(ctx: ExtensionContext, lost: readonly { name: string; path: string; losses: string }[]): void {
		for (const path of new Set(lost.map((tool) => tool.path))) {
			const tools = lost.filter((tool) => tool.path === path);
			const names = tools.map((tool) => tool.name).join(", ");
			const all = [...new Set(tools.map((tool) => tool.losses))].join(" and ");
			this.#announcer.say(ctx, `another extension provides ${names} (${path}): ${all} there. Everything else works.`);
		}
	}
}
