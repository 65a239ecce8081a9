// `node scripts/package/smoke.mjs DIR`: installs the tarballs of DIR that fit this machine into an empty project and uses them.
// `--published`: the same with what the registry has. Needs nothing but Node and npm: it runs where there is no checkout set up.
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const { version } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
const shell = process.platform === "win32";
const folder = mkdtempSync(join(tmpdir(), "sluice-smoke-"));

function run(command, args) {
	const { status, error } = spawnSync(command, args, { cwd: folder, stdio: "inherit", shell });
	if (error || status !== 0) {
		console.error(`smoke: ${command} ${args.join(" ")} failed${error ? `: ${error.message}` : ` with status ${status}`}`);
		process.exit(1);
	}
}

/** The main package and every platform's: npm itself must choose the one that fits. */
function tarballs(directory) {
	const names = readdirSync(directory).filter((name) => name.endsWith(".tgz"));
	const { platform, arch } = process;
	const libc = platform === "linux" ? (process.report.getReport().header.glibcVersionRuntime ? "-gnu" : "-musl") : "";
	const mine = names.filter((name) => name === `pi-sluice-${version}.tgz` || name.startsWith(`pi-sluice-${platform}-${arch}${libc}`));
	if (mine.length !== 2) {
		console.error(`smoke: expected two packages for ${platform}-${arch}${libc} in ${directory}, found ${mine.join(", ") || "none"} of ${names.join(", ")}`);
		process.exit(1);
	}
	return mine.map((name) => resolve(directory, name));
}

const specs = process.argv[2] === "--published" ? [`pi-sluice@${version}`] : tarballs(process.argv[2] ?? "packages");
writeFileSync(join(folder, "package.json"), JSON.stringify({ name: "smoke", version: "1.0.0", private: true, type: "module" }));
copyFileSync(fileURLToPath(new URL("consumer.mjs", import.meta.url)), join(folder, "consumer.mjs"));
run("npm", ["install", "--no-audit", "--no-fund", ...specs]);
run(process.execPath, ["consumer.mjs"]);
run(process.execPath, [join("node_modules", "pi-sluice", "dist", "cli", "main.js"), "doctor"]);
rmSync(folder, { recursive: true, force: true });
console.log("smoke: ok");
