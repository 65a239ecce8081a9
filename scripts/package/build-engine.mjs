// `npm run build:engine -- <triple>`: a release build of the engine into artifacts/, as it is published. Linux targets are
// linked by zig against an old C library (glibc 2.17, or musl), so that it does not matter what this machine has.
import { copyFileSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { env, run } from "../setup.mjs";
import { GLIBC_FLOOR } from "./check-binary.mjs";
import { root, targets } from "./targets.mjs";

const triple = process.argv[2];
const target = targets().find((each) => each.triple === triple);
if (!target) {
	console.error(`usage: npm run build:engine -- <${targets().map((each) => each.triple).join(" | ")}>`);
	process.exit(2);
}

const output = join(root, "artifacts");
const linux = target.os === "linux";
const cargoTarget = target.libc === "glibc" ? `${triple}.${GLIBC_FLOOR}` : triple;
const args = [linux ? "zigbuild" : "build", "--release", "--locked", "--package", "sluice-napi", "--target", cargoTarget];
// A module for a musl Node must share Node's own C library.
const flags = target.libc === "musl" ? { RUSTFLAGS: `${env.RUSTFLAGS ?? ""} -C target-feature=-crt-static`.trim() } : {};
run("cargo", args, { env: { ...env, MACOSX_DEPLOYMENT_TARGET: "10.13", ...flags } });

const library = { linux: "libsluice_napi.so", darwin: "libsluice_napi.dylib", win32: "sluice_napi.dll" }[target.os];
const built = join(root, "target", triple, "release", library);
const file = join(output, target.file);
mkdirSync(output, { recursive: true });
rmSync(file, { force: true });
copyFileSync(built, file);
run(process.execPath, [join(root, "scripts/package/check-binary.mjs"), file]);
