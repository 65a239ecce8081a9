/**
 * Splits `width` cells in proportion to `parts` by largest remainders, so that the cells always add up to `width`.
 * All zero: everything goes to the first part.
 */
export function splitBar(parts: readonly number[], width: number): number[] {
	const total = parts.reduce((sum, part) => sum + part, 0);
	if (total <= 0) return parts.map((_, index) => (index === 0 ? width : 0));
	const exact = parts.map((part) => (part / total) * width);
	const cells = exact.map(Math.floor);
	const byRemainder = exact.map((value, index) => ({ index, rest: value - Math.floor(value) })).sort((a, b) => b.rest - a.rest);
	let missing = width - cells.reduce((sum, cell) => sum + cell, 0);
	for (const { index } of byRemainder) {
		if (missing === 0) break;
		cells[index] = (cells[index] ?? 0) + 1;
		missing -= 1;
	}
	return cells;
}
