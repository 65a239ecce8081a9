import { truncateToWidth, visibleWidth, wrapTextWithAnsi } from "@earendil-works/pi-tui";
import { oneLine } from "../../text/plain.ts";
import { splitBar } from "../format/bar.ts";
import { formatBytes, formatCount, formatDuration, percentSmaller, plural } from "../format/numbers.ts";
import type { Palette } from "../format/palette.ts";
import { flow } from "../format/text.ts";
import type { Summary } from "./summary.ts";

const INDENT = "   ";
/** Cells for a duration or a size, so that what follows is aligned: `59m 59s`, `1023 MiB`. */
const AMOUNT = 9;
/** Cells that a command needs to be recognised by. */
const COMMAND = 16;

/** The summary as lines of at most `width` cells. */
export function drawSummary(summary: Summary, width: number, palette: Palette): string[] {
	const lines = [...header(summary, width, palette)];
	if (summary.commands > 0) {
		lines.push(...savings(summary, width, palette), ...longest(summary, width, palette), ...logs(summary, width, palette));
	}
	return lines.map((line) => truncateToWidth(line, width, "…"));
}

function header(summary: Summary, width: number, palette: Palette): string[] {
	const title = `🛡 Sluice${summary.on ? "" : " (off)"}`;
	const parts = [title, summary.commands === 0 ? "no command was guarded yet" : `${formatCount(summary.commands)} guarded`];
	if (summary.slow > 0) parts.push(`${formatCount(summary.slow)} slow`);
	if (summary.noops > 0) parts.push(`${formatCount(summary.noops)} unchanged by the view`);
	if (summary.hiddenFailures > 0) parts.push(`${formatCount(summary.hiddenFailures)} failed behind the view`);
	if (summary.repaired > 0) parts.push(`${plural(summary.repaired, "call")} repaired`);
	const [first = "", ...more] = flow(parts, width - INDENT.length, visibleWidth);
	return [palette.accent(title) + palette.muted(first.slice(title.length)), ...more.map((line) => INDENT + palette.muted(line))];
}

function savings(summary: Summary, width: number, palette: Palette): string[] {
	const rows = [
		["lines", summary.inputLines, summary.outputLines, formatCount] as const,
		["bytes", summary.inputBytes, summary.outputBytes, formatBytes] as const,
	].map(([unit, before, after, format]) => ({ unit, before, after, text: `${format(before)} → ${format(after)}` }));
	const column = Math.max(...rows.map((row) => row.text.length));
	const cells = barCells(width - (INDENT.length + 7 + column + 2 + 6));
	const drawn = rows.map(({ unit, before, after, text }) => {
		const kept = Math.max(0, before - after);
		const percent = `${percentSmaller(before, after)}%`.padStart(4);
		return `${INDENT}${palette.muted(unit.padEnd(7))}${text.padEnd(column)}  ${bar(kept, before, cells, palette)}${palette.muted(percent)}`;
	});
	return [`${INDENT}${palette.accent("Kept out of the context")}`, ...drawn];
}

function longest(summary: Summary, width: number, palette: Palette): string[] {
	const top = summary.longest[0]?.ms ?? 0;
	if (top === 0) return [];
	const cells = barCells(width - (INDENT.length + AMOUNT + 4 + COMMAND));
	const rows = summary.longest.map(
		({ command, ms }) => `${INDENT}${formatDuration(ms).padStart(AMOUNT)}  ${bar(ms, top, cells, palette)}${palette.muted(oneLine(command))}`,
	);
	return [`${INDENT}${palette.accent("Longest runs")}`, ...rows];
}

/** Each log with its command, and its whole path, to be copied from the screen, on lines of its own. */
function logs(summary: Summary, width: number, palette: Palette): string[] {
	if (summary.logs.length === 0) return [];
	const rows = summary.logs.flatMap(({ path, size, command }) => {
		const indent = width < 60 ? INDENT : INDENT + " ".repeat(AMOUNT + 2);
		return [
			`${INDENT}${formatBytes(size).padStart(AMOUNT)}  ${palette.muted(oneLine(command))}`,
			...wrapTextWithAnsi(oneLine(path), Math.max(8, width - indent.length)).map((line) => indent + line),
		];
	});
	return [`${INDENT}${palette.accent("Kept logs")}`, ...rows];
}

/** A bar with the gap behind it, or nothing where there is no room. */
function bar(part: number, whole: number, width: number, palette: Palette): string {
	if (width === 0) return "";
	const [solid = 0, light = 0] = whole > 0 ? splitBar([part, whole - part], width) : [0, width];
	return `${palette.accent("█".repeat(solid))}${palette.muted("░".repeat(light))}  `;
}

/** Cells of a bar that has `room` left to itself and what separates it: none, or 4 to 20. */
function barCells(room: number): number {
	return room < 4 ? 0 : Math.min(20, room);
}
