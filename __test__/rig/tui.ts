// pi's TUI in a private tmux server: keys in, screens out.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { configureHome, createHome, NODE, piArguments, piEnvironment, type PiHome, type PiOptions } from "./home.ts";
import { startScriptedModel, type ScriptedModel, type Turn } from "./model.ts";

/** How the terminal is set up. */
export interface TuiOptions extends PiOptions {
	readonly columns?: number;
	readonly rows?: number;
}

/** A pi on a screen. */
export interface Tui {
	readonly home: PiHome;
	readonly model: ScriptedModel;
	/** Types text literally. */
	type(text: string): void;
	/** Presses keys by their tmux names: `Enter`, `C-o`. */
	press(...keys: string[]): void;
	/** The visible screen; with `colours`, its escape sequences too. */
	screen(colours?: boolean): string;
	/** Waits until the screen matches and has stood still for a moment, and returns it. */
	waitFor(what: string | RegExp, ms?: number): Promise<string>;
	/** Types a prompt and waits for the answer of the script's end. */
	ask(prompt: string, until: string | RegExp, ms?: number): Promise<string>;
	close(): Promise<void>;
}

const CONFIGURATION = ["default-terminal tmux-256color", "history-limit 5000", "status off", "escape-time 0", "extended-keys on"];

/** Starts pi's TUI. */
export async function startTui(script: readonly Turn[], options: TuiOptions = {}): Promise<Tui> {
	const model = await startScriptedModel(script);
	const home = options.home ?? createHome();
	configureHome(home, model.url, { theme: "dark", ...options.settings });
	const work = mkdtempSync(join(home.dir, "tmux-"));
	const configuration = join(work, "tmux.conf");
	writeFileSync(configuration, CONFIGURATION.map((line) => `set -g ${line}\n`).join(""));
	const env = piEnvironment(home, { TERM: "xterm-256color", COLORTERM: "truecolor", LC_ALL: "C.UTF-8", ...options.env });
	const tmux = (...args: string[]): string => {
		const run = spawnSync("tmux", ["-u", "-S", join(work, "socket"), "-f", configuration, ...args], { env, encoding: "utf8", timeout: 10_000 });
		if (run.error) throw run.error;
		return run.stdout;
	};
	const command = ["exec", NODE, ...piArguments(options)].map((word, index) => (index === 0 ? word : quote(word))).join(" ");
	const size = ["-x", String(options.columns ?? 100), "-y", String(options.rows ?? 40)];
	tmux("new-session", "-d", "-s", "pi", ...size, "-c", options.cwd ?? home.work, "sh", "-c", `${command} 2>${quote(join(work, "stderr"))}`);
	const screen = (colours = false) => tmux("capture-pane", "-p", ...(colours ? ["-e", "-N"] : []), "-t", "pi").trimEnd();
	const waitFor = async (what: string | RegExp, ms = 20_000) => {
		const end = performance.now() + ms;
		for (let last = ""; ; ) {
			const now = screen();
			const found = typeof what === "string" ? now.includes(what) : what.test(now);
			if (found && now === last) return now;
			if (performance.now() > end) throw new Error(`the screen never showed ${String(what)}:\n${now}`);
			last = now;
			await sleep(60);
		}
	};
	const type = (text: string) => void tmux("send-keys", "-t", "pi", "-l", text);
	const press = (...keys: string[]) => void tmux("send-keys", "-t", "pi", ...keys);
	await waitFor("scripted");
	return {
		home,
		model,
		type,
		press,
		screen,
		waitFor,
		async ask(prompt, until, ms) {
			type(prompt);
			await sleep(60);
			press("Enter");
			return waitFor(until, ms);
		},
		async close() {
			tmux("kill-server");
			await model.close();
			if (options.home === undefined) home.remove();
			else rmSync(work, { recursive: true, force: true });
		},
	};
}

function quote(word: string): string {
	return `'${word.replaceAll("'", `'\\''`)}'`;
}
