// A whole guarded command against the same command in plain bash: rows 13 (1 GB), 21 (overhead), 22 (a stopped producer), 23 (planning).
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logFile } from "../data.mjs";
import { env as locale, sluice } from "../engine.mjs";
import { command, here, median, race } from "../harness.mjs";
import { pi } from "../peers.mjs";
import { raceTable, valueTable } from "../report.mjs";

const env = { ...process.env, ...locale };

/** bash from Node, with both streams collected, as an agent's tool does it. */
function bash(script) {
	return new Promise((resolve, reject) => {
		const child = spawn("bash", ["-c", script], { env, stdio: ["ignore", "pipe", "pipe"] });
		const pieces = [];
		child.stdout.on("data", (piece) => pieces.push(piece));
		child.stderr.resume();
		child.on("error", reject);
		child.on("close", () => resolve(Buffer.concat(pieces)));
	});
}

const guarded = async (script, options) => (await sluice.runGuarded(script, { env, ...options })).stdout;

/** How much longer a guarded run takes than bash's, as the difference of two interleaved medians. */
function overhead(id, title, script, { rounds, limit }) {
	return {
		id,
		title,
		async run() {
			const logDir = mkdtempSync(join(tmpdir(), "sluice-bench-log-"));
			const peers = [here("sluice runGuarded()", () => guarded(script, { logDir })), here("bash from Node", () => bash(script))];
			const results = await race(peers, { rounds, warmup: 10 });
			const [ours, plain] = results.map(({ times }) => median(times));
			const cpu = process.threadCpuUsage?.();
			for (let i = 0; i < 100; i++) await guarded(script, { logDir });
			rmSync(logDir, { recursive: true });
			const used = cpu && process.threadCpuUsage(cpu);
			const values = [["guarded minus plain, difference of the medians", ours - plain, limit, "ms"]];
			if (used) values.push(["main thread CPU per guarded run, spawn included", (used.user + used.system) / 1e5, 5, "ms"]);
			const times = raceTable(results, {});
			const table = valueTable(values);
			return { text: `${times.text}\n\n${table.text}`, met: table.met };
		},
	};
}

const VIEWS = "grep -E 'FAIL|ERROR' | tail -40";

/** The predecessor's way: pi's bash tool spills the output, and bash reads the spill file again. */
async function piThenBash(producer) {
	const result = await pi.createBashTool("/").execute("id", { command: producer });
	const path = result.details.fullOutputPath;
	const output = await bash(`cat '${path}' | ${VIEWS}`);
	rmSync(path);
	return output;
}

/** A command over the whole log, and what it keeps. */
function wholePath(id, what, producerOf) {
	return {
		id,
		title: `a whole command over 1 GB ${what}: \`… | ${VIEWS}\``,
		async run({ rounds, size }) {
			const producer = producerOf(logFile(size));
			const logDir = mkdtempSync(join(tmpdir(), "sluice-bench-log-"));
			const peers = [
				here("sluice runGuarded(), log kept", async () => {
					const output = await guarded(`${producer} | ${VIEWS}`, { logDir });
					for (const name of readdirSync(logDir)) rmSync(join(logDir, name));
					return output;
				}),
				command("bash, nothing kept", `${producer} | ${VIEWS}`),
				command("bash, log kept by tee", `${producer} | tee ${logDir}/tee.log | ${VIEWS}`),
				here("pi's bash tool, then the views over its spill file", () => piThenBash(producer)),
			];
			try {
				return raceTable(await race(peers, { rounds: Math.min(rounds, 5) }), { "pi's bash tool, then the views over its spill file": 0.125 });
			} finally {
				rmSync(logDir, { recursive: true });
			}
		},
	};
}

/** A script of about `bytes` bytes as an agent writes it, with a window in every 8 KB. */
function scriptOf(bytes) {
	const lines = [];
	for (let size = 0, n = 0; size < bytes; n++) {
		const line = n % 128 === 0 ? `cd packages/app${n} && npx vitest run 2>&1 | grep -E 'FAIL|Tests' | tail -20` : `test -f src/file${n}.ts || echo "file ${n} is missing" >&2`;
		lines.push(line);
		size += line.length + 1;
	}
	return lines.join("\n");
}

async function planning() {
	const rows = [];
	for (const [bytes, limit] of [[200, 0.3], [2_000], [20_000], [100_000]]) {
		const script = scriptOf(bytes);
		if (sluice.planCommand(script).action !== "guard") throw new Error(`the command of ${bytes} bytes is not guarded: ${sluice.planCommand(script).reason}`);
		const runs = Math.ceil(100_000 / bytes);
		for (let i = 0; i < 20; i++) sluice.planCommand(script);
		const start = performance.now();
		for (let i = 0; i < runs; i++) sluice.planCommand(script);
		rows.push([`planCommand() of ${script.length} bytes`, (performance.now() - start) / runs, limit, "ms"]);
	}
	return valueTable(rows);
}

export const rows = [
	wholePath("13a", "from a program (dd)", (path) => `dd if=${path} bs=64k status=none`),
	wholePath("13b", "from a file, which is its own log", (path) => `cat ${path}`),
	overhead("21", "overhead of a guarded run: `printf 'a\\nb\\n' | tail -1`", "printf 'a\\nb\\n' | tail -1", { rounds: 100, limit: 3 }),
	overhead("22", "a producer that is stopped: `find / -xdev 2>/dev/null | head -1`", "find / -xdev 2>/dev/null | head -1", { rounds: 30, limit: 20 }),
	{ id: "23", title: "planning a command", run: planning },
];
