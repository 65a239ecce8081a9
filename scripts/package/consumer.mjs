// What the packed package must do in somebody's project. Copied there and run by each package manager's Node (or Bun).
import { createRequire } from "node:module";
import { writeFileSync } from "node:fs";
import { grep, native, parseView, planCommand, projectFile, readPiToolGuardDetails, runGuarded, truncateTail } from "pi-sluice";

const equal = (what, actual, expected) => {
	if (JSON.stringify(actual) !== JSON.stringify(expected)) throw new Error(`${what}: ${JSON.stringify(actual)}, expected ${JSON.stringify(expected)}`);
};
const text = (bytes) => new TextDecoder().decode(bytes);

equal("engine", [native.available, native.errors.map(({ message }) => message)], [true, []]);
writeFileSync("numbers.txt", Array.from({ length: 30_000 }, (_, index) => `line ${index + 1}\n`).join(""));

const view = await projectFile("numbers.txt", "grep 000 | tail -2");
equal("projection", [text(view.output), view.exitCode], ["line 29000\nline 30000\n", 0]);
equal("parsed view", text((await projectFile("numbers.txt", parseView("head -1"))).output), "line 1\n");

const found = await grep({ pattern: "line 123$", path: "numbers.txt" });
equal("grep", [found.matchCount, found.matches[0]?.lineNumber], [1, 123]);

equal("plan", planCommand("seq 9 | tail -1").action, "guard");
equal("truncation", truncateTail("a\nb\nc", { maxLines: 1 }).content, "c");
if (process.platform !== "win32") {
	const run = await runGuarded("seq 100000 | grep 7 | tail -1", { keepLog: "never" });
	equal("guarded run", [text(run.output), run.exitCode], ["99997\n", 0]);
	equal("record", readPiToolGuardDetails({ piToolGuard: run.record })?.removed, ["grep", "tail"]);
}

// CommonJS: Node 20.19, 22.12 and newer can require an ES module.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major > 22 || (major === 22 && minor >= 12) || (major === 20 && minor >= 19)) {
	equal("require", createRequire(import.meta.url)("pi-sluice").native.available, true);
}
console.log(`consumer: ok (${process.versions.bun ? `Bun ${process.versions.bun}` : `Node ${process.versions.node}`}, ${native.target})`);
