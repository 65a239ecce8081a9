import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, closeSync, cpSync, lstatSync, mkdirSync, mkdtempSync, openSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** What a command did, as far as a user can see it. */
export interface Outcome {
	readonly stdout: string;
	/** Characters in sorted order: two processes may write at once. */
	readonly stderr: string;
	readonly messages: string;
	readonly status: string;
	/** Every file below the working directory with its content. */
	readonly files: string;
}

const STUBS: Readonly<Record<string, string>> = {
	npm: 'echo "npm $*"; echo "warn one" >&2; for i in 1 2 3 4; do echo "line $i of $1"; done; echo "FAIL test a"; echo "Tests 3 passed | 1 failed"; [ "$1" = test ] && exit 3; exit 0',
	docker: 'echo "docker $*"; seq 6',
	ssh: 'echo "ssh $*"; seq 4',
	journalctl: 'echo "journal"; seq 3',
	emit: 'i=1; while [ "$i" -le "$1" ]; do echo "out $i"; i=$((i+1)); done; echo "err $1" >&2; exit "$2"',
};

/** A directory with data and stub programs; every run gets a copy of it. */
export class Sandbox {
	readonly #root = mkdtempSync(join(tmpdir(), "plan-sandbox-"));
	/** Stands in for the engine's pipes: takes everything, answers nothing. */
	readonly #null = openSync("/dev/null", "r+");
	#count = 0;

	constructor() {
		const template = join(this.#root, "template");
		mkdirSync(join(template, "sub"), { recursive: true });
		mkdirSync(join(template, "w"));
		mkdirSync(join(this.#root, "bin"));
		writeFileSync(join(template, "data.txt"), "alpha\nbeta\ngamma\nalpha beta\ndelta\n");
		writeFileSync(join(template, "pats.txt"), "FAIL\nline 2\n");
		writeFileSync(join(template, "n.txt"), "2\n");
		writeFileSync(join(template, "huge.log"), "x".repeat(200).concat("\n").repeat(50));
		writeFileSync(join(template, "sub", "inner.txt"), "inner one\ninner two\n");
		for (const [name, body] of Object.entries(STUBS)) {
			writeFileSync(join(this.#root, "bin", name), `#!/bin/sh\n${body}\n`);
			chmodSync(join(this.#root, "bin", name), 0o755);
		}
	}

	dispose(): void {
		closeSync(this.#null);
		rmSync(this.#root, { recursive: true, force: true });
	}

	/** Runs `shell -c text` with stdin from /dev/null; ends it after ten seconds. */
	async run(shell: readonly string[], text: string, env: Readonly<Record<string, string>> = {}): Promise<Outcome> {
		const [program, ...args] = shell as [string, ...string[]];
		return await this.observe(async (cwd, base) => {
			const child = spawn(program, [...args, "-c", text], {
				cwd,
				env: { ...base, ...env },
				stdio: ["ignore", "pipe", "pipe", "ignore", "ignore", "ignore", "ignore", this.#null, this.#null, this.#null],
				detached: true,
			});
			const deadline = setTimeout(() => process.kill(-(child.pid as number), "SIGKILL"), 10_000);
			const [stdout, stderr, status] = await Promise.all([
				collect(child.stdout as NodeJS.ReadableStream),
				collect(child.stderr as NodeJS.ReadableStream),
				new Promise<string>((resolve, reject) => {
					child.once("error", reject);
					child.once("close", (code, signal) => resolve(signal ?? String(code)));
				}),
			]);
			clearTimeout(deadline);
			return { stdout, stderr, status };
		});
	}

	/** What `action` does in a copy of the directory. */
	async observe(
		action: (cwd: string, env: Record<string, string>) => Promise<{ stdout: string; stderr: string; status: string }>,
	): Promise<Outcome> {
		const home = join(this.#root, `run${this.#count++}`);
		const dir = join(home, "d");
		mkdirSync(home);
		cpSync(join(this.#root, "template"), dir, { recursive: true });
		const env = { PATH: `${this.#root}/bin:/usr/local/bin:/usr/bin:/bin`, HOME: dir, LC_ALL: "C.UTF-8" };
		const { stdout, stderr, status } = await action(dir, env);
		const files = neutral(listing(dir, ""), home);
		rmSync(home, { recursive: true, force: true });
		const messages = neutral(stderr, home);
		return { stdout: neutral(stdout, home), stderr: [...messages].sort().join(""), messages, status, files };
	}
}

/** Two runs have different directories, process numbers and times. */
function neutral(text: string, home: string): string {
	return text.replaceAll(home, "<home>").replace(/\d+m[\d.]+s/g, "<time>").replace(/(line \d+:) +\d+ (?=[A-Z])/g, "$1 <pid> ");
}

async function collect(stream: NodeJS.ReadableStream): Promise<string> {
	const chunks: Buffer[] = [];
	for await (const chunk of stream) chunks.push(chunk as Buffer);
	return Buffer.concat(chunks).toString("latin1");
}

function listing(dir: string, prefix: string): string {
	let text = "";
	for (const name of readdirSync(dir).sort()) {
		const path = join(dir, name);
		const stat = lstatSync(path);
		if (stat.isDirectory()) text += `${prefix}${name}/\n${listing(path, `${prefix}${name}/`)}`;
		else text += `${prefix}${name} ${stat.isFile() ? content(path) : "special"}\n`;
	}
	return text;
}

function content(path: string): string {
	const text = readFileSync(path, "latin1");
	return text.length > 2000 ? createHash("sha256").update(text).digest("hex") : text;
}
