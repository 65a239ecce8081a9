import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { backoff, jittered } from "../src/backoff.js";

describe("backoff", () => {
	for (let attempt = 0; attempt < 40; attempt++) {
		it(`attempt ${attempt} doubles the one before, up to the cap`, () => {
			const expected = attempt === 0 ? 100 : Math.min(30_000, backoff(attempt - 1) * 2);
			assert.equal(backoff(attempt), expected);
		});
	}
	for (const attempt of [-1, 0.5, NaN, Infinity]) {
		it(`refuses attempt ${attempt}`, () => assert.throws(() => backoff(attempt), RangeError));
	}
});

describe("jittered backoff", () => {
	for (let attempt = 0; attempt < 40; attempt++) {
		it(`attempt ${attempt} stays between nothing and the whole delay`, () => {
			assert.equal(jittered(attempt, {}, () => 0), 0);
			assert.ok(jittered(attempt, {}, () => 0.999) < backoff(attempt));
		});
	}
});
