// Projections of a large log: rows 1 to 5 and 7 of the goals.
import { spawnSync } from "node:child_process";
import { closeSync, fsyncSync, openSync, readSync, renameSync } from "node:fs";
import { logFile } from "../data.mjs";
import { env, sluice } from "../engine.mjs";
import { command, here, race } from "../harness.mjs";
import { raceTable } from "../report.mjs";

const C = { LC_ALL: "C" };
const ours = (path, view) => here("sluice", async () => (await sluice.projectFile(path, view, { env })).output);

/** Reads the file once, so that it is in the page cache. */
function warm(path) {
	const buffer = Buffer.alloc(1 << 20);
	const fd = openSync(path, "r");
	fsyncSync(fd);
	while (readSync(fd, buffer) > 0);
	closeSync(fd);
}

/** The file whose copy in the page cache is known to be in pieces of 64 KiB. */
let written;

/** Caches the file as a host leaves it that has spilled output: in the pieces in which it was written. */
function spilled(path) {
	if (written !== path) {
		spawnSync("dd", [`if=${path}`, `of=${path}.new`, "bs=64K", "status=none"]);
		renameSync(`${path}.new`, path);
		written = path;
	}
	warm(path);
}

/** Drops the file from the page cache; reading it back then caches it in the largest pieces. */
function evict(path) {
	spawnSync("sync");
	spawnSync("dd", [`if=${path}`, "iflag=nocache", "count=0", "status=none"]);
	written = undefined;
	warm(path);
}

/** A row that races one view over the log. */
function row(id, title, view, peers, goals, prepare = spilled) {
	return {
		id,
		title: `${title}: \`${view}\``,
		async run({ rounds, size, rg }) {
			const path = logFile(size);
			prepare(path);
			return raceTable(await race([ours(path, view), ...peers(path, rg)], { rounds }), goals);
		},
	};
}

const count = (path, rg) => [
	command("rg", `${rg} --no-config -c FAIL ${path}`),
	command("rg --no-mmap", `${rg} --no-config --no-mmap -c FAIL ${path}`),
	command("grep (C)", `grep -c FAIL ${path}`, C),
];
const absent = (path, rg) => [
	command("rg", `${rg} --no-config -N 'DISASTER|CATASTROPHE' ${path} | tail -40`),
	command("rg --no-mmap", `${rg} --no-config --no-mmap -N 'DISASTER|CATASTROPHE' ${path} | tail -40`),
	command("grep (C)", `grep -E 'DISASTER|CATASTROPHE' ${path} | tail -40`, C),
];
const ABSENT = "grep -E 'DISASTER|CATASTROPHE' | tail -40";

export const rows = [
	row("1", "the last matches, read from the end", "grep -E 'FAIL|ERROR' | tail -40", (path, rg) => [
		command("grep", `grep -E 'FAIL|ERROR' ${path} | tail -40`),
		command("rg", `${rg} --no-config -N 'FAIL|ERROR' ${path} | tail -40`),
		command("tac | grep | tac", `tac ${path} | grep -m 40 -E 'FAIL|ERROR' | tac`),
	], { ours: 5, grep: 0.01, rg: 0.04, "tac | grep | tac": 0.33 }),
	row("2a", "too few matches, so all of it", ABSENT, absent, { rg: 0.6, "grep (C)": 0.75 }),
	row("2b", "count", "grep -c FAIL", count, { rg: 0.8, "grep (C)": 0.75 }),
	row("3a", "2a with the file cached in large pieces", ABSENT, absent, { rg: 0.85 }, evict),
	row("3b", "2b with the file cached in large pieces", "grep -c FAIL", count, { rg: 1.5 }, evict),
	row("4a", "numbers and context", "grep -n -C3 FAIL", (path, rg) => [
		command("rg", `${rg} --no-config -n -C3 FAIL ${path}`),
		command("grep", `grep -n -C3 FAIL ${path}`),
	], { rg: 0.75 }),
	row("4b", "parts of lines, rare", "grep -oE 'FAIL src/[a-z_/.]+'", (path, rg) => [
		command("rg", `${rg} --no-config -N -o 'FAIL src/[a-z_/.]+' ${path}`),
		command("grep", `grep -oE 'FAIL src/[a-z_/.]+' ${path}`),
	], { rg: 0.9 }),
	row("4c", "case does not count", "grep -i fail | tail -5", (path, rg) => [
		command("rg", `${rg} --no-config -N -i fail ${path} | tail -5`),
		command("grep", `grep -i fail ${path} | tail -5`),
	], { rg: 0.6 }),
	row("4d", "case does not count, all of it", "grep -ic fail", (path, rg) => [
		command("rg", `${rg} --no-config -i -c fail ${path}`),
		command("grep", `grep -ic fail ${path}`),
	], { rg: 0.6 }),
	row("5a", "no literal", "grep -cE '[a-z]+_[0-9]{3,}:[0-9]+:[0-9]+'", (path, rg) => [
		command("rg", `${rg} --no-config -c '[a-z]+_[0-9]{3,}:[0-9]+:[0-9]+' ${path} || echo 0`),
		command("grep", `grep -cE '[a-z]+_[0-9]{3,}:[0-9]+:[0-9]+' ${path}`),
	], { rg: 0.65 }),
	row("5b", "a literal of one letter", "grep -E '[a-z]+[0-9]{3}[a-z]+[0-9]{3}x'", (path, rg) => [
		command("rg", `${rg} --no-config -N '[a-z]+[0-9]{3}[a-z]+[0-9]{3}x' ${path}`),
		command("grep", `grep -E '[a-z]+[0-9]{3}[a-z]+[0-9]{3}x' ${path}`),
	], {}),
	row("7a", "the start", "head -40", (path) => [command("head from Node", `head -n 40 ${path}`)], { ours: 0.3, "head from Node": 0.1 }),
	row("7b", "the end", "tail -40", (path) => [command("tail from Node", `tail -n 40 ${path}`)], { ours: 0.3, "tail from Node": 0.1 }),
	row("7c", "dense lines that do not match, the last of them", "grep -v node_modules | tail -20", (path, rg) => [
		command("rg", `${rg} --no-config -N -v node_modules ${path} | tail -20`),
	], {}),
	row("7d", "most of the file as output", "grep -v node_modules", (path, rg) => [
		command("rg", `${rg} --no-config -N -v node_modules ${path}`),
	], {}),
];
