import type { AndOr, CommandNode, Pipeline, PipelineNode, Script, Statement } from "unbash";
import { type Place, TOP, redirected } from "./place.ts";
import type { PassReason } from "./types.ts";
import { type View, asView } from "./view.ts";
import { decodeLiteral } from "./words.ts";

/** A pipeline that ends in views, and where it stands. */
export interface Candidate {
	readonly pipeline: Pipeline;
	readonly place: Place;
	/** The trailing views, in order, at least one. */
	readonly views: readonly View[];
}

/** A call of a function that the text defines. */
export interface Call {
	readonly name: string;
	readonly place: Place;
}

export interface Candidates {
	readonly found: readonly Candidate[];
	/** Why views that stand in the text are none of {@link found}. */
	readonly refused: readonly PassReason[];
	readonly calls: readonly Call[];
	readonly functions: ReadonlySet<string>;
}

/** Every pipeline of the command itself that ends in views; what is nested in substitutions is not looked at. */
export function findCandidates(script: Script, source: string): Candidates {
	const finder = new Finder(source);
	finder.statements(script.commands, TOP);
	return finder;
}

/** Recursion is bounded: the parser refuses more than 256 levels of nesting. */
class Finder implements Candidates {
	readonly found: Candidate[] = [];
	readonly refused: PassReason[] = [];
	readonly calls: Call[] = [];
	readonly functions = new Set<string>();
	readonly #source: string;

	constructor(source: string) {
		this.#source = source;
	}

	statements(statements: readonly Statement[], place: Place): void {
		for (const { command, background } of statements) {
			const inside: Place = background ? { ...place, indirect: place.indirect ?? "background" } : place;
			if (command.type === "AndOr") this.#andOr(command, inside);
			else this.#pipeline(command, inside);
		}
	}

	#andOr(node: AndOr, place: Place): void {
		for (const command of node.commands) this.#pipeline(command, place);
	}

	#pipeline(node: PipelineNode, place: Place): void {
		if (node.type !== "Pipeline") {
			this.#command(node, place);
			return;
		}
		const last = node.commands.length - 1;
		const views = this.#trailingViews(node);
		const feeding: Place = { ...place, indirect: place.indirect ?? "view-not-last" };
		node.commands.forEach((command, index) => {
			if (index > last - views.length) return;
			this.#command(command, index === last ? place : feeding);
		});
		if (views.length > 0) this.found.push({ pipeline: node, place, views });
	}

	/** The longest run of views at the end; the first stage is never one. */
	#trailingViews(node: Pipeline): View[] {
		const views: View[] = [];
		for (let i = node.commands.length - 1; i > 0; i--) {
			const view = asView(node.commands[i] as CommandNode, this.#source);
			if (typeof view !== "object") {
				if (view !== undefined && views.length === 0) this.refused.push(view);
				else if (views.length === 0) this.#noteInnerView(node);
				break;
			}
			views.unshift(view);
		}
		return views;
	}

	#noteInnerView(node: Pipeline): void {
		for (const command of node.commands.slice(1, -1)) {
			if (typeof asView(command, this.#source) === "object") this.refused.push("view-not-last");
		}
	}

	#command(node: CommandNode, place: Place): void {
		switch (node.type) {
			case "Redirected":
				this.#command(node.command, redirected(place, node.redirects, this.#source));
				return;
			case "Command": {
				const name = node.name === undefined ? undefined : decodeLiteral(node.name.text);
				if (name !== undefined) this.calls.push({ name, place: redirected(place, node.redirects, this.#source) });
				return;
			}
			case "If":
				this.statements(node.clause.commands, place);
				this.statements(node.then.commands, place);
				for (const branch of node.elif) {
					this.statements(branch.clause.commands, place);
					this.statements(branch.then.commands, place);
				}
				if (node.else) this.statements(node.else.commands, place);
				return;
			case "While":
				this.statements(node.clause.commands, place);
				this.statements(node.body.commands, place);
				return;
			case "Case":
				for (const item of node.items) this.statements(item.body.commands, place);
				return;
			case "For":
			case "ArithmeticFor":
			case "Select":
			case "Subshell":
			case "BraceGroup":
				this.statements(node.body.commands, place);
				return;
			case "Function": {
				const owner = node.name.text;
				this.functions.add(owner);
				const body: Place = { stderr: "inherit", owner };
				if (node.body.type === "CompoundList") this.statements(node.body.commands, body);
				else this.#command(node.body, body);
				return;
			}
			case "Coproc":
			case "TestCommand":
			case "ArithmeticCommand":
				return;
		}
	}
}
