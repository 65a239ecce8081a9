// The demo in pi's real TUI, as pictures: a receipt, wide and at 40 columns, and the summary.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT, script } from "../demo/script.ts";
import { toSvg } from "./svg.ts";
import { CHECKOUT, createHome } from "../../__test__/rig/home.ts";
import { startTui, type Tui } from "../../__test__/rig/tui.ts";

const END = "return 0";

await take(100, async (tui) => {
	await tui.ask("Why does the test suite fail?", END, 120_000);
	save("receipt", tui, /\$ npm test/, /\$ grep -n/);
	await tui.ask("/sluice", "Kept logs");
	save("summary", tui, /🛡 Sluice/, /─────/);
});
await take(40, async (tui) => {
	await tui.ask("Why does the test suite fail?", END, 120_000);
	save("receipt-40-columns", tui, /\$ npm test/, /\$ grep -n/);
});

async function take(columns: number, picture: (tui: Tui) => Promise<void>): Promise<void> {
	const home = createHome("/tmp");
	const tui = await startTui(script, { columns, rows: 140, cwd: PROJECT, home });
	try {
		await picture(tui);
	} finally {
		await tui.close();
		home.remove();
	}
}

/** Draws the screen from the line that matches `from` to the one before `to`. */
function save(name: string, tui: Tui, from: RegExp, to: RegExp): void {
	const path = join(CHECKOUT, "docs", "images", `${name}.svg`);
	writeFileSync(path, toSvg(tui.screen(true), from, to));
	console.log(path);
}
