// The rows are the modules in rows/; each exports `rows`: { id, title, run(options) } where run returns { text, met }.
import { readdirSync } from "node:fs";

const folder = new URL("rows/", import.meta.url);

/** All rows, each with the name of its module as `group`. */
export async function allRows() {
	const found = [];
	for (const file of readdirSync(folder)) {
		const { rows } = await import(new URL(file, folder).href);
		found.push(...rows.map((row) => ({ ...row, group: file.replace(/\.mjs$/, "") })));
	}
	return found;
}
