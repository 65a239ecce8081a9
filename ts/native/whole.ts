import { closeSync, fstatSync, openSync, readSync } from "node:fs";

const ELF = 0x7f454c46;

/**
 * Throws if a 64-bit ELF library is shorter than its own header says: what a full disk or a broken download leaves. The
 * linker would map it and the process die of SIGBUS. The loaders of other systems check that themselves. Some 50 µs.
 */
export function assertWhole(path: string): void {
	const file = openSync(path, "r");
	try {
		const header = Buffer.alloc(64);
		readSync(file, header);
		const [wide, littleEndian] = [header[4] === 2, header[5] === 1];
		if (header.readUInt32BE(0) !== ELF || !wide || !littleEndian) return;
		// The table of sections is the last thing in the file: where it starts, the size of a row, the number of rows.
		const end = Number(header.readBigUInt64LE(0x28)) + header.readUInt16LE(0x3a) * header.readUInt16LE(0x3c);
		const { size } = fstatSync(file);
		if (size < end) throw new Error(`${path}: the file is cut off: ${size} of ${end} bytes`);
	} finally {
		closeSync(file);
	}
}
