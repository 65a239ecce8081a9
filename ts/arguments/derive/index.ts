// Conversions that touch more than one field, or another one than the name says. They run after the plain ones.
import type { Conversion } from "../types.ts";
import { exclude, fileType } from "./globs.ts";
import { lastLine, range, skip, whole } from "./lines.ts";
import { directory, empty, lineEnd, view } from "./texts.ts";
import type { Derivation } from "./waiting.ts";

/** In the order in which they run. Every conversion that is not here is plain. */
export const DERIVATIONS: ReadonlyMap<Conversion, Derivation> = new Map<Conversion, Derivation>([
	["whole", whole],
	["range", range],
	["last-line", (call, waiting) => lastLine(call, waiting, 0)],
	["last-from-zero", (call, waiting) => lastLine(call, waiting, 1)],
	["skip", skip],
	["file-type", fileType],
	["exclude", exclude],
	["empty", empty],
	["line-end", lineEnd],
	["directory", directory],
	["head", (call, waiting) => view(call, waiting, "head")],
	["tail", (call, waiting) => view(call, waiting, "tail")],
]);
