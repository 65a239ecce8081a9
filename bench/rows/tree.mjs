// Searching a tree: rows 14 to 17. Answers are compared as sorted lines before anything is timed.
import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sluice } from "../engine.mjs";
import { command, here, race, version } from "../harness.mjs";
import { omp, pi } from "../peers.mjs";
import { raceTable } from "../report.mjs";
import { sourceTree } from "../tree.mjs";

const fd = ["fd", "fdfind"].find(version);
const sorted = (peer) => ({ ...peer, answer: async () => `${String(await peer.answer()).split("\n").filter(Boolean).sort().join("\n")}` });
const quote = (word) => `'${word.replaceAll("'", `'\\''`)}'`;
const toolText = async (tool, args) => (await tool.execute("id", args)).content[0].text;

/** All matches of a pattern. */
function grepRow(id, title, pattern, goals, limit = 1e6) {
	return {
		id,
		title: `grep over a tree, ${title}: \`${pattern}\``,
		async run({ rounds, rg }) {
			const path = sourceTree();
			const lines = ({ matches }) => matches.map((line) => `${line.path}:${line.lineNumber}:${line.text}`).join("\n");
			const ours = { ...here("sluice grep()", () => sluice.grep({ pattern, path, limit })), answer: async () => lines(await sluice.grep({ pattern, path, limit })) };
			const flags = `--no-config -n --hidden -- ${quote(pattern)} .`;
			const peers = [command("rg", `cd ${path} && ${rg} ${flags} | sed 's:^\\./::'`), command("rg --sort path", `cd ${path} && ${rg} --sort path ${flags} | sed 's:^\\./::'`)];
			for (const peer of peers) peer.run = command(peer.name, `cd ${path} && ${rg} ${peer.name === "rg" ? "" : "--sort path"} ${flags}`).run;
			const others = [];
			if (pi) others.push({ ...here("pi grep tool", () => toolText(pi.createGrepTool(path), { pattern, limit })), differs: true });
			if (omp) others.push({ ...here("omp grep", () => omp.grep({ pattern, path, hidden: true, gitignore: true, mode: "content", maxCount: limit })), differs: true, answer: () => "" });
			return raceTable(await race([...[ours, ...peers].map(sorted), ...others], { rounds }), goals);
		},
	};
}

/** The first 100 matches: ours are the first in path order, the others' are any. */
function limitRow(id, pattern, goals) {
	return {
		id,
		title: `grep over a tree, limit 100: \`${pattern}\``,
		async run({ rounds }) {
			const path = sourceTree();
			const peers = [here("sluice grep()", () => sluice.grep({ pattern, path }))];
			if (pi) peers.push(here("pi grep tool", () => toolText(pi.createGrepTool(path), { pattern })));
			if (omp) peers.push(here("omp grep", () => omp.grep({ pattern, path, hidden: true, gitignore: true, mode: "content", maxCount: 100 })));
			return raceTable(await race(peers, { rounds, check: false }), goals);
		},
	};
}

/** Other names of a tree, under which none of its directories is remembered. */
function names(path) {
	const folder = mkdtempSync(join(tmpdir(), "bench-names-"));
	let count = 0;
	const next = () => {
		const name = join(folder, String(count++));
		symlinkSync(path, name);
		return name;
	};
	return { next, remove: () => rmSync(folder, { recursive: true }) };
}

/** The tree as if for the first time, or again and again. */
function findRow(id, title, pattern, goals, again = false) {
	return {
		id,
		title: `find in a tree, ${title}: \`${pattern}\``,
		async run({ rounds }) {
			if (!fd) throw new Error("fd is not installed");
			const path = sourceTree();
			const fresh = names(path);
			const find = (path) => sluice.find({ pattern, path, limit: 1e6 });
			const ours = { ...here("sluice find()", () => find(again ? path : fresh.next())), answer: async () => (await find(path)).paths.join("\n") };
			const script = `cd ${path} && ${fd} --color=never --hidden --glob -- ${quote(pattern)} .`;
			const peer = { ...command("fd", script), answer: command("fd", `${script} | sed 's:^\\./::'`).answer };
			const others = [];
			if (pi) others.push({ ...here("pi find tool", () => toolText(pi.createFindTool(path), { pattern, limit: 1e6 })), differs: true });
			if (omp) others.push({ ...here("omp glob", () => omp.glob({ pattern, path, hidden: true, gitignore: true, recursive: true, maxResults: 1e6 })), differs: true, answer: () => "" });
			try {
				return raceTable(await race([...[ours, peer].map(sorted), ...others], { rounds }), goals);
			} finally {
				fresh.remove();
			}
		},
	};
}

export const rows = [
	grepRow("14a", "a rare match", "ZEBRA_QUAGGA_7f3a", { rg: 0.7, "rg --sort path": 0.4, "omp grep": 0.95 }),
	grepRow("14b", "no match", "NOSUCHTOKEN_zz91", { rg: 0.7, "rg --sort path": 0.4, "omp grep": 0.95 }),
	limitRow("15a", "import", { "pi grep tool": 0.6, "omp grep": 1 }),
	limitRow("15b", "fn \\w+_handler", { "pi grep tool": 0.6, "omp grep": 1 }),
	grepRow("15c", "all of many", "TODO", { "pi grep tool": 0.5 }),
	findRow("16a", "some files", "*.tsx", { fd: 0.55, "omp glob": 0.65 }),
	findRow("16b", "everything", "*", { fd: 0.55, "omp glob": 0.65 }),
	findRow("16c", "nothing", "*.nosuch", { fd: 0.55, "omp glob": 0.65 }),
	findRow("17a", "again, some files", "*.tsx", { fd: 0.15 }, true),
	findRow("17b", "again, everything", "*", { fd: 0.15 }, true),
];
