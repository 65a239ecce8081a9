// An isolated home for pi: its own settings, sessions and temp folder, one provider on the loopback interface.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** This checkout. */
export const CHECKOUT: string = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Node of the development dependencies: pi needs 22.19, whatever runs the tests. */
export const NODE: string = join(CHECKOUT, "node_modules", ".bin", "node");

/** How one pi is started. */
export interface PiOptions {
	/** Folder pi works in. Default: an empty one inside the home. */
	readonly cwd?: string;
	/** Extensions to load with `-e`. Default: this checkout. */
	readonly extensions?: readonly string[];
	/** User settings (`settings.json`). */
	readonly settings?: Record<string, unknown>;
	/** Value of `--tools`; absent leaves the selection to the settings. */
	readonly tools?: string;
	/** Environment on top of the isolated one. */
	readonly env?: Record<string, string>;
	/** More pi arguments. */
	readonly args?: readonly string[];
	/** Reuse a home of an earlier run (resume, installed packages). */
	readonly home?: PiHome;
	/** Keep a session file. Default: `--no-session`. */
	readonly session?: boolean;
	/** Trust the project folder. Default: no. */
	readonly approve?: boolean;
}

/** A home folder and what is in it. */
export interface PiHome {
	readonly dir: string;
	readonly agentDir: string;
	/** The OS temp folder of this pi. */
	readonly tmp: string;
	/** Default working folder. */
	readonly work: string;
	remove(): void;
}

/** Makes an isolated home, below the OS temp folder unless told otherwise. */
export function createHome(base: string = tmpdir()): PiHome {
	const dir = mkdtempSync(join(base, "sluice-pi-"));
	const home = { dir, agentDir: join(dir, "agent"), tmp: join(dir, "tmp"), work: join(dir, "work") };
	// pi compiles extensions into the temp folder: shared, or every run would do it again.
	const compiled = join(tmpdir(), "sluice-pi-jiti");
	for (const folder of [home.agentDir, home.tmp, home.work, compiled]) mkdirSync(folder, { recursive: true });
	symlinkSync(compiled, join(home.tmp, "jiti"));
	return { ...home, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Points the home at a model and writes its settings, keeping those that `pi install` wrote before. */
export function configureHome(home: PiHome, modelUrl: string, settings: Record<string, unknown> = {}): void {
	const model = { id: "scripted", name: "Scripted", input: ["text", "image"], contextWindow: 1_000_000, maxTokens: 8192 };
	const provider = { baseUrl: modelUrl, api: "anthropic-messages", apiKey: "none", models: [model] };
	writeFileSync(join(home.agentDir, "models.json"), JSON.stringify({ providers: { loopback: provider } }));
	const path = join(home.agentDir, "settings.json");
	const earlier = existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as object) : {};
	const quiet = { enableInstallTelemetry: false, enableAnalytics: false, collapseChangelog: true, quietStartup: true };
	const once = { retry: { enabled: false }, compaction: { enabled: false }, terminal: { images: false } };
	writeFileSync(path, JSON.stringify({ ...quiet, ...once, ...earlier, ...settings }));
}

/** The environment of pi: nothing of the machine's own pi, credentials or proxies. */
export function piEnvironment(home: PiHome, extra: Record<string, string> = {}): Record<string, string> {
	const dropped = /(_API_KEY|_TOKEN|_SECRET)$|^(PI_|AI_AGENT$|NODE_OPTIONS$|VITEST|TMUX|\w*_proxy$)/i;
	const inherited = Object.entries(process.env).filter(([name, value]) => value !== undefined && !dropped.test(name));
	return {
		...(Object.fromEntries(inherited) as Record<string, string>),
		HOME: home.dir,
		XDG_CONFIG_HOME: join(home.dir, ".config"),
		XDG_CACHE_HOME: join(home.dir, ".cache"),
		TMPDIR: home.tmp,
		NODE_COMPILE_CACHE: join(tmpdir(), "sluice-pi-compile-cache"),
		PI_CODING_AGENT_DIR: home.agentDir,
		PI_OFFLINE: "1",
		PI_SKIP_VERSION_CHECK: "1",
		PI_TELEMETRY: "0",
		...extra,
	};
}

/** The command line of pi, after the node binary. */
export function piArguments(options: PiOptions, mode?: "json" | "rpc"): string[] {
	return [
		join(CHECKOUT, "node_modules", "@earendil-works", "pi-coding-agent", "dist", "bundle", "cli.js"),
		"--offline",
		"--model",
		"loopback/scripted",
		...(mode === undefined ? [] : ["--mode", mode]),
		...(options.session === true ? [] : ["--no-session"]),
		options.approve === true ? "--approve" : "--no-approve",
		"--no-context-files",
		"--no-skills",
		"--no-prompt-templates",
		...(options.tools === undefined ? [] : ["--tools", options.tools]),
		...(options.extensions ?? [CHECKOUT]).flatMap((path) => ["-e", path]),
		...(options.args ?? []),
	];
}
