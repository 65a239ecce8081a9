// Deterministic data: the same seed gives the same bytes, on every machine.
import { closeSync, existsSync, mkdirSync, openSync, renameSync, statSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Where data is kept between runs. */
export const FOLDER = process.env.BENCH_DATA ?? join(tmpdir(), "sluice-bench");
/** How a host spills output, and so how large the pieces are in which the kernel caches a file. */
const PIECE = 64 * 1024;

/** A seeded generator (xorshift32): `next(n)` is an integer below n. */
export function random(seed) {
	let state = seed >>> 0 || 1;
	return function next(below) {
		state ^= state << 13;
		state ^= state >>> 17;
		state ^= state << 5;
		return (state >>> 0) % below;
	};
}

const NAMES = `account alert archive asset backup badge banner basket batch billing branch bridge browser bucket cache
calendar canvas catalog channel checkout cluster column comment contact container cookie counter coupon customer dashboard
dataset device dialog domain editor email engine event export feature feed field folder format frame gateway graph group
header image import index input invoice job kernel label layout ledger library license link list locale loader lock
login manager market media member menu message metric migration model module monitor network notice object order owner
package page panel parser payment pipeline plugin policy portal preview price printer profile project prompt proxy queue
quota record region registry release report request resource response result review role router rule schema scope script
search section selector server service session setting shader shape sheet shipping sidebar signal snapshot socket source
stage state status step storage stream style summary support switch symbol system table target task team template tenant
theme thread ticket timer token tooltip topic trace tracker transfer trigger tunnel update upload user vault vendor
version video view volume wallet watcher webhook widget window worker wrapper zone`.split(/\s+/);
const FOREIGN = ["fertig: größer als erwartet", "完了しました", "готово без ошибок", "terminé ✓", "构建 成功", "🚀 listo"];
const TYPES = ["ts", "tsx", "rs", "py", "go", "mjs", "c"];

/** Lines of a test and build log: about 85 bytes each, FAIL in 1 of 10,000, ERROR in 1 of 5,000, 9 % with colours. */
function* logLines(seed) {
	const next = random(seed);
	const name = () => NAMES[next(NAMES.length)];
	const path = () => `src/${name()}/${name()}_${name()}.${TYPES[next(TYPES.length)]}`;
	let clock = 0;
	let test = 0;
	const time = () => {
		clock += next(12);
		const part = (value, width) => String(value).padStart(width, "0");
		const seconds = Math.floor(clock / 1000);
		const hour = part(Math.floor(seconds / 3600) % 24, 2);
		return `2026-05-04T${hour}:${part(Math.floor(seconds / 60) % 60, 2)}:${part(seconds % 60, 2)}.${part(clock % 1000, 3)}Z`;
	};
	for (;;) {
		const kind = next(100_000);
		if (kind < 10) {
			yield `FAIL ${path().replace(/\.\w+$/, ".test.ts")} > ${name()} ${name()} > expected ${next(99)} to be ${next(99)}`;
			for (let i = 0; i < 3; i++) yield `    at ${name()}.${name()} (${path()}:${next(900)}:${next(80)})`;
		} else if (kind < 30) yield `${time()} [ERROR] ${name()}-${name()}: connection reset while reading ${path()} (attempt ${next(5)})`;
		else if (kind < 63) yield `${time()} [WARN] ${name()} retry failed for ${path()}, ${next(40)} failures so far`;
		else if (kind < 65) yield `${time()} [DEBUG] {${Array.from({ length: 40 + next(300) }, () => `"${name()}":${next(1e9)}`).join(",")}}`;
		else if (kind < 6_000) yield `${time()} [WARN] node_modules/@scope/${name()}-${name()}/dist/${name()}.js: deprecated ${name()}() call`;
		else if (kind < 15_000) yield `\x1b[32m✓\x1b[39m ${path()} \x1b[2m>\x1b[22m ${name()} ${name()} \x1b[33m${next(400)}ms\x1b[39m`;
		else if (kind < 19_000) yield `${time()} [INFO] ${name()}: ${FOREIGN[next(FOREIGN.length)]} (${path()})`;
		else if (kind < 40_000) yield `ok ${++test} - ${name()} ${name()} > ${name()} handles ${name()} ${name()} in ${path()} (${next(300)} ms)`;
		else if (kind < 50_000) yield `[${next(4000)}/4000] CXX obj/${name()}/${name()}/${name()}_${name()}.o -DNDEBUG -O2 -I${name()}/include`;
		else if (kind < 60_000) yield `   Compiling ${name()}-${name()} v${next(9)}.${next(40)}.${next(20)} (/build/crates/${name()}-${name()})`;
		else if (kind < 75_000) yield ` PASS ${path()} (${next(900)} ms)`;
		else yield `${time()} [INFO] ${name()}-${next(64)} compiled ${path()} (${next(900)} ms, ${next(90_000)} B)`;
	}
}

function write(path, bytes, pieces) {
	mkdirSync(FOLDER, { recursive: true });
	const part = `${path}.part`;
	const fd = openSync(part, "w");
	let held = [];
	let size = 0;
	let total = 0;
	const flush = (least) => {
		let all = Buffer.concat(held);
		while (all.length >= least && all.length > 0) {
			const piece = all.subarray(0, PIECE);
			writeSync(fd, piece);
			all = all.subarray(piece.length);
		}
		held = [all];
		size = all.length;
	};
	for (const piece of pieces) {
		if (total >= bytes) break;
		const encoded = Buffer.from(piece);
		held.push(encoded);
		size += encoded.length;
		total += encoded.length;
		if (size > 64 * PIECE) flush(PIECE);
	}
	flush(1);
	closeSync(fd);
	renameSync(part, path);
}

function* batches(seed) {
	let batch = [];
	for (const line of logLines(seed)) {
		batch.push(line, "\n");
		if (batch.length >= 2_000) {
			yield batch.join("");
			batch = [];
		}
	}
}

/** A log of about `megabytes` MB (10^6 bytes), made once. Returns its path. */
export function logFile(megabytes) {
	const path = join(FOLDER, `log-${megabytes}m.log`);
	if (!existsSync(path)) write(path, megabytes * 1e6, batches(20_260_504));
	return path;
}

/** One line of JSON of about `megabytes` MB, made once. Returns its path. */
export function lineFile(megabytes) {
	const path = join(FOLDER, `line-${megabytes}m.json`);
	if (!existsSync(path)) {
		const next = random(7);
		const items = function* () {
			yield "[";
			for (;;) yield Array.from({ length: 500 }, () => `{"id":${next(1e9)},"name":"${NAMES[next(NAMES.length)]}"},`).join("");
		};
		write(path, megabytes * 1e6, items());
	}
	return path;
}

/** The first `bytes` of log text. */
export function logText(bytes) {
	const lines = [];
	let size = 0;
	for (const line of logLines(11)) {
		// Denser than the file, so that a small text has matches too.
		const dense = lines.length % 50 === 17 ? `FAIL ${line}` : line;
		lines.push(dense);
		size += Buffer.byteLength(dense) + 1;
		if (size >= bytes) return `${lines.join("\n")}\n`;
	}
	return "";
}

/** Bytes of a file. */
export const sizeOf = (path) => statSync(path).size;
