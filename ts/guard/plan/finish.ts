/** Whether this argv only reads and prints, and is cheap to run again. */
export function isReadOnly(argv: readonly string[]): boolean {
	return READ_ONLY.has(argv[0] ?? "");
}

const READ_ONLY = new Set("cat cd echo false find grep head ls printf pwd rg seq tail true wc yes".split(" "));
