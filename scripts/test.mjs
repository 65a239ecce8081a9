// `npm test`: everything that must hold, from a bare clone. Ends with "N passed, N failed"; what was skipped is said before.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { env, root, setup } from "./setup.mjs";

const total = { passed: 0, failed: 0 };
const failures = [];
const skips = [];

setup();
const scratch = mkdtempSync(join(tmpdir(), "sluice-test-"));

check("rust format", "cargo", ["fmt", "--all", "--check"]);
check("rust lints", "cargo", ["clippy", "--workspace", "--locked", "--quiet", "--", "-D", "warnings"]);
// The binding has no tests: compiled as one, its exports would be unused.
check("rust lints of tests", "cargo", ["clippy", "-p", "sluice-core", "--all-targets", "--locked", "--quiet", "--", "-D", "warnings"]);
check("rust docs", "cargo", ["doc", "--workspace", "--no-deps", "--locked", "--quiet", "--document-private-items"], { RUSTDOCFLAGS: "-D warnings" });
rustTests();
check("types", "tsc", ["--noEmit"]);
check("lints", "oxlint", ["--deny-warnings"]);
check("generated binding is committed", "git", ["diff", "--exit-code", "--stat", "--", "binding"]);
vitest();
packages();

rmSync(scratch, { recursive: true, force: true });
console.log(`\n${skips.length === 0 ? "nothing skipped" : `skipped: ${skips.join("; ")}`}`);
if (failures.length > 0) console.log(`failed: ${failures.join(", ")}`);
console.log(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed > 0 ? 1 : 0;

/** One check that passes or fails as a whole. */
function check(name, command, args, extraEnv = {}) {
	console.log(`\n== ${name}`);
	const { status } = spawnSync(command, args, { cwd: root, env: { ...env, ...extraEnv }, stdio: "inherit" });
	count(name, status === 0 ? { passed: 1 } : { failed: 1 });
}

function rustTests() {
	console.log("\n== rust tests");
	const result = spawnSync("cargo", ["test", "--workspace", "--locked", "--no-fail-fast"], {
		cwd: root,
		env,
		encoding: "utf8",
		maxBuffer: 256 << 20,
		stdio: ["ignore", "pipe", "inherit"],
	});
	process.stdout.write(result.stdout);
	const sums = { passed: 0, failed: 0, skipped: 0 };
	for (const [, passed, failed, ignored] of result.stdout.matchAll(/^test result: .*? (\d+) passed; (\d+) failed; (\d+) ignored/gm)) {
		sums.passed += Number(passed);
		sums.failed += Number(failed);
		sums.skipped += Number(ignored);
	}
	// A build error or a crash prints no result line.
	if (result.status !== 0 && sums.failed === 0) sums.failed = 1;
	if (sums.passed === 0) sums.failed += 1;
	count("rust tests", sums);
}

function vitest() {
	console.log("\n== vitest");
	const report = join(scratch, "vitest.json");
	const { status } = spawnSync("vitest", ["run", "--reporter=default", "--reporter=json", `--outputFile.json=${report}`], { cwd: root, env, stdio: "inherit" });
	let sums = { failed: 1 };
	try {
		const json = JSON.parse(readFileSync(report, "utf8"));
		sums = { passed: json.numPassedTests, failed: json.numFailedTests, skipped: json.numPendingTests + json.numTodoTests };
		if (status !== 0 && sums.failed === 0) sums.failed = 1;
	} catch (error) {
		console.error(`no vitest report: ${error.message}`);
	}
	count("vitest", sums);
}

/** What is published for this machine; minutes, and downloads, so only where nobody waits. */
function packages() {
	console.log("\n== packages");
	if (!process.env.CI) return void skips.push("packages (in CI, or by `npm run gate`)");
	const { status } = spawnSync("node", ["scripts/package/gate.mjs"], { cwd: root, env, stdio: "inherit" });
	if (status === 75) skips.push("packages (why is said above)");
	else count("packages", status === 0 ? { passed: 1 } : { failed: 1 });
}

function count(name, { passed = 0, failed = 0, skipped = 0 }) {
	total.passed += passed;
	total.failed += failed;
	if (skipped > 0) skips.push(`${skipped} of ${name}`);
	if (failed > 0) failures.push(name);
}
