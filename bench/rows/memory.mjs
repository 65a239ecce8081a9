// Text in memory and live streams: rows 8 and 12.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { FOLDER, logFile, logText } from "../data.mjs";
import { env, sluice } from "../engine.mjs";
import { command, here, race } from "../harness.mjs";
import { raceTable } from "../report.mjs";

const VIEW = "grep FAIL | tail -5";
const script = (text) => {
	const lines = text.split("\n");
	lines.pop();
	return Buffer.from(`${lines.filter((line) => /FAIL/.test(line)).slice(-5).join("\n")}\n`);
};

/** What a host does today that keeps the output as a string and pipes it through real tools. */
function throughBash(input) {
	return here("bash from Node", () => spawnSync("bash", ["-c", VIEW], { input, env: { ...process.env, ...env } }).stdout);
}

function inMemory(id, kilobytes, repeat, goals) {
	return {
		id,
		title: `${kilobytes} KB in memory: \`${VIEW}\``,
		async run({ rounds }) {
			const text = logText(kilobytes * 1024);
			const bytes = Buffer.from(text);
			const peers = [
				here("sluice project()", async () => (await sluice.project(bytes, VIEW, { env })).output),
				here("JavaScript split + filter", () => script(text)),
			];
			const results = await race(peers, { rounds: rounds * 3, warmup: 5, repeat });
			results.push(...(await race([throughBash(bytes)], { rounds, check: false })));
			return raceTable(results, goals);
		},
	};
}

/** Reads `cat FILE` as Node gives it, and passes every chunk on. */
function live(path, onChunk) {
	return new Promise((resolve, reject) => {
		const child = spawn("cat", [path], { stdio: ["ignore", "pipe", "inherit"] });
		child.stdout.on("data", onChunk);
		child.on("error", reject);
		child.on("close", resolve);
	});
}

const STREAM = "grep -E 'FAIL|ERROR' | tail -40";

export const rows = [
	inMemory("8a", 2, 200, { ours: 0.01 }),
	inMemory("8b", 50, 50, { "JavaScript split + filter": 1, "bash from Node": 0.02 }),
	inMemory("8c", 1024, 4, { "JavaScript split + filter": 0.4 }),
	{
		id: "12b",
		title: `live stream through a FIFO that the engine reads: \`cat | ${STREAM}\``,
		async run({ rounds, size, rg }) {
			const path = logFile(size);
			const fifo = join(FOLDER, "fifo");
			rmSync(fifo, { force: true });
			spawnSync("mkfifo", [fifo]);
			const read = async () => {
				const cat = spawn("sh", ["-c", `exec cat ${path} > ${fifo}`], { stdio: "ignore" });
				const ended = once(cat, "close");
				const { output } = await sluice.projectFile(fifo, STREAM, { env });
				await ended;
				return output;
			};
			const peers = [here("sluice projectFile(FIFO)", read), command("bash: cat | rg | tail", `cat ${path} | ${rg} --no-config -N 'FAIL|ERROR' | tail -40`)];
			return raceTable(await race(peers, { rounds: Math.min(rounds, 7) }), { "bash: cat | rg | tail": 1 });
		},
	},
	{
		id: "12",
		title: `live stream through Node: \`cat | ${STREAM}\``,
		async run({ rounds, size, rg }) {
			const path = logFile(size);
			const peers = [
				here("sluice createProjector()", async () => {
					const projector = sluice.createProjector(STREAM, { env });
					const pieces = [];
					await live(path, (chunk) => pieces.push(projector.push(chunk)));
					pieces.push(projector.finish().output);
					return Buffer.concat(pieces);
				}),
				{ ...here("drain only", async () => { await live(path, () => {}); return Buffer.alloc(0); }), differs: true },
				here("JavaScript splitter", async () => {
					let rest = "";
					let last = [];
					const decoder = new TextDecoder();
					await live(path, (chunk) => {
						const lines = (rest + decoder.decode(chunk, { stream: true })).split("\n");
						rest = lines.pop();
						for (const line of lines) if (/FAIL|ERROR/.test(line)) last.push(line);
						last = last.slice(-40);
					});
					return Buffer.from(`${last.join("\n")}\n`);
				}),
				command("bash: cat | rg | tail", `cat ${path} | ${rg} --no-config -N 'FAIL|ERROR' | tail -40`),
				command("bash: cat | grep | tail", `cat ${path} | grep -E 'FAIL|ERROR' | tail -40`),
			];
			const goals = { "drain only": 1.3, "JavaScript splitter": 0.2, "bash: cat | rg | tail": 1 };
			return raceTable(await race(peers, { rounds: Math.min(rounds, 7) }), goals);
		},
	},
];
