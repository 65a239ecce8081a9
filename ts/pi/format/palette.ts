/** How to colour the parts of a drawing; each may return its text unchanged. */
export interface Palette {
	accent(text: string): string;
	muted(text: string): string;
	warning(text: string): string;
}

/** No colours. */
export const PLAIN: Palette = { accent: (text) => text, muted: (text) => text, warning: (text) => text };

/** pi's own colours. */
export function themePalette(theme: { fg(colour: keyof Palette, text: string): string }): Palette {
	return {
		accent: (text) => theme.fg("accent", text),
		muted: (text) => theme.fg("muted", text),
		warning: (text) => theme.fg("warning", text),
	};
}
