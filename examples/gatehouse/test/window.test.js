import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { SlidingWindow } from "../src/window.js";

describe("SlidingWindow with a set clock", () => {
	for (let limit = 1; limit <= 30; limit++) {
		it(`lets ${limit} through, then none until the window has passed`, () => {
			let time = 0;
			const window = new SlidingWindow({ limit, ms: 1000, now: () => time });
			for (let hit = 0; hit < limit; hit++) assert.ok(window.hit());
			assert.ok(!window.hit());
			time = 1001;
			assert.ok(window.hit());
		});
	}
});

describe("SlidingWindow on the real clock", () => {
	for (let round = 1; round <= 6; round++) {
		it(`is empty again after round ${round}`, async () => {
			const window = new SlidingWindow({ limit: 3, ms: 1900 });
			while (window.hit());
			assert.equal(window.count, 3);
			await sleep(1950);
			assert.equal(window.count, 0);
		});
	}
});
