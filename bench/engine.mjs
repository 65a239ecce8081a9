// The package under test: the sources if this Node reads TypeScript, otherwise what `npm run build:ts` made.
const entry = process.features.typescript ? "../ts/index.ts" : "../dist/index.js";
export const sluice = await import(new URL(entry, import.meta.url).href);
if (!sluice.native.available) {
	console.error("The native engine is not built: npm run build:native", ...sluice.native.errors);
	process.exit(1);
}
/** The environment that all peers get. */
export const env = { LC_ALL: "C.UTF-8" };
