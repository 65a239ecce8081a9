import { spawnSync } from "node:child_process";
import { afterAll, describe, expect, it } from "vitest";
import { createProjector, SluiceError } from "../../ts/index.ts";
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

	/** How one recording compares; `declined` carries the reason. */
	function compare(row: OracleCase, { producer, views, consumer }: Split): "equal" | `declined: ${string}` | `different: ${string}` {
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
		const stderr = input.stderr.toString() + first.stderr;
		const seen = consumer === "" ? { stdout: first.stdout, stderr: "", exit: first.exit } : shell(consumer, first.stdout);
		const same = row.stdout.equals(seen.stdout) && row.exit === seen.exit && row.stderr.toString() === stderr + seen.stderr;
		return same ? "equal" : `different: ${JSON.stringify([seen.stdout.toString().slice(0, 200), stderr, seen.exit])}`;
	}

	for (const [group, cases] of groups) {
		it(`${group}: ${cases.length} commands`, { timeout: 120_000 }, () => {
			const counts = { equal: 0, declined: 0, other: 0 };
			const different: string[] = [];
			const declined: string[] = [];
			for (const row of cases) {
				const split = splitAtViews(row.command);
				if (!split) {
					counts.other++;
					continue;
				}
				const outcome = compare(row, split);
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
