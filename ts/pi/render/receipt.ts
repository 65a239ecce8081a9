import type { Theme } from "@earendil-works/pi-coding-agent";
import { type Component, truncateToWidth, visibleWidth } from "@earendil-works/pi-tui";
import type { PiToolGuardDetails } from "../../guard/record.ts";
import { splitBar } from "../format/bar.ts";
import { formatBytes, formatCount, formatDuration, percentSmaller } from "../format/numbers.ts";
import { oneLine } from "../../text/plain.ts";
import { fit, flow } from "../format/text.ts";

const BAR_CELLS = 18;
const INDENT = "   ";

/** The receipt of a slow guarded command: what was asked, what stayed out of the context, where the time went. */
export class Receipt implements Component {
	readonly #record: PiToolGuardDetails;
	readonly #theme: Theme;

	constructor(record: PiToolGuardDetails, theme: Theme) {
		this.#record = record;
		this.#theme = theme;
	}

	render(width: number): string[] {
		const inner = Math.max(8, width - INDENT.length);
		const body = [...this.#saved(inner), ...this.#time(inner)];
		const title = `🛡 sluice · ${oneLine(this.#record.removedPipeline)}`;
		const lines = [this.#theme.fg("accent", fit(title, width, visibleWidth)), ...body.map((line) => INDENT + line)];
		return ["", ...lines.map((line) => truncateToWidth(line, width, "…"))];
	}

	invalidate(): void {
		// Nothing is cached.
	}

	#saved(width: number): string[] {
		const sizes = this.#record.projection;
		if (sizes === undefined) return [];
		const lines = `${formatCount(sizes.inputLines)} → ${formatCount(sizes.outputLines)} lines`;
		const bytes = sizes.inputBytes - sizes.outputBytes;
		const smaller = percentSmaller(sizes.inputBytes, sizes.outputBytes);
		const parts = bytes > 0 ? [`Context saved · ${lines}`, `${smaller}% smaller`, `${formatBytes(bytes)} saved`] : [lines];
		return flow(parts, width, visibleWidth).map((line) => this.#theme.fg("muted", line));
	}

	#time(width: number): string[] {
		const timing = this.#record.timing;
		if (timing === undefined) return [];
		const took = `Took ${formatDuration(timing.totalMs)}`;
		const command = `cmd ${formatDuration(timing.commandMs)}`;
		const filter = `filter ${formatDuration(timing.extractorMs)}`;
		const cells = Math.max(4, Math.min(BAR_CELLS, width - took.length - 2));
		const [solid = 0, light = 0] = splitBar([timing.commandMs, timing.extractorMs], cells);
		const theme = this.#theme;
		const bar = theme.fg("accent", "█".repeat(solid)) + theme.fg("warning", "░".repeat(light));
		const left = `${theme.fg("muted", took)}  ${bar}`;
		const legend = theme.fg("muted", `${command} · ${filter}`);
		const joined = `${left}  ${legend}`;
		return visibleWidth(joined) <= width ? [joined] : [left, legend];
	}
}
