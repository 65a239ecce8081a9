// Fast commands: the real pi with and without the extension, side by side.
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { readPiToolGuardDetails } from "../../ts/guard/record.ts";
import { bash, runPi, type RunReport } from "../rig/headless.ts";
import { comparable } from "../rig/normalize.ts";

/** Each with whether it is guarded. */
const COMMANDS: readonly (readonly [string, boolean])[] = [
	["seq 1 100 | tail -3", true],
	["seq 1 100 | head -2", true],
	["printf 'a\\nb' | tail -1", true],
	["printf 'x\\n' | grep nomatch", true],
	["printf 'a\\n' | grep nomatch; echo \"R=$?\"", true],
	["seq 30 | grep 2 | tail -2 && echo and", true],
	["cd / && echo '=== build ===' && seq 9 | tail -2", true],
	["for i in 1 2 3; do seq $i 9 | tail -1; done", true],
	["if seq 5 | grep -q 3; then echo yes; else echo no; fi", true],
	["(echo err >&2; sleep 0.1; echo out) | grep out", true],
	["(echo err >&2; sleep 0.1; echo out) 2>&1 | grep -c .", true],
	["printf 'α\\tβ\\r\\n\\033[31mred\\033[0m\\n' | cat -A | tail -n +1", true],
	["seq 1 9000 | grep 1", true],
	["yes | head -3", true],
	["set -o pipefail; seq 3 | grep 9", true],
	["true | tail -1", true],
	["head -c 60000 /dev/zero | tr '\\0' x | tail -1", true],
	["seq 3 | sort -r | uniq | wc -l", false],
	["echo plain; exit 3", false],
	["seq 5 | tail -2 &\nwait", false],
	["echo 'unterminated", false],
];

describe("a fast command", () => {
	const script = [...COMMANDS.map(([command]) => bash(command)), [bash("seq 9 | tail -1"), bash("seq 8 | tail -1"), bash("seq 7 | head -1")]];
	let plain: RunReport;
	let guarded: RunReport;
	beforeAll(async () => {
		[plain, guarded] = await Promise.all([runPi(script, { extensions: [] }), runPi(script)]);
	}, 60_000);

	it("needs pi to run", () => {
		expect([plain.code, guarded.code]).toEqual([0, 0]);
		expect(guarded.stderr).toBe("");
	});

	it.each(COMMANDS.map(([command, isGuarded], index) => ({ command, isGuarded, index })))("is what pi makes of it: $command", ({ index, isGuarded }) => {
		const [expected, actual] = [plain.calls[index], guarded.calls[index]];
		expect(comparable(actual!)).toEqual(comparable(expected!));
		expect(readPiToolGuardDetails(actual!.details) !== undefined).toBe(isGuarded);
		if (!isGuarded) expect(actual!.details).toEqual(expected!.details);
	});

	it("may have company in one message", () => {
		expect(guarded.calls.slice(-3).map((call) => call.received.text)).toEqual(["9\n", "8\n", "1\n"]);
	});

	it("changes nothing that the model is told beforehand", () => {
		expect(guarded.systemPrompt.replaceAll(/sluice-pi-\w+/g, "")).toBe(plain.systemPrompt.replaceAll(/sluice-pi-\w+/g, ""));
		expect(guarded.declared).toEqual(plain.declared);
	});
});

describe("a fast command whose failure its view hid", () => {
	it("has one line more, which names the view that hid it", async () => {
		const { calls } = await runPi([bash("sh -c 'seq 9; exit 3' | tail -1"), bash("seq 5 | head -1; sh -c 'seq 9; exit 3' | grep 1"), bash("sh -c 'exit 3' | tail -1")]);
		expect(calls.map((call) => call.received.text)).toEqual([
			'9\n\n[The command before "| tail -1" exited with code 3]',
			'1\n1\n\n[The command before "| grep 1" exited with code 3]',
			'(no output)\n\n[The command before "| tail -1" exited with code 3]',
		]);
		expect(calls.map((call) => [call.isError, call.structured.output, call.structured.exit_code])).toEqual([[false, "9\n", 0], [false, "1\n1\n", 0], [false, "", 0]]);
	});
});

describe("the log of a fast command", () => {
	it("is kept where pi would not show all of the output, private, and named in details only", async () => {
		await runPi([bash("seq 1 3000000 | tail -3"), bash("printf 'a\\nb\\n' | tail -1")], {}, ({ calls: [big, small] }, { home }) => {
			expect(big!.received).toEqual({ text: "2999998\n2999999\n3000000\n", blocks: 1, isError: false });
			const path = big!.details.fullOutputPath as string;
			expect(path).toMatch(/^.*\/pi-bash-guard-[0-9a-f]{16}\.log$/);
			expect(statSync(path).mode & 0o777).toBe(0o600);
			expect(readFileSync(path, "utf8").split("\n")).toHaveLength(3_000_001);
			expect(readPiToolGuardDetails(big!.details)).toMatchObject({
				originalCommand: "seq 1 3000000 | tail -3",
				cleanedCommand: "seq 1 3000000",
				removed: ["tail"],
				removedPipeline: "tail -3",
				outcome: "projection-applied",
				sourcePath: path,
				projection: { inputLines: 3_000_000, inputBytes: 22_888_896, outputLines: 3, outputBytes: 24 },
				noop: false,
				slow: false,
			});
			expect(big!.message["details"]).toEqual(big!.details);
			expect(small!.received.text).toBe("b\n");
			expect(small!.details.fullOutputPath).toBeUndefined();
			expect(readdirSync(home.tmp).filter((name) => name.startsWith("pi-bash"))).toEqual([path.slice(join(home.tmp, "/").length)]);
		});
	});
});
