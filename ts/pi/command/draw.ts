import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import { splitBar } from "../format/bar.ts";
import { formatBytes, formatCount, formatDuration, percentSmaller } from "../format/numbers.ts";
import { oneLine } from "../../text/plain.ts";
import { flow } from "../format/text.ts";
import type { Summary } from "./summary.ts";

/** How to colour the parts of a drawing; each may return its text unchanged. */
export interface Palette {
	accent(text: string): string;
	muted(text: string): string;
	warning(text: string): string;
}

/** No colours. */
export const PLAIN: Palette = { accent: (text) => text, muted: (text) => text, warning: (text) => text };

const INDENT = "   ";

/** The summary as lines of at most `width` cells. */
export function drawSummary(summary: Summary, width: number, palette: Palette): string[] {
	const lines = [palette.accent(`🛡 Sluice${summary.on ? "" : " (off)"}`) + palette.muted(` · ${commands(summary)}`)];
	if (summary.commands > 0) {
		lines.push(...savings(summary, width, palette), ...longest(summary, width, palette), ...logs(summary, width, palette));
	}
	return lines.map((line) => truncateToWidth(line, width, "…"));
}

function commands(summary: Summary): string {
	const parts = [summary.commands === 0 ? "no command was guarded in this session" : `${formatCount(summary.commands)} guarded`];
	if (summary.slow > 0) parts.push(`${formatCount(summary.slow)} slow`);
	if (summary.noops > 0) parts.push(`${formatCount(summary.noops)} unchanged by the view`);
	if (summary.hiddenFailures > 0) parts.push(`${formatCount(summary.hiddenFailures)} failed behind the view`);
	if (summary.repaired > 0) parts.push(`${formatCount(summary.repaired)} ${summary.repaired === 1 ? "call" : "calls"} repaired`);
	return parts.join(" · ");
}

function savings(summary: Summary, width: number, palette: Palette): string[] {
	const rows = [
		["lines", summary.inputLines, summary.outputLines, formatCount] as const,
		["bytes", summary.inputBytes, summary.outputBytes, formatBytes] as const,
	].map(([unit, before, after, format]) => ({ unit, before, after, text: `${format(before)} → ${format(after)}` }));
	const column = Math.max(...rows.map((row) => row.text.length));
	const cells = barCells(width, INDENT.length + 7 + column + 2 + 15);
	const drawn = rows.map(({ unit, before, after, text }) => {
		const share = before > after ? [after, before - after] : [1, 0];
		const percent = percentSmaller(before, after);
		return `${INDENT}${palette.muted(unit.padEnd(7))}${text.padEnd(column)}  ${bar(share, cells, palette)}  ${palette.muted(`${percent}% smaller`)}`;
	});
	return [`${INDENT}${palette.accent("Kept out of the context")}`, ...drawn];
}

function longest(summary: Summary, width: number, palette: Palette): string[] {
	const top = summary.longest[0]?.ms ?? 0;
	if (top === 0) return [];
	const cells = barCells(width, INDENT.length + 10 + 2 + 24);
	const rows = summary.longest.map(({ command, ms }) => {
		const time = formatDuration(ms).padStart(9);
		return `${INDENT}${time}  ${bar([ms, top - ms], cells, palette)}  ${palette.muted(oneLine(command))}`;
	});
	return [`${INDENT}${palette.accent("Longest runs")}`, ...rows];
}

function logs(summary: Summary, width: number, palette: Palette): string[] {
	if (summary.logs.length === 0) return [];
	const rows = summary.logs.flatMap(({ path, size, command }) =>
		flow([`${formatBytes(size).padStart(9)}  ${oneLine(path)}`, palette.muted(oneLine(command))], width - INDENT.length, visibleWidth).map(
			(line, index) => INDENT + (index === 0 ? line : `${" ".repeat(11)}${line}`),
		),
	);
	return [`${INDENT}${palette.accent("Kept logs")}`, ...rows];
}

function bar(share: readonly number[], width: number, palette: Palette): string {
	const [solid = 0, light = 0] = splitBar(share, width);
	return palette.accent("█".repeat(solid)) + palette.warning("░".repeat(light));
}

/** What is left for a bar beside `others` cells of text: at least 4, at most 20. */
function barCells(width: number, others: number): number {
	return Math.max(4, Math.min(20, width - others));
}
