// Lines of a large file, and truncation: rows 6 and 9 to 11.
import { createReadStream, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { logFile, logText } from "../data.mjs";
import { sluice } from "../engine.mjs";
import { command, here, race } from "../harness.mjs";
import { pi, PiAccumulator } from "../peers.mjs";
import { raceTable, valueTable } from "../report.mjs";

const source = process.features.typescript ? "../../ts/truncate/accumulator.ts" : "../../dist/truncate/accumulator.js";

/** Makes the file look changed, so that the next read scans it. */
const forget = async (path) => {
	const { utimes } = await import("node:fs/promises");
	await utimes(path, new Date(Date.now() - 5_000), new Date(Date.now() - 5_000 - Math.random() * 1e6));
};

async function lines({ rounds, size }) {
	const path = logFile(size);
	const offset = size * 5000;
	const read = async () => (await sluice.readLines(path, { offset, limit: 20 })).text;
	const cold = { ...here("sluice readLines(), first read", async () => (await forget(path), `${await read()}\n`)) };
	const piRead = async () => (await pi.createReadTool("/").execute("id", { path, offset, limit: 20 })).content[0].text.split("\n").slice(0, 20);
	const peers = [
		cold,
		command("tail | head", `tail -n +${offset} ${path} | head -n 20`),
		command("tail | head; wc -l", `tail -n +${offset} ${path} | head -n 20; wc -l < ${path} >/dev/null`),
		here("pi read tool", async () => `${(await piRead()).join("\n")}\n`),
	];
	const first = raceTable(await race(peers, { rounds }), { "tail | head": 0.6, "tail | head; wc -l": 0.5, "pi read tool": 0.12 });
	await read();
	const again = raceTable(await race([here("sluice readLines(), again", read)], { rounds, repeat: 20 }), { ours: 1 });
	return { text: `${first.text}\n\n${again.text}`, met: first.met && again.met };
}

const kinds = {
	"one-byte": (bytes) => logText(Math.min(bytes, 2e6)).replace(/\P{ASCII}/gu, "x"),
	"two-byte": (bytes) => logText(Math.min(bytes, 2e6)),
};

function truncation(id, bytes, goal) {
	return {
		id,
		title: `truncation of strings of ${bytes / 1e3} KB, with totals`,
		async run({ rounds }) {
			const sections = [];
			let met = true;
			for (const [kind, make] of Object.entries(kinds)) {
				const text = Buffer.from(make(bytes).repeat(Math.ceil(bytes / 2e6)).slice(0, bytes)).toString();
				for (const name of ["truncateHead", "truncateTail"]) {
					const ours = here(`sluice ${name}, ${kind}`, () => JSON.stringify(sluice[name](text)));
					const theirs = here("pi", () => JSON.stringify(pi[name](text)));
					for (const [peer, run] of [[ours, sluice[name]], [theirs, pi[name]]]) peer.run = () => run(text);
					const repeat = bytes > 1e7 ? 1 : Math.ceil(2e6 / bytes);
					const table = raceTable(await race([ours, theirs], { rounds: Math.min(rounds, bytes > 1e8 ? 3 : 9), warmup: 2, repeat }), { pi: goal });
					sections.push(table.text);
					met &&= table.met;
				}
			}
			return { text: sections.join("\n\n"), met };
		},
	};
}

async function buffers({ rounds }) {
	const rows = [];
	for (const [kind, make] of Object.entries(kinds)) {
		const bytes = Buffer.alloc(500e6, make(2e6));
		const times = [];
		for (let i = -1; i < rounds; i++) {
			const start = performance.now();
			sluice.truncateTail(bytes);
			if (i >= 0) times.push(performance.now() - start);
		}
		const best = times.sort((a, b) => a - b)[times.length >> 1];
		rows.push([`truncateTail of a Buffer of 500 MB with totals, ${kind === "one-byte" ? "ASCII" : "mixed"} text`, best, 25, "ms"]);
	}
	return valueTable(rows);
}

async function accumulate({ rounds, size }) {
	const { OutputAccumulator } = await import(new URL(source, import.meta.url).href);
	const path = logFile(size);
	const folder = mkdtempSync(join(tmpdir(), "bench-accumulator-"));
	let number = 0;
	const ours = async () => {
		const output = new OutputAccumulator({ spillPath: () => join(folder, String(number++)) });
		for await (const chunk of createReadStream(path)) await output.append(chunk);
		await output.finish();
		const { truncation, fullOutputPath } = output.snapshot();
		rmSync(fullOutputPath);
		return JSON.stringify(truncation);
	};
	const theirs = async () => {
		const output = new PiAccumulator({ tempFilePrefix: "bench-pi" });
		for await (const chunk of createReadStream(path)) output.append(chunk);
		output.finish();
		const { truncation, fullOutputPath } = output.snapshot({ persistIfTruncated: true });
		await output.closeTempFile();
		rmSync(fullOutputPath);
		return JSON.stringify(truncation);
	};
	try {
		return raceTable(await race([here("sluice OutputAccumulator", ours), here("pi OutputAccumulator", theirs)], { rounds: Math.min(rounds, 3), warmup: 0 }), { "pi OutputAccumulator": 0.1 });
	} finally {
		rmSync(folder, { recursive: true });
	}
}

export const rows = [
	{ id: "6", title: "20 lines from the middle of a large log", run: lines },
	truncation("9a", 2_000, 1),
	truncation("9b", 50_000, 1),
	truncation("9c", 1e6, 0.25),
	truncation("9d", 50e6, 0.25),
	{ id: "10", title: "truncation of Buffers", run: buffers },
	{ id: "11", title: "output in chunks of 64 KB, kept in a file", run: accumulate },
];
