import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { formatRetryAfter, parseRetryAfter } from "../src/retry-after.js";

const NOW = Date.UTC(2026, 0, 1);

describe("parseRetryAfter", () => {
	for (let seconds = 0; seconds < 60; seconds++) {
		it(`reads ${seconds} seconds`, () => assert.equal(parseRetryAfter(` ${seconds} `, NOW), seconds * 1000));
	}
	it("reads an HTTP date", () => assert.equal(parseRetryAfter(new Date(NOW + 90_000).toUTCString(), NOW), 90_000));
	it("takes a date in the past for now", () => assert.equal(parseRetryAfter(new Date(NOW - 90_000).toUTCString(), NOW), 0));
	it("has no answer to nonsense", () => assert.equal(parseRetryAfter("soon", NOW), undefined));
});

describe("formatRetryAfter", () => {
	for (let ms = 0; ms < 3000; ms += 100) {
		it(`rounds ${ms} ms up to whole seconds`, () => assert.equal(formatRetryAfter(ms), String(Math.ceil(ms / 1000))));
	}
});
