// dist/index.js: the library's exports, each of which loads its part of the library when it is first used. An import of
// the package costs a millisecond or two that way, and a program pays for the parser or the diff only if it needs them.
import { createRequire } from "node:module";
import { readFileSync } from "node:fs";
import { basename, join, posix } from "node:path";
import { root } from "./targets.mjs";

const STATEMENT = /export (type )?\{([^}]*)\} from "([^"]+)";/g;

/** The values that an index of re-exports exports: source → names. Types are left out. */
export function exportsOf(index) {
	const text = readFileSync(join(root, index), "utf8");
	const rest = text.replace(STATEMENT, "").trim();
	if (rest !== "") throw new Error(`${index} has more than re-exports: ${rest}`);
	const found = new Map();
	for (const [, type, list, from] of text.matchAll(STATEMENT)) {
		const names = type ? [] : list.split(",").map((name) => name.trim()).filter((name) => name !== "" && !name.startsWith("type "));
		const path = posix.join(posix.dirname(index), from);
		if (names.length > 0) found.set(path, [...(found.get(path) ?? []), ...names]);
	}
	return found;
}

/** The text of the facade. `fileOf` has the built CommonJS file of each source, in the facade's folder. */
export function facade(exported, fileOf) {
	const require = createRequire(import.meta.url);
	const lines = ['import { createRequire } from "node:module";', "const require = createRequire(import.meta.url);"];
	let parts = 0;
	for (const [path, names] of exported) {
		const values = require(fileOf(path));
		const part = `part${++parts}`;
		lines.push(`let loaded${parts}; const ${part} = () => (loaded${parts} ??= require("./${basename(fileOf(path))}"));`);
		for (const name of names) lines.push(exportOf(name, values[name], `${part}()`));
	}
	return `${lines.join("\n")}\n`;
}

function exportOf(name, value, part) {
	if (typeof value === "string" || typeof value === "number") return `export const ${name} = ${JSON.stringify(value)};`;
	// A class is compared by identity (instanceof): it cannot be wrapped.
	if (typeof value === "function" && /^class\b/.test(String(value))) return `export const ${name} = ${part}.${name};`;
	if (typeof value === "function") return `export function ${name}(...args) { return ${part}.${name}(...args); }`;
	if (typeof value === "object" && Object.getPrototypeOf(value) === Object.prototype) {
		const getters = Object.keys(value).map((key) => `get ${key}() { return ${part}.${name}.${key}; }`);
		return `export const ${name} = { ${getters.join(", ")} };`;
	}
	throw new Error(`do not know how to export ${name}`);
}
