import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../fixtures/oracle/", import.meta.url));

/** The environment in which the recordings were made. */
export const ORACLE_ENV = { PATH: "/usr/bin:/bin", HOME: "/tmp", LC_ALL: "C.UTF-8" };

/** One recorded command. */
export interface OracleCase {
	readonly id: string;
	readonly group: string;
	readonly command: string;
	readonly stdout: Buffer;
	readonly stderr: Buffer;
	readonly exit: number;
}

export function oracleCases(): OracleCase[] {
	const rows = readFileSync(join(folder, "oracle.jsonl"), "utf8").trim().split("\n");
	return rows.map((row) => {
		const { stdout_b64, stderr_b64, ...rest } = JSON.parse(row);
		return { ...rest, stdout: Buffer.from(stdout_b64, "base64"), stderr: Buffer.from(stderr_b64, "base64") };
	});
}

/** Unpacks the recordings' working directory. */
export function oracleFixtures(): { dir: string; remove(): void } {
	const dir = mkdtempSync(join(tmpdir(), "sluice-oracle-"));
	execFileSync("tar", ["xzf", join(folder, "fixtures.tar.gz"), "-C", dir]);
	return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Why the recordings say nothing about this machine, or `undefined`. */
export function oracleMismatch(): string | undefined {
	const expected: [string, RegExp][] = [
		["bash", /version 5\.2\./],
		["grep", /GNU grep\) 3\.8$/m],
		["head", /GNU coreutils\) 9\.1$/m],
	];
	for (const [tool, version] of expected) {
		const { stdout } = spawnSync(tool, ["--version"], { encoding: "utf8", env: ORACLE_ENV });
		if (!version.test(stdout ?? "")) return `the recordings are of another ${tool}`;
	}
	return undefined;
}
