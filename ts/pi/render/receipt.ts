import { truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { PiToolGuardDetails } from "../../guard/record.ts";
import { oneLine } from "../../text/plain.ts";
import { splitBar } from "../format/bar.ts";
import { formatBytes, formatCount, formatDuration, percentSmaller, plural } from "../format/numbers.ts";
import type { Palette } from "../format/palette.ts";
import { fit, flow } from "../format/text.ts";

const BAR_CELLS = 18;
const INDENT = "   ";

/** Whether a result has a receipt: that of a slow command whose view changed something. */
export function hasReceipt(record: PiToolGuardDetails): boolean {
	return record.slow === true && record.noop !== true;
}

/**
 * The receipt of a guarded command, in lines of at most `width` cells: what was asked, what stayed out of the context, where
 * the time went.
 */
export function drawReceipt(record: PiToolGuardDetails, width: number, palette: Palette): string[] {
	const inner = Math.max(8, width - INDENT.length);
	const body = [...saved(record, inner, palette), ...time(record, inner, palette)];
	const title = palette.accent(fit(`🛡 sluice · ${oneLine(record.removedPipeline)}`, width, visibleWidth));
	return [title, ...body.map((line) => INDENT + line)].map((line) => truncateToWidth(line, width, "…"));
}

function saved({ projection }: PiToolGuardDetails, width: number, palette: Palette): string[] {
	if (projection === undefined) return [];
	const { inputLines, outputLines, inputBytes, outputBytes } = projection;
	const lines = `${formatCount(inputLines)} → ${plural(outputLines, "line")}`;
	const bytes = inputBytes - outputBytes;
	const parts =
		bytes > 0 ? [`Context saved · ${lines}`, `${percentSmaller(inputBytes, outputBytes)}% smaller`, `${formatBytes(bytes)} saved`] : [lines];
	return flow(parts, width, visibleWidth).map((line) => palette.muted(line));
}

function time({ timing }: PiToolGuardDetails, width: number, palette: Palette): string[] {
	if (timing === undefined) return [];
	const took = `Took ${formatDuration(timing.totalMs)}`;
	const cells = Math.max(4, Math.min(BAR_CELLS, width - took.length - 2));
	const [solid = 0, light = 0] = splitBar([timing.commandMs, timing.extractorMs], cells);
	const bar = palette.accent("█".repeat(solid)) + palette.warning("░".repeat(light));
	const left = `${palette.muted(took)}  ${bar}`;
	const legend = palette.muted(`cmd ${formatDuration(timing.commandMs)} · filter ${formatDuration(timing.extractorMs)}`);
	const joined = `${left}  ${legend}`;
	return visibleWidth(joined) <= width ? [joined] : [left, legend];
}
