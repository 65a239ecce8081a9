// A terminal screen with SGR sequences as an SVG picture.
import { visibleWidth } from "@earendil-works/pi-tui";

const CELL = { width: 8.4, height: 18 };
const PADDING = 12;
const BACKGROUND = "#18181e";
const FOREGROUND = "#d4d4d4";
const BASIC = ["#000000", "#cc6666", "#b5bd68", "#f0c674", "#81a2be", "#b294bb", "#8abeb7", "#c5c8c6"];

interface Style {
	readonly fg?: string;
	readonly bg?: string;
	readonly bold?: boolean;
	readonly dim?: boolean;
}

interface Run {
	readonly column: number;
	readonly cells: number;
	readonly text: string;
	readonly style: Style;
}

/** Draws the screen from the line that matches `from` to the one before `to`; colours may be 16, 256 or 24 bit. */
export function toSvg(screen: string, from: RegExp, to: RegExp): string {
	const lines = part(runsOf(screen), from, to);
	const columns = Math.max(...lines.flat().map((run) => run.column + run.cells));
	const width = Math.ceil(columns * CELL.width + 2 * PADDING);
	const height = lines.length * CELL.height + 2 * PADDING;
	const body = lines.flatMap((runs, row) => runs.flatMap((run) => draw(run, row)));
	return [
		`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}">`,
		`<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
		`<g font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" xml:space="preserve">`,
		...body,
		"</g>",
		"</svg>",
		"",
	].join("\n");
}

/** The asked lines, without blank ones around. */
function part(lines: readonly Run[][], from: RegExp, to: RegExp): Run[][] {
	const texts = lines.map((runs) => runs.map((run) => run.text).join(""));
	const start = texts.findIndex((text) => from.test(text));
	let end = texts.findIndex((text, index) => index > start && to.test(text));
	while (texts[end - 1]?.trim() === "") end -= 1;
	return lines.slice(start, end);
}

function draw({ column, cells, text, style }: Run, row: number): string[] {
	const x = (PADDING + column * CELL.width).toFixed(1);
	const y = PADDING + row * CELL.height;
	const width = (cells * CELL.width).toFixed(1);
	const parts: string[] = [];
	if (style.bg !== undefined) parts.push(`<rect x="${x}" y="${y}" width="${width}" height="${CELL.height}" fill="${style.bg}"/>`);
	if (text.trim() !== "") {
		const weight = style.bold ? ` font-weight="bold"` : "";
		const opacity = style.dim ? ` opacity="0.6"` : "";
		parts.push(`<text x="${x}" y="${y + 13}" textLength="${width}" fill="${style.fg ?? FOREGROUND}"${weight}${opacity}>${escapeXml(text)}</text>`);
	}
	return parts;
}

/** The screen as runs of one style. */
function runsOf(screen: string): Run[][] {
	let style: Style = {};
	return screen.split("\n").map((line) => {
		const runs: Run[] = [];
		let column = 0;
		// oxlint-disable-next-line no-control-regex
		for (const part of line.split(/(\x1b\[[\d;:]*m)/)) {
			if (part.startsWith("\x1b[")) style = apply(style, part.slice(2, -1));
			else if (part !== "") {
				const cells = visibleWidth(part);
				runs.push({ column, cells, text: part, style });
				column += cells;
			}
		}
		return runs;
	});
}

function apply(style: Style, parameters: string): Style {
	const codes = parameters.split(/[;:]/).map(Number);
	let next = style;
	for (let i = 0; i < codes.length; i++) {
		const code = codes[i] ?? 0;
		if (code === 0) next = {};
		else if (code === 1) next = { ...next, bold: true };
		else if (code === 2) next = { ...next, dim: true };
		else if (code === 22) next = { ...next, bold: false, dim: false };
		else if (code >= 30 && code <= 37) next = { ...next, fg: BASIC[code - 30]! };
		else if (code >= 40 && code <= 47) next = { ...next, bg: BASIC[code - 40]! };
		else if (code === 39 || code === 49) next = without(next, code === 39 ? "fg" : "bg");
		else if (code === 38 || code === 48) {
			const colour = codes[i + 1] === 2 ? rgb(codes.slice(i + 2, i + 5)) : indexed(codes[i + 2] ?? 0);
			next = { ...next, [code === 38 ? "fg" : "bg"]: colour };
			i += codes[i + 1] === 2 ? 4 : 2;
		}
	}
	return next;
}

function without(style: Style, key: "fg" | "bg"): Style {
	const { [key]: _dropped, ...rest } = style;
	return rest;
}

function rgb(parts: readonly number[]): string {
	return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function indexed(index: number): string {
	if (index < 16) return BASIC[index % 8]!;
	if (index >= 232) return rgb(Array.from({ length: 3 }, () => 8 + (index - 232) * 10));
	const level = (step: number) => (step === 0 ? 0 : 55 + step * 40);
	return rgb([Math.floor((index - 16) / 36), Math.floor((index - 16) / 6) % 6, (index - 16) % 6].map(level));
}

function escapeXml(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
