import { gateReason } from "./gates.ts";
import { parseChecked } from "./parse.ts";
import { textReason } from "./text.ts";
import type { PassReason } from "./types.ts";

/** Turns aliases on, which is no reason here: behind a prefix the shell is asked what each view's name leads to. */
const ALIASES_ON = /\bshopt[ \t]+-s[ \t]+expand_aliases\b/g;

/** Why commands that a host puts behind this text must run as they are, or `undefined`: what it sets would show the rewrite. */
export function prefixReason(prefix: string): PassReason | undefined {
	const text = prefix.replaceAll(ALIASES_ON, ":");
	const refused = textReason(text);
	if (refused !== undefined) return refused;
	const checked = parseChecked(text);
	return typeof checked === "string" ? checked : gateReason(checked);
}
