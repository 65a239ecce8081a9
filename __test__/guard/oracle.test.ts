import { afterAll, describe, expect, it } from "vitest";
import { planCommand, runGuarded } from "../../ts/index.ts";
import { ORACLE_ENV, type OracleCase, oracleCases, oracleFixtures, oracleMismatch } from "./oracle.ts";

const mismatch = oracleMismatch();
const groups = Map.groupBy(oracleCases(), (row) => row.group);

describe.skipIf(mismatch)(`recorded runs, guarded${mismatch ? ` (skipped: ${mismatch})` : ""}`, () => {
	const fixtures = oracleFixtures();
	afterAll(() => fixtures.remove());

	/** Some recordings hold one outcome of a race (how much xargs writes before head is gone), so a case has three tries. */
	async function equals(row: OracleCase): Promise<boolean> {
		for (let attempt = 0; attempt < 3; attempt++) {
			const result = await runGuarded(row.command, { cwd: fixtures.dir, env: ORACLE_ENV, shell: "/bin/bash", timeoutMs: 30_000, keepLog: "never" });
			if (row.stdout.equals(result.stdout) && row.stderr.equals(result.stderr) && row.exit === result.exitCode) return true;
		}
		return false;
	}

	for (const [group, cases] of groups) {
		it(`${group}: ${cases.length} commands`, { timeout: 120_000 }, async () => {
			const different: string[] = [];
			let guarded = 0;
			for (const row of cases) {
				if (planCommand(row.command).action === "guard") guarded++;
				if (!(await equals(row))) different.push(`${row.id}: ${row.command}`);
			}
			console.log(`${group}: ${cases.length - different.length}/${cases.length} equal, ${guarded} guarded`);
			expect(different).toEqual([]);
		});
	}
});
