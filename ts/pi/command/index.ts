import type { ExtensionAPI, ExtensionCommandContext, Theme } from "@earendil-works/pi-coding-agent";
import { type Component, Container, Spacer } from "@earendil-works/pi-tui";
import { tell } from "../announce.ts";
import { exportWithReceipts } from "../export/index.ts";
import { PLAIN, themePalette } from "../format/palette.ts";
import { type Session, SWITCH_ENTRY } from "../session.ts";
import { drawSummary } from "./draw.ts";
import { type Summary, summarize } from "./summary.ts";

/** Custom session entry with a drawn summary. Never in the model's context. */
const SUMMARY_ENTRY = "sluice-summary";
const PLAIN_WIDTH = 100;
const ACTIONS = ["on", "off", "settings", "export"];
const USAGE = "usage: /sluice [on | off | settings | export [FILE.html]]";

/** Registers `/sluice`. */
export function registerCommand(pi: ExtensionAPI, session: Session): void {
	pi.registerEntryRenderer<Summary>(SUMMARY_ENTRY, (entry, _options, theme) => summaryComponent(entry.data, theme));
	pi.registerCommand("sluice", {
		description: "What Sluice guarded; on, off, settings, export",
		getArgumentCompletions: (prefix) => {
			// A whole word is not offered: choosing it would take a key of its own.
			const found = ACTIONS.filter((word) => word.startsWith(prefix) && word !== prefix);
			return found.length === 0 ? null : found.map((word) => ({ value: word, label: word }));
		},
		handler: async (args, ctx) => run(pi, session, args.trim(), ctx),
	});
}

async function run(pi: ExtensionAPI, session: Session, argument: string, ctx: ExtensionCommandContext): Promise<void> {
	const [action = "", file] = argument.split(/\s+(.*)/s);
	if (action === "export") return exportWithReceipts(pi, ctx, file);
	if (file !== undefined) return tell(ctx, USAGE, "error");
	switch (action) {
		case "":
			return showSummary(pi, session, ctx);
		case "settings":
			return tell(ctx, `sluice settings in use: ${JSON.stringify(session.settings, null, 2)}`, "info");
		case "on":
		case "off":
			return turn(pi, session, action === "on", ctx);
		default:
			return tell(ctx, USAGE, "error");
	}
}

function turn(pi: ExtensionAPI, session: Session, on: boolean, ctx: ExtensionCommandContext): void {
	session.switchedOn = on;
	pi.appendEntry(SWITCH_ENTRY, { on });
	if (session.obstacle !== undefined) return tell(ctx, `Sluice stays off: ${session.obstacle}.`, "warning");
	tell(ctx, on ? "Sluice guards commands again." : "Sluice is off until /sluice on: commands go to pi unchanged.", "info");
}

function showSummary(pi: ExtensionAPI, session: Session, ctx: ExtensionCommandContext): void {
	const summary = summarize(ctx, session);
	if (ctx.mode === "tui") pi.appendEntry(SUMMARY_ENTRY, summary);
	else tell(ctx, drawSummary(summary, PLAIN_WIDTH, PLAIN).join("\n"), "info");
}

function summaryComponent(summary: Summary | undefined, theme: Theme): Component | undefined {
	if (summary === undefined) return undefined;
	const component = new Container();
	component.addChild(new Spacer(1));
	// In line with tool results, which pi pads by one cell.
	component.addChild({ render: (width) => drawSummary(summary, width - 1, themePalette(theme)).map((line) => ` ${line}`), invalidate: () => undefined });
	return component;
}
