// Calls every export of the engine with values of every kind; argv: the engine, the number of calls, a seed, a folder.
// Prints the number of calls. A call may throw or reject: with an Error. It may not end the process.
import { createRequire } from "node:module";
import { join } from "node:path";

const [, , path, calls, seed, folder] = process.argv;
const engine = createRequire(import.meta.url)(path);
let state = Number(seed) >>> 0;
const random = (n) => {
	state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
	return Math.floor((state / 2 ** 32) * n);
};
const pick = (list) => list[random(list.length)];

const numbers = [0, -0, 1, -1, 0.5, 3, 100, 2 ** 31, -(2 ** 31), 2 ** 32, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 1e308, -1e308, Number.MIN_VALUE, Infinity, -Infinity, NaN];
const strings = ["", "a", "file", "\0", "a\0b", "\ud800", "\u202e", "x".repeat(100_000), "(".repeat(10_000), "a".repeat(10) + "*".repeat(50_000), "[", "\\", "*", "**/*", "../..", "/", "/proc/self/mem", "/dev/zero", "/nonexistent", "head -3", "tail -n +2", "tail -c 99999999999999999999", "head -n -99999999999999999999", "head -n 18446744073709551615 | tail -n 1", "grep -A 18446744073709551615 a", "grep -m -1 a", "grep a | tail -5", "rg a", "stop", "run-on", "auto", "never", "always", "inherit", "null", "stdout", "other", "0123456789abcdef", "abcdefgh"];
const paths = () => pick([join(folder, "file"), join(folder, "empty"), join(folder, "nul"), join(folder, "fifo"), join(folder, "sparse"), folder, join(folder, "link"), "/proc/self/status", "/dev/null", ...strings]);
const bytes = () => pick([Buffer.alloc(0), Buffer.from("a\nb\nc"), Buffer.from([0, 255, 10, 128]), Buffer.alloc(200_000, 10), new Uint8Array(new SharedArrayBuffer(8)), new Uint8Array([97])]);
const junk = () => pick([undefined, null, true, false, 1n, Symbol("s"), {}, [], () => {}, new Date(), new Proxy({}, {}), Object.create(null), new Map(), /x/, new Uint16Array([0xd800, 10]), new Float64Array(3), new ArrayBuffer(8), new DataView(new ArrayBuffer(8)), Promise.resolve(), globalThis, { get path() { throw new Error("getter"); } }, ...numbers, ...strings]);
const object = (fields) => Object.fromEntries(Object.entries(fields).filter(() => random(30) > 0).map(([key, make]) => [key, random(25) === 0 ? junk() : make()]));
const env = () => object({ lcAll: () => pick(["C", "en_US.UTF-8", "C.UTF-8", "", "x"]), lang: () => pick(["C", ""]), grepColors: () => pick(["", "ms=01;31", "\x1b", "mt=:::ne=rv"]) });
const bool = () => random(2) === 0;
const number = () => pick(numbers);
const text = () => pick(strings);
const windows = () => Array.from({ length: random(3) }, () => object({ views: text, names: () => [text()], finish: () => pick(["stop", "run-on"]), stopVisible: bool, stderr: () => pick(["inherit", "null", "stdout", "other"]) }));
const capture = () => object({ nonce: () => pick(["abcdefgh1234", text()]), windows, logDir: paths, logId: () => pick(["0123456789abcdef", text()]), keepLog: () => pick(["auto", "always", "never"]), logMemoryBytes: number, logMemoryLines: number, slowMs: number, finishBytes: number, finishMs: number, maxOutputBytes: number });
const request = () => object({ pattern: text, path: paths, glob: text, ignoreCase: bool, literal: bool, context: number, limit: number, maxLineLength: number, hidden: bool, ignoreFiles: bool });
const selection = () => object({ start: number, limit: number, maxLines: number, maxBytes: () => Math.min(number(), 1e7) });
const fileOptions = () => object({ env, collect: bool, onOutput: () => () => {} });
const valid = (make, fallback) => {
	try {
		return make();
	} catch {
		return fallback();
	}
};
const pipeline = () => valid(() => engine.Pipeline.parse(pick(["head -3", "tail -2", "grep -c a", text()])), () => engine.Pipeline.parse("tail -1"));
const soon = () => {
	const token = new engine.Cancellation();
	setTimeout(() => token.cancel(), 200).unref();
	return token;
};
const kinds = {
	countUtf8: [bytes], countLatin1: [bytes], countUtf16: [() => new Uint16Array([0xd800, 10, 0xdc00])],
	readFileEnd: [paths, bool, () => Math.min(number(), 1e7), soon], readLineWindow: [paths, selection, soon],
	findPaths: [request, soon], grep: [request, soon], grepContents: [request, () => [text()], () => [bytes()], soon],
	listDirectory: [paths, soon], projectFile: [paths, pipeline, fileOptions, () => new engine.ReadProgress(), soon],
	projectNow: [pipeline, env, bytes], purgeLogs: [() => pick(["/nonexistent", folder, "\0"]), number], version: [],
	"Pipeline.parse": [text], "Projector.create": [pipeline, env], "Capture.create": [capture, () => () => {}],
};
const functions = Object.keys(engine).filter((name) => typeof engine[name] === "function" && !/^[A-Z]/.test(name));
const unknown = functions.filter((name) => !(name in kinds));
if (unknown.length > 0) throw new Error(`no arguments for ${unknown}`);
const targets = Object.keys(kinds);

let pending = [];
let done = 0;
for (let n = 0; n < Number(calls); n++) {
	const name = pick(targets);
	const [owner, method] = name.includes(".") ? name.split(".") : [undefined, name];
	const makers = kinds[name];
	const args = makers.slice(0, random(15) === 0 ? random(makers.length + 1) : makers.length).map((make) => (random(20) === 0 ? junk() : make()));
	try {
		const result = owner ? engine[owner][method](...args) : engine[method](...args);
		if (result instanceof Promise) pending.push(result.then(() => {}, check));
		else use(result);
	} catch (error) {
		check(error);
	}
	done++;
	if (pending.length >= 16) {
		await Promise.all(pending);
		pending = [];
	}
}
await Promise.all(pending);
console.log(done);
process.exit(0);

function check(error) {
	if (!(error instanceof Error)) throw new Error(`not an Error: ${String(error)}`);
	if (error.code === "PANIC") throw new Error(`a panic: ${error.message}`);
}

/** Objects are used with garbage too. */
function use(object) {
	if (object instanceof engine.Projector) {
		for (let n = random(4); n > 0; n--) {
			try {
				pick([() => object.push(random(5) ? bytes() : junk()), () => object.satisfied, () => object.finish(), () => void pending.push(object.pushLater(bytes()).catch(check))])();
			} catch (error) {
				check(error);
			}
		}
	} else if (object instanceof engine.Capture) {
		for (let n = random(4); n > 0; n--) {
			try {
				pick([() => object.fds, () => object.exited(), () => object.stop(), () => object.close(), () => object.start()])();
			} catch (error) {
				check(error);
			}
		}
		object.stop();
		object.close();
	}
}
