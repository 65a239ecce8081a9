import type { ExtensionAPI, ExtensionCommandContext, Theme } from "@earendil-works/pi-coding-agent";
import { type Component, Container, Spacer } from "@earendil-works/pi-tui";
import { tell } from "../announce.ts";
import { type Session, SWITCH_ENTRY } from "../session.ts";
import { drawSummary, PLAIN } from "./draw.ts";
import { type Summary, summarize } from "./summary.ts";

/** Custom session entry with a drawn summary. Never in the model's context. */
const SUMMARY_ENTRY = "sluice-summary";
const PLAIN_WIDTH = 100;
const USAGE = "usage: /sluice [on | off | settings]";

/** Registers `/sluice`. */
export function registerCommand(pi: ExtensionAPI, session: Session): void {
	pi.registerEntryRenderer<Summary>(SUMMARY_ENTRY, (entry, _options, theme) => summaryComponent(entry.data, theme));
	pi.registerCommand("sluice", {
		description: "What Sluice guarded in this session; on, off, settings",
		getArgumentCompletions: (prefix) => {
			const found = ["on", "off", "settings"].filter((word) => word.startsWith(prefix));
			return found.length === 0 ? null : found.map((word) => ({ value: word, label: word }));
		},
		handler: async (args, ctx) => run(pi, session, args.trim(), ctx),
	});
}

function run(pi: ExtensionAPI, session: Session, argument: string, ctx: ExtensionCommandContext): void {
	if (argument === "") return showSummary(pi, session, ctx);
	if (argument === "settings") return tell(ctx, `sluice settings in use: ${JSON.stringify(session.settings, null, 2)}`, "info");
	if (argument !== "on" && argument !== "off") return tell(ctx, USAGE, "error");
	session.switchedOn = argument === "on";
	pi.appendEntry(SWITCH_ENTRY, { on: session.switchedOn });
	if (!session.settings.enabled) return tell(ctx, "Sluice stays off: the setting sluice.enabled is false.", "warning");
	tell(ctx, session.switchedOn ? "Sluice guards commands again." : "Sluice is off for this session: commands go to pi unchanged.", "info");
}

function showSummary(pi: ExtensionAPI, session: Session, ctx: ExtensionCommandContext): void {
	const summary = summarize(ctx, session);
	if (ctx.mode === "tui") pi.appendEntry(SUMMARY_ENTRY, summary);
	else tell(ctx, drawSummary(summary, PLAIN_WIDTH, PLAIN).join("\n"), "info");
}

function summaryComponent(summary: Summary | undefined, theme: Theme): Component | undefined {
	if (summary === undefined) return undefined;
	const palette = {
		accent: (text: string) => theme.fg("accent", text),
		muted: (text: string) => theme.fg("muted", text),
		warning: (text: string) => theme.fg("warning", text),
	};
	const component = new Container();
	component.addChild(new Spacer(1));
	// In line with tool results, which pi pads by one cell.
	component.addChild({ render: (width) => drawSummary(summary, width - 1, palette).map((line) => ` ${line}`), invalidate: () => undefined });
	return component;
}
