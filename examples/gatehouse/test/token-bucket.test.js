import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { TokenBucket } from "../src/token-bucket.js";

describe("TokenBucket with a set clock", () => {
	for (let capacity = 1; capacity <= 30; capacity++) {
		it(`holds ${capacity} and gives no more`, () => {
			const bucket = new TokenBucket({ capacity, perSecond: 1, now: () => 0 });
			for (let taken = 0; taken < capacity; taken++) assert.ok(bucket.take());
			assert.ok(!bucket.take());
			assert.equal(bucket.waitFor(), 1000);
		});
	}
	for (const bad of [0, -1, NaN]) {
		it(`refuses a capacity of ${bad}`, () => assert.throws(() => new TokenBucket({ capacity: bad, perSecond: 1 }), RangeError));
		it(`refuses a rate of ${bad}`, () => assert.throws(() => new TokenBucket({ capacity: 1, perSecond: bad }), RangeError));
	}
	it("never gives more than it holds", () => {
		assert.equal(new TokenBucket({ capacity: 2, perSecond: 1, now: () => 0 }).waitFor(3), Infinity);
	});
});

describe("TokenBucket on the real clock", () => {
	for (let round = 1; round <= 6; round++) {
		it(`has refilled after a tenth of a second, round ${round}`, async () => {
			const bucket = new TokenBucket({ capacity: 10, perSecond: 100 });
			assert.ok(bucket.take(10));
			await sleep(110);
			assert.ok(bucket.available > 9.5);
		});
	}
});
