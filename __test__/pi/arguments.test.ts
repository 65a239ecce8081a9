import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CASES, FILES } from "../arguments/e2e-cases.ts";
import { CHECKOUT, createHome } from "../rig/home.ts";
import { type RunReport, runPi } from "../rig/headless.ts";

const inTests = (name: string) => fileURLToPath(new URL(`../arguments/extensions/${name}`, import.meta.url));

interface Line {
	readonly id?: string;
	readonly input?: unknown;
	readonly changed?: readonly string[];
}

describe.each([
	["pi's own tools with the repair", inTests("repair.ts")],
	["the extension", CHECKOUT],
])("arguments inside the real pi: %s", (_what, extension) => {
	const home = createHome();
	const log = join(home.dir, "log.jsonl");
	let report: RunReport;
	let lines: readonly Line[] = [];
	const broken = '{"path": "a';

	beforeAll(async () => {
		for (const [name, text] of Object.entries(FILES)) {
			mkdirSync(dirname(join(home.work, name)), { recursive: true });
			writeFileSync(join(home.work, name), text);
		}
		const script = [...CASES.map(({ tool, sent }) => ({ name: tool, arguments: sent })), { name: "read", arguments: broken }, { name: "read", arguments: {} }];
		report = await runPi(script, { home, extensions: [extension, inTests("log-calls.ts")], tools: "read,write,edit,bash,grep,find,ls", env: { SLUICE_TEST_LOG: log } });
		lines = readFileSync(log, "utf8").trim().split("\n").map((line) => JSON.parse(line) as Line);
	}, 120_000);
	afterAll(() => home.remove());

	test.each(CASES.map((each, index) => ({ ...each, index })))("$tool: $shape", ({ index, sent, prepared, result, file }) => {
		const call = report.calls[index];
		const ran = lines.find(({ id }) => id === call?.id);
		if (prepared instanceof RegExp) {
			expect(call?.received).toMatchObject({ isError: true, text: expect.stringMatching(prepared) });
			expect(ran).toBeUndefined();
		} else expect(ran?.input).toEqual(prepared);
		if (result !== undefined) expect(call?.received.text).toMatch(result);
		if (file !== undefined) expect(readFileSync(join(home.work, file[0]), "utf8")).toBe(file[1]);
		// The transcript keeps what the model sent.
		const blocks = report.requests.flatMap(({ messages }) => messages).flatMap(({ content }) => (typeof content === "string" ? [] : content)) as unknown as { id?: string; input?: unknown }[];
		expect(blocks.find(({ id }) => id === call?.id)?.input).toEqual(sent);
	});

	test("nothing was written or run that was not asked for", () => {
		for (const name of ["null", "null.ts", "d.ts", "here.txt", "true"]) expect(existsSync(join(home.work, name))).toBe(false);
	});

	if (extension !== CHECKOUT) test("what was repaired is told, and only then", () => {
		const repaired = CASES.filter(({ sent, prepared }) => !(prepared instanceof RegExp) && JSON.stringify(sent) !== JSON.stringify(prepared));
		expect(lines.filter(({ changed }) => changed !== undefined).length).toBeGreaterThanOrEqual(repaired.length);
		expect(lines.every(({ changed }) => changed === undefined || changed.length > 0)).toBe(true);
	});

	test("arguments that are no JSON are reported by pi, with what was received", () => {
		const [unreadable, empty] = report.calls.slice(-2);
		expect(unreadable?.received.text).toContain(broken);
		expect(empty?.received.text).toMatch(/path: missing/);
	});
});
