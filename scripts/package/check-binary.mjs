// `node scripts/package/check-binary.mjs FILE…`: an engine as it may be published. Size on every platform; for Linux also the
// newest glibc symbol, the libraries it needs, and that it is stripped (with readelf of binutils).
import { execFileSync } from "node:child_process";
import { statSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";

/** The newest glibc that a gnu engine may ask for (CentOS 7, Debian 8, Ubuntu 14.04 have it). */
export const GLIBC_FLOOR = "2.17";
/** The largest stripped engine, in bytes. */
export const SIZE_LIMIT = 4 * 1024 * 1024;

/** Parts of the C library and of the compiler's runtime; everything else would have to be installed first. */
const ALLOWED = {
	gnu: /^(libc\.so\.6|libm\.so\.6|libdl\.so\.2|libpthread\.so\.0|librt\.so\.1|libgcc_s\.so\.1|ld-linux-(x86-64\.so\.2|aarch64\.so\.1))$/,
	musl: /^(libc\.so|libc\.musl-(x86_64|aarch64)\.so\.1|libgcc_s\.so\.1)$/,
};

/** What is wrong with the engine, one sentence each; and its measurements. */
export function inspect(file) {
	const size = statSync(file).size;
	const problems = size > SIZE_LIMIT ? [`it has ${size} bytes; the limit is ${SIZE_LIMIT}`] : [];
	const abi = /linux-\w+-(gnu|musl)\.node$/.exec(basename(file))?.[1];
	if (!abi) return { size, problems };

	const needed = [...readelf("--dynamic", file).matchAll(/\(NEEDED\).*\[(.+)\]/g)].map(([, name]) => name);
	for (const name of needed) if (!ALLOWED[abi].test(name)) problems.push(`it needs ${name}`);
	const versions = [...new Set([...readelf("--version-info", file).matchAll(/\bGLIBC_(\d+(?:\.\d+)+)/g)].map(([, version]) => version))].sort(compare);
	const glibc = versions.at(-1);
	if (abi === "gnu" && glibc && compare(glibc, GLIBC_FLOOR) > 0) problems.push(`it asks for glibc ${glibc}; the floor is ${GLIBC_FLOOR}`);
	if (abi === "musl" && glibc) problems.push(`it asks for glibc ${glibc}, but is for musl`);
	if (/\.symtab/.test(readelf("--section-headers", file))) problems.push("it is not stripped");
	return { size, glibc, needed, problems };
}

function readelf(option, file) {
	return execFileSync("readelf", ["--wide", option, file], { encoding: "utf8", env: { ...process.env, LC_ALL: "C" }, maxBuffer: 64 << 20 });
}

/** Orders dotted version numbers. */
export function compare(a, b) {
	const [left, right] = [a, b].map((version) => version.split(".").map(Number));
	for (let index = 0; index < Math.max(left.length, right.length); index++) {
		const difference = (left[index] ?? 0) - (right[index] ?? 0);
		if (difference !== 0) return difference;
	}
	return 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	const files = process.argv.slice(2);
	if (files.length === 0) {
		console.error("usage: node scripts/package/check-binary.mjs FILE…");
		process.exit(2);
	}
	for (const file of files) {
		const { size, glibc, needed, problems } = inspect(file);
		console.log(`${file}: ${size} bytes${glibc ? `, glibc ${glibc}` : ""}${needed ? `, needs ${needed.join(" ")}` : ""}`);
		for (const problem of problems) console.error(`${file}: ${problem}`);
		if (problems.length > 0) process.exitCode = 1;
	}
}
