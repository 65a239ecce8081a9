// A copy of this checkout, for tests that change or pack it.
import { execFileSync, spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const ROOT: string = fileURLToPath(new URL("../..", import.meta.url));

/** The environment of npm scripts: the repository's own Node first; packages from npm's cache if they are there. */
export const ENV: NodeJS.ProcessEnv = {
	...process.env,
	PATH: `${join(ROOT, "node_modules", ".bin")}${delimiter}${process.env["PATH"] ?? ""}`,
	npm_config_prefer_offline: "true",
};

/** Copies what git knows of the checkout, and the engine that was built; node_modules is a link. */
export function copyCheckout(): string {
	const copy = realpathSync(mkdtempSync(join(tmpdir(), "sluice-checkout-")));
	const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: ROOT, encoding: "utf8" });
	const engines = readdirSync(join(ROOT, "binding")).filter((name) => name.endsWith(".node"));
	for (const path of [...listed.split("\0"), ...engines.map((name) => `binding/${name}`)]) {
		if (path === "" || path.startsWith("node_modules") || !existsSync(join(ROOT, path))) continue;
		mkdirSync(dirname(join(copy, path)), { recursive: true });
		copyFileSync(join(ROOT, path), join(copy, path));
	}
	symlinkSync(realpathSync(join(ROOT, "node_modules")), join(copy, "node_modules"));
	return copy;
}

/** Runs a program; fails with all that it printed. */
export function must(cwd: string, command: string, args: readonly string[], env: Record<string, string> = {}): string {
	const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, env: { ...ENV, ...env }, encoding: "utf8", maxBuffer: 64 << 20 });
	if (error || status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? `status ${status}`}\n${stdout}\n${stderr}`);
	return stdout;
}
