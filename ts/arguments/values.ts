// The repairs of a value by what its field holds. Each leaves alone what it does not understand: the validator speaks then.
import type { Call } from "./call.ts";
import { commandOfList } from "./command.ts";
import { cleanGlob, oneGlob, slashed } from "./globs.ts";
import { meaningOf } from "./keys.ts";
import { parseJson } from "./lenient-json.ts";
import { integerOf } from "./lines.ts";
import { cleanPath, holdsCallFormat } from "./paths.ts";
import { refuse, show } from "./refuse.ts";
import { holdsFences, insideFence, isJsonFile, textOfList } from "./text.ts";
import { type Field, isRecord, type Kind } from "./types.ts";

/** Repairs one value. `key` is the name under which it came. @throws SluiceError `INVALID_ARGUMENTS` */
export function repair(call: Call, field: Field, key: string, value: unknown): unknown {
	const at = { call, field, key };
	let repaired = REPAIRS[field.kind](value, at);
	// What was in a list or an object may need a repair of its own.
	for (let held = value; repaired !== held && typeof held === "object"; ) {
		held = repaired;
		repaired = REPAIRS[field.kind](held, at);
	}
	return repaired;
}

/** Whether a value says that there is none: null, and for a field that may be absent the empty text. */
export function isOmitted(field: Field, value: unknown): boolean {
	if (value === null) return true;
	if (value === -1) return field.kind === "count" || field.kind === "line"; // "all of them", "not set"
	if (Array.isArray(value)) return value.length === 0 && field.required !== true && (field.kind === "path" || field.kind === "glob");
	if (typeof value !== "string" || value.length > 9) return false;
	if (value === "") return field.required !== true || field.kind === "path";
	return NUMBERS.has(field.kind) && /^\s*(?:null|none|undefined|)\s*$/i.test(value);
}

const LONGEST_NUMBER = 40; // characters

const NUMBERS: ReadonlySet<Kind> = new Set(["line", "count", "seconds", "flag"]);

interface At {
	readonly call: Call;
	readonly field: Field;
	readonly key: string;
}

const REPAIRS: Readonly<Record<Kind, (value: unknown, at: At) => unknown>> = {
	path: (value, at) => {
		const path = only(value, at, "send one path, and one call for each");
		if (typeof path === "boolean") refuseAt(at, String(path), at.field.send ?? "send a path");
		if (typeof path !== "string") return path;
		const clean = cleanPath(path);
		if (holdsCallFormat(clean)) refuseAt(at, show(path), "which holds parts of the call format; send the path alone");
		return clean;
	},
	text,
	pattern: (value, at) => {
		const pattern = only(value, at, "send one pattern, in which a|b matches either");
		if (pattern === "" && at.field.filled !== undefined) refuseAt(at, '""', at.field.filled);
		return pattern;
	},
	glob: (value, at) => {
		const glob = globOf(value, at);
		return typeof glob === "string" ? slashed(cleanGlob(glob)) : glob;
	},
	command,
	flag: (value) => {
		if (value === 0 || value === 1) return value === 1;
		const text = typeof value === "string" ? value.trim().toLowerCase() : "";
		return text === "true" ? true : text === "false" ? false : value;
	},
	line: (value) => integerOf(value) ?? value,
	count: (value) => integerOf(value) ?? value,
	seconds: (value) => {
		if (typeof value !== "string" || value.length > LONGEST_NUMBER) return value;
		const match = /^\s*\+?(\d+(?:\.\d+)?)\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?)?\s*$/i.exec(value);
		if (match === null) return value;
		const unit = match[2]?.toLowerCase() ?? "s";
		return Number(match[1]) * (unit.startsWith("ms") || unit.startsWith("milli") ? 0.001 : unit.startsWith("m") ? 60 : 1);
	},
	pairs: (value) => value,
};

function command(value: unknown, at: At): unknown {
	// An unquoted closing tag at the end is no shell syntax.
	let line = typeof value === "string" && value.endsWith("</arg_value>") ? value.slice(0, -12) : inner(value, at);
	for (;;) {
		const list: unknown = typeof line === "string" && /^\s*[[{]\s*"/.test(line) ? parseJson(line) : line;
		// No command line is valid JSON: it is one that was encoded twice.
		const held = inner(list, at);
		if (held !== list) line = held;
		else if (!Array.isArray(list) || list.length === 0) return line;
		else line = commandOfList(list) ?? refuseAt(at, show(value), "send one string, as it would be typed in the shell");
	}
}

function text(value: unknown, at: At): unknown {
	const { call, field, key } = at;
	const path = call.values.get("path");
	if (typeof value === "string") {
		const inside = field.file === true && !holdsFences(path) ? insideFence(value) : undefined;
		if (inside === undefined) return value;
		call.changed.push(`${call.where}${key}: code fence taken off`);
		return inside;
	}
	if (typeof value !== "object" || value === null) return value;
	const joined = textOfList(Array.isArray(value) ? value : [value]);
	const isJson = field.file === true && isJsonFile(path);
	if (joined !== undefined && !isJson) return joined;
	if (joined === undefined && isJson) return jsonOf(value, at);
	return refuseAt(at, show(value), "send it as one string, exactly as it is in the file");
}

function jsonOf(value: object, at: At): string {
	try {
		return JSON.stringify(value, null, 2);
	} catch {
		return refuseAt(at, "an object that is nested too deeply", "send it as one string");
	}
}

function globOf(value: unknown, at: At): unknown {
	if (!Array.isArray(value)) return inner(value, at);
	if (value.length === 0 || !value.every((part) => typeof part === "string")) return value;
	const glob = oneGlob(value.map((part) => cleanGlob(part)));
	return glob ?? refuseAt(at, show(value), "send one glob, for example {*.ts,*.tsx}");
}

/** The entry of a list of one; a longer list is refused. */
function only(value: unknown, at: At, send: string): unknown {
	if (!Array.isArray(value) || value.length === 0) return inner(value, at);
	return value.length === 1 ? inner(value[0], at) : refuseAt(at, show(value), send);
}

/** The text inside an object that repeats the field: `{"path": {"path": "a"}}`. */
function inner(value: unknown, { call, field }: At): unknown {
	if (!isRecord(value)) return value;
	const [key = "", ...more] = Object.keys(value);
	if (more.length > 0 || typeof value[key] !== "string") return value;
	const meaning = meaningOf(call.table, key, value[key]);
	const name = meaning?.is === "field" ? meaning.name : meaning?.is === "row" && "to" in meaning.row && meaning.row.as === undefined ? meaning.row.to : "";
	return call.table.fields[name] === field ? value[key] : value;
}

function refuseAt({ call, key }: At, received: string, send: string): never {
	return refuse(call.tool, `${call.where}${key} ${received}`, send);
}
