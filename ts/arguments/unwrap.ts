import { meaningOf } from "./keys.ts";
import { looksStructured, parseJson } from "./lenient-json.ts";
import { type Arguments, isRecord, type Table } from "./types.ts";

/** How many wrappers are taken off. */
export const DEEPEST = 16;

/** Keys under which models repeat the arguments inside the arguments. */
const PAYLOAD = new Set([
	"arguments", "args", "input", "parameters", "params", "result", "kwargs", "properties", "payload",
	"tool_input", "toolInput", "tool_args", "toolArgs", "tool_arguments", "tool_parameters", "function_args", "arguments_json",
]);
/** Keys that name the tool in a repeated call. */
const NAME = new Set(["name", "tool", "tool_name", "toolName", "function", "function_name", "recipient_name", "action"]);
/** Other keys of a repeated call. */
const CALL = new Set(["type", "id", "call_id", "tool_call_id", "toolCallId", "index"]);
/** Keys that hold a whole call. */
const WHOLE = new Set(["function", "function_call", "tool_call", "toolCall", "tool_use"]);

/** The arguments inside all wrappers; what is no object is returned as it came. */
export function unwrap(tool: string, table: Table, args: unknown, changed: string[]): unknown {
	let inner = args;
	for (let depth = 0; depth < DEEPEST; depth++) {
		const next = peel(tool, table, inner);
		if (next === undefined) return inner;
		changed.push(next.what);
		inner = next.inner;
	}
	return inner;
}

interface Peeled {
	readonly inner: Arguments;
	readonly what: string;
}

function peel(tool: string, table: Table, outer: unknown): Peeled | undefined {
	if (typeof outer === "string") {
		const text = decodeTwice(outer);
		const inner = looksStructured(text) ? recordOf(parseJson(text)) : undefined;
		return inner && { inner, what: "JSON text → object" };
	}
	if (Array.isArray(outer) && outer.length === 1 && isRecord(outer[0])) return { inner: outer[0], what: "list of one object → object" };
	if (!isRecord(outer)) return undefined;
	const keys = Object.keys(outer);
	const [key = ""] = keys;
	return keys.length === 1 ? peelSingle(tool, table, key, outer[key]) : peelCall(tool, outer, keys);
}

/** `{"arguments": {…}}`, with any key that the tool does not know. */
function peelSingle(tool: string, table: Table, key: string, value: unknown): Peeled | undefined {
	const meaning = meaningOf(table, key, value);
	if (meaning?.is === "field" || meaning?.is === "part") return undefined;
	const isPayload = PAYLOAD.has(key) || WHOLE.has(key);
	const isPairs = meaning?.is === "row" && "to" in meaning.row && meaning.row.to === table.pairs?.field;
	if (meaning !== undefined && !isPayload && typeof value === "string") return undefined;
	const text = typeof value === "string" ? decodeTwice(value) : "";
	const inner = looksStructured(text) ? recordOf(parseJson(text)) : recordOf(isPairs ? value : onlyOf(value));
	if (inner === undefined) return undefined;
	// A call inside a call, or arguments of this tool.
	const callsThis = keysOfCall(tool, inner) !== undefined;
	const fits = callsThis || Object.keys(inner).some((name) => meaningOf(table, name, inner[name])?.is === "field");
	return fits || (isPayload && meaning === undefined) || (meaning === undefined && fitsByAlias(table, inner))
		? { inner, what: `${key} → unwrapped` }
		: undefined;
}

function fitsByAlias(table: Table, inner: Arguments): boolean {
	return Object.keys(inner).some((name) => meaningOf(table, name, inner[name]) !== undefined);
}

/** `{"name": "read", "arguments": {…}}`, if it is this tool that is named. */
function peelCall(tool: string, outer: Arguments, keys: readonly string[]): Peeled | undefined {
	const payload = keysOfCall(tool, outer);
	if (payload === undefined || keys.length < 2) return undefined;
	const value = outer[payload];
	const inner = recordOf(typeof value === "string" ? parseJson(decodeTwice(value)) : value);
	return inner && { inner, what: `name and ${payload} → unwrapped` };
}

/** The key that holds the arguments, if the object is a call of this tool. */
function keysOfCall(tool: string, call: Arguments): string | undefined {
	const keys = Object.keys(call);
	const payloads = keys.filter((key) => PAYLOAD.has(key) || (WHOLE.has(key) && isRecord(call[key])));
	const [payload] = payloads;
	const rest = keys.filter((key) => key !== payload);
	if (payload === undefined || payloads.length > 1 || !rest.every((key) => NAME.has(key) || CALL.has(key))) return undefined;
	const names = rest.filter((key) => NAME.has(key)).map((key) => call[key]);
	// A whole call inside names the tool itself.
	if (WHOLE.has(payload)) return names.length === 0 ? payload : undefined;
	return names.length === 1 && typeof names[0] === "string" && isNameOf(tool, names[0]) ? payload : undefined;
}

function isNameOf(tool: string, name: string): boolean {
	return name.trim().toLowerCase().replace(/^(?:functions|default_api|tools)[.:]/, "") === tool;
}

/** JSON text that was encoded as a JSON string once more, or twice. */
function decodeTwice(text: string): string {
	let inner = text;
	for (let depth = 0; depth < 3 && /^\s*"\s*(?:\{|\\)/.test(inner); depth++) {
		const decoded = parseJson(inner);
		if (typeof decoded !== "string") return text;
		inner = decoded;
	}
	return inner;
}

/** The entry of a list of one. */
function onlyOf(value: unknown): unknown {
	return Array.isArray(value) && value.length === 1 ? value[0] : value;
}

function recordOf(value: unknown): Arguments | undefined {
	return isRecord(value) ? value : undefined;
}
