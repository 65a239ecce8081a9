import { visibleWidth } from "@earendil-works/pi-tui";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { splitBar } from "../../ts/pi/format/bar.ts";
import { formatBytes, formatCount, formatDuration, formatSeconds, percentSmaller, plural } from "../../ts/pi/format/numbers.ts";
import { clip, fit, flow } from "../../ts/pi/format/text.ts";
import { oneLine } from "../../ts/text/plain.ts";

describe("numbers", () => {
	it.each([
		[0, "0"],
		[999, "999"],
		[1000, "1,000"],
		[1_234_567, "1,234,567"],
	])("counts %d as %s", (value, text) => expect(formatCount(value)).toBe(text));

	it.each([
		[0, "0 B"],
		[1023, "1023 B"],
		[1024, "1 KiB"],
		[19 * 1024 + 300, "19 KiB"],
		[1536 * 1024, "1.5 MiB"],
		[1024 * 1024 - 1, "1 MiB"],
		[200 * 1024 ** 2, "200 MiB"],
		[3 * 1024 ** 4, "3 TiB"],
	])("sizes %d as %s", (value, text) => expect(formatBytes(value)).toBe(text));

	it.each([
		[0, "0ms"],
		[0.4, "1ms"],
		[33, "33ms"],
		[99.6, "0.1s"],
		[6500, "6.5s"],
		[90_000, "1m 30s"],
		[7_384_000, "2h 3m 4s"],
	])("durations: %d ms is %s", (value, text) => expect(formatDuration(value)).toBe(text));

	it("a clock ticks in whole seconds", () => {
		expect([0, 999, 1000, 59_999, 90_500, 7_384_999].map(formatSeconds)).toEqual(["0s", "0s", "1s", "59s", "1m 30s", "2h 3m 4s"]);
	});

	it("one is singular", () => expect([0, 1, 2, 1234].map((count) => plural(count, "line"))).toEqual(["0 lines", "1 line", "2 lines", "1,234 lines"]));

	it.each([
		[1000, 20, 98],
		[1000, 1, 99],
		[10, 10, 0],
		[10, 11, 0],
		[0, 0, 0],
		[5, 0, 100],
	])("%d to %d is %d%% smaller", (before, after, percent) => expect(percentSmaller(before, after)).toBe(percent));
});

describe("splitBar", () => {
	it("is proportional", () => {
		expect(splitBar([5000, 1500], 18)).toEqual([14, 4]);
		expect(splitBar([1, 1], 18)).toEqual([9, 9]);
		expect(splitBar([11_000, 3], 18)).toEqual([18, 0]);
		expect(splitBar([0, 0], 18)).toEqual([18, 0]);
	});

	it("always fills the width, and no part is more than one cell off", () => {
		fc.assert(
			fc.property(fc.array(fc.integer({ min: 0, max: 1e6 }), { minLength: 1, maxLength: 5 }), fc.integer({ min: 0, max: 200 }), (parts, width) => {
				const cells = splitBar(parts, width);
				expect(cells.reduce((sum, cell) => sum + cell, 0)).toBe(width);
				const total = parts.reduce((sum, part) => sum + part, 0);
				if (total > 0) cells.forEach((cell, i) => expect(Math.abs(cell - ((parts[i] ?? 0) / total) * width)).toBeLessThan(1));
			}),
		);
	});
});

describe("text", () => {
	it("makes one printable line", () => expect(oneLine(" a\n\tb\x1b[31mc\u202egnp.\ud800x\u{1f6e1}\x9b2J ")).toBe("a b [31mc gnp. x\u{1f6e1} 2J"));
	it("clips by code points", () => {
		expect(clip("🛡🛡🛡🛡", 3)).toBe("🛡🛡…");
		expect(clip("abc", 3)).toBe("abc");
	});
	it("fits cells, wide characters included", () => {
		expect(fit("abcdef", 4, visibleWidth)).toBe("abc…");
		expect(fit("漢字漢字", 5, visibleWidth)).toBe("漢字…");
		expect(fit("漢字漢字", 4, visibleWidth)).toBe("漢…");
		expect(fit("abcd", 4, visibleWidth)).toBe("abcd");
	});
	it("flows parts into lines without breaking them", () => {
		expect(flow(["aa", "bb", "cc"], 7, visibleWidth)).toEqual(["aa · bb", "cc"]);
		expect(flow(["long part", "b"], 4, visibleWidth)).toEqual(["long part", "b"]);
	});
});
