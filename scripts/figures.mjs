// `npm run figures`: the table of README's "Measured" section, from bench/RESULTS.md. `npm run bench -- --record` runs it, too.
import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const results = new URL("../bench/RESULTS.md", import.meta.url);
const readme = new URL("../README.md", import.meta.url);
const MARKS = ["<!-- figures -->\n", "<!-- end of figures -->"];

/** The rows that README shows, by their number in bench/RESULTS.md: where Sluice wins, and where it loses. */
const ROWS = [
	["13a", "a whole command, run once, its log kept"],
	["1", "the last matches of a large log"],
	["2a", "too few matches: all of it is read"],
	["4a", "numbers and context"],
	["5a", "a pattern without a literal"],
	["7b", "the end of it, each from Node"],
	["14a", "grep in a tree of 60,000 files"],
	["16a", "find in that tree"],
	["4b", "parts of lines"],
	["21", "the least that a guarded command costs"],
	["8a", "2 KB in memory"],
	["12", "a stream through JavaScript"],
];

/** README with the figures of the results in it. */
export function withFigures(readmeText, resultsText) {
	const [start, end] = MARKS.map((mark) => readmeText.indexOf(mark));
	if (start < 0 || end < 0) throw new Error("README.md has no place for the figures");
	return readmeText.slice(0, start) + MARKS[0] + table(resultsText) + readmeText.slice(end);
}

function table(text) {
	const sections = new Map([...text.matchAll(/^### (\w+)\. (.*)\n\n((?:\|.*\n)+)/gm)].map(([, id, title, rows]) => [id, { title, rows: parse(rows) }]));
	const facts = [...text.matchAll(/^- (.*)$/gm)].map(([, fact]) => fact);
	const lines = ROWS.flatMap(([id, what]) => {
		const section = sections.get(id);
		if (!section) return [];
		const [ours, ...peers] = section.rows;
		const command = /`(.*)`/.exec(section.title)?.[1] ?? "";
		const against = peers.filter(({ ratio }) => ratio).map(({ name, median, ratio }) => `${escape(name)}: ${median}, **${ratio}**`);
		return [`| ${what}: \`${escape(command)}\` | ${ours.median} | ${against.join("; ")} |`];
	});
	return `${facts.join("; ").replaceAll("|", "\\|")}.\n\n| | Sluice, ms | others, ms, and ours as a multiple of theirs |\n|---|---:|---|\n${lines.join("\n")}\n`;
}

/** A peer's name may have bars in it: the last five columns are figures. */
function parse(rows) {
	return rows
		.trim()
		.split("\n")
		.slice(2)
		.map((row) => row.replace(/^\| | \|$/g, "").split(" | "))
		.map((cells) => ({ name: cells.slice(0, -5).join(" | "), median: cells.at(-5)?.trim(), ratio: cells.at(-2)?.trim() }));
}

const escape = (text) => text.replaceAll("|", "\\|");

/** Brings README up to date. */
export function update() {
	writeFileSync(readme, withFigures(readFileSync(readme, "utf8"), readFileSync(results, "utf8")));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) update();
