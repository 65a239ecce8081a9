import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createProjector, project, projectFile, SluiceError } from "../../ts/index.ts";
import { ORACLE_ENV, type OracleCase, oracleCases, oracleFixtures, oracleMismatch } from "../guard/oracle.ts";
import { type Split, splitAtViews } from "./recorded.ts";

const mismatch = oracleMismatch();
const groups = Map.groupBy(oracleCases(), (row) => row.group);
/** Chunks of one byte cross into the addon once a byte; larger inputs start at 7. */
const SMALL_BYTES = 64 * 1024;

describe.skipIf(mismatch)(`recorded runs, views alone${mismatch ? ` (skipped: ${mismatch})` : ""}`, () => {
	const fixtures = oracleFixtures();
	afterAll(() => fixtures.remove());

	function shell(script: string, input: Uint8Array | "ignore") {
		const stdin = typeof input === "string" ? { stdio: ["ignore", "pipe", "pipe"] as ("ignore" | "pipe")[] } : { input };
		const run = spawnSync("bash", ["-c", script], { cwd: fixtures.dir, env: ORACLE_ENV, maxBuffer: 1 << 28, timeout: 20_000, ...stdin });
		return { stdout: run.stdout, stderr: run.stderr, exit: run.status };
	}

	/** What the views make of `input` in chunks of `size`. */
	function view(views: string, input: Uint8Array, size: number) {
		const projector = createProjector(views, { env: ORACLE_ENV });
		const pieces: Uint8Array[] = [];
		for (let at = 0; at < input.length && !projector.satisfied; at += size) {
			pieces.push(projector.push(input.subarray(at, at + size)));
		}
		const end = projector.finish();
		return { stdout: Buffer.concat([...pieces, end.output]), stderr: end.stderr, exit: end.exitCode };
	}

	/** The same for the whole input at once, and for a file that holds it. */
	async function viewWhole(views: string, input: Uint8Array) {
		const path = join(fixtures.dir, ".input");
		writeFileSync(path, input);
		const ends = await Promise.all([
			project(input, views, { env: ORACLE_ENV }),
			projectFile(path, views, { env: ORACLE_ENV }),
		]);
		return ends.map((end) => ({ stdout: Buffer.from(end.output), stderr: end.stderr, exit: end.exitCode }));
	}

	/** How one recording compares; `declined` carries the reason. */
	async function compare(row: OracleCase, { producer, views, consumer }: Split): Promise<"equal" | `declined: ${string}` | `different: ${string}`> {
		const input = shell(producer, "ignore");
		let first: ReturnType<typeof view> | undefined;
		for (const size of [Infinity, 4096, 4099, 7, 1]) {
			if (size === 1 && input.stdout.length > SMALL_BYTES) continue;
			let got: ReturnType<typeof view>;
			try {
				got = view(views, input.stdout, size);
			} catch (error) {
				if (error instanceof SluiceError) return `declined: ${error.message}`;
				throw error;
			}
			if (first && !(first.stdout.equals(got.stdout) && first.stderr === got.stderr && first.exit === got.exit)) {
				return `different: in chunks of ${size}`;
			}
			first = got;
		}
		if (!first) return "different: nothing ran";
		for (const [i, got] of (await viewWhole(views, input.stdout)).entries()) {
			if (!(first.stdout.equals(got.stdout) && first.stderr === got.stderr && first.exit === got.exit)) {
				return `different: ${i === 0 ? "as a whole" : "in a file"}`;
			}
		}
		const stderr = input.stderr.toString() + first.stderr;
		const seen = consumer === "" ? { stdout: first.stdout, stderr: "", exit: first.exit } : shell(consumer, first.stdout);
		const same = row.stdout.equals(seen.stdout) && row.exit === seen.exit && row.stderr.toString() === stderr + seen.stderr;
		return same ? "equal" : `different: ${JSON.stringify([seen.stdout.toString().slice(0, 200), stderr, seen.exit])}`;
	}

	for (const [group, cases] of groups) {
		it(`${group}: ${cases.length} commands`, { timeout: 240_000 }, async () => {
			const counts = { equal: 0, declined: 0, other: 0 };
			const different: string[] = [];
			const declined: string[] = [];
			for (const row of cases) {
				const split = splitAtViews(row.command);
				if (!split) {
					counts.other++;
					continue;
				}
				const outcome = await compare(row, split);
				if (outcome === "equal") counts.equal++;
				else if (outcome.startsWith("declined")) {
					counts.declined++;
					declined.push(`${row.id} ${row.command}\n    ${outcome}`);
				} else different.push(`${row.id} ${row.command}\n    ${outcome}`);
			}
			console.log(`${group}: ${counts.equal} equal, ${counts.declined} declined, ${different.length} different, ${counts.other} not one pipeline`);
			if (process.env.SLUICE_SHOW_DECLINED) console.log(declined.join("\n"));
			expect(different).toEqual([]);
		});
	}
});
