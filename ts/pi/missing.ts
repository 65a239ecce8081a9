/** What to say when the native engine could not be loaded. */
export function missingBinary(errors: readonly Error[]): string {
	const abi = process.platform === "linux" ? (isMusl() ? "-musl" : "-gnu") : process.platform === "win32" ? "-msvc" : "";
	const name = `pi-sluice-${process.platform}-${process.arch}${abi}`;
	const cause = errors[0] === undefined ? "" : ` (${firstLine(errors[0].message)})`;
	return (
		`the native engine is missing${cause}, so commands are not guarded and pi's own tools stay; arguments are still repaired. ` +
		`Install the package ${name} beside pi-sluice (npm leaves it out with --omit=optional), or in a git clone run: npm run setup`
	);
}

function isMusl(): boolean {
	const header = (process.report?.getReport() as { header?: { glibcVersionRuntime?: string } } | undefined)?.header;
	return header?.glibcVersionRuntime === undefined;
}

function firstLine(text: string): string {
	return text.split("\n", 1)[0] ?? "";
}
