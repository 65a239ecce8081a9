import * as v8 from "node:v8";
import { binding, native, type Binding } from "../native.ts";
import type { Totals } from "./limits.ts";

/** From this many code units on, counting in the engine is faster than in JavaScript (bench/truncate). */
const NATIVE_FROM = 16 * 1024;
/** Code units per step; two bytes each, so that a step stays in the second-level cache. */
const STEP = 128 * 1024;

// One-byte strings cross the boundary at half the cost. Before Node 22.15 there is no way to ask.
const isOneByte: ((text: string) => boolean) | undefined = v8.isStringOneByteRepresentation;

let scratch: { bytes: Buffer; units: Uint16Array } | undefined;

/** Lines and UTF-8 bytes of a text. A large string is copied in steps into a reused buffer and counted natively. */
export function totalsOf(text: string): Totals {
	if (text.length < NATIVE_FROM || !native.available) {
		return { lines: lineCount(countNewlines(text), text.endsWith("\n"), text.length), bytes: Buffer.byteLength(text, "utf-8") };
	}
	const engine = binding();
	let newlines = 0;
	let bytes = 0;
	const add = (count: Binding.TextCount) => {
		newlines += count.newlines;
		bytes += count.utf8Bytes;
	};
	scratch ??= makeScratch();
	const oneByte = isOneByte?.(text) ?? false;
	for (let at = 0; at < text.length; ) {
		let end = Math.min(at + STEP, text.length);
		if (!oneByte && end < text.length && isHighSurrogate(text.charCodeAt(end - 1))) end--;
		const part = text.slice(at, end);
		if (oneByte) {
			scratch.bytes.write(part, 0, "latin1");
			add(engine.countLatin1(scratch.bytes.subarray(0, part.length)));
		} else {
			scratch.bytes.write(part, 0, "utf16le");
			add(engine.countUtf16(scratch.units.subarray(0, part.length)));
		}
		at = end;
	}
	return { lines: lineCount(newlines, text.endsWith("\n"), text.length), bytes };
}

/** Lines and decoded UTF-8 bytes of a text given as bytes. */
export function totalsOfBytes(bytes: Uint8Array): Totals {
	const { newlines, utf8Bytes } = binding().countUtf8(bytes);
	return { lines: lineCount(newlines, bytes.at(-1) === 10, bytes.length), bytes: utf8Bytes };
}

/** Lines of a text with that many newlines: a last line without one counts. */
export function lineCount(newlines: number, endsWithNewline: boolean, length: number): number {
	return length === 0 || endsWithNewline ? newlines : newlines + 1;
}

function countNewlines(text: string): number {
	let count = 0;
	for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) count++;
	return count;
}

function makeScratch(): { bytes: Buffer; units: Uint16Array } {
	const memory = new ArrayBuffer(STEP * 2);
	return { bytes: Buffer.from(memory), units: new Uint16Array(memory) };
}

function isHighSurrogate(unit: number): boolean {
	return (unit & 0xfc00) === 0xd800;
}
