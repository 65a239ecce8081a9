const SIGNATURES: readonly (readonly [mimeType: string, test: (start: Buffer) => boolean])[] = [
	["image/jpeg", (start) => start.subarray(0, 3).equals(Buffer.from([0xff, 0xd8, 0xff]))],
	["image/png", (start) => start.subarray(0, 8).equals(Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))],
	["image/gif", (start) => /^GIF8[79]a/.test(start.toString("latin1"))],
	["image/webp", (start) => /^RIFF[^]{4}WEBP/.test(start.toString("latin1"))],
	["image/bmp", (start) => start.toString("latin1", 0, 2) === "BM"],
];

/** The type of image that a file may be, going by its first 16 bytes; a text may begin with `BM`, too. */
export function imageSignature(start: Uint8Array): string | undefined {
	const bytes = Buffer.from(start.buffer, start.byteOffset, start.byteLength);
	return SIGNATURES.find(([, test]) => test(bytes))?.[0];
}
