import { SluiceError } from "../errors.ts";
import { isRecord } from "./types.ts";

const SHOWN = 60; // characters of a text in a message

/** Says that a call cannot be understood: what was received, and what to send. @throws SluiceError `INVALID_ARGUMENTS` */
export function refuse(tool: string, received: string, send: string): never {
	throw new SluiceError("INVALID_ARGUMENTS", `${tool} received ${received}; ${send}.`);
}

/** A value, short enough for a message. Costs the same for any size. */
export function show(value: unknown): string {
	if (typeof value === "string") {
		const text = JSON.stringify(value.length > SHOWN ? value.slice(0, SHOWN) : value);
		return value.length > SHOWN ? `${text}… (${value.length} characters)` : text;
	}
	if (Array.isArray(value)) {
		const isShort = value.length <= 4 && value.every((part) => typeof part === "number" || (typeof part === "string" && part.length < SHOWN / 4));
		return isShort ? JSON.stringify(value) : `a list of ${value.length}`;
	}
	if (isRecord(value)) {
		const keys = Object.keys(value);
		if (keys.length === 0) return "{}";
		return `an object with ${keys.slice(0, 4).map((key) => show(key)).join(", ")}${keys.length > 4 ? ", …" : ""}`;
	}
	return String(value);
}
