// read, grep, find and ls inside the real pi: pi's results, without rg and fd.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { runPi, type RunReport } from "../rig/headless.ts";
import { createHome, NODE } from "../rig/home.ts";
import { normalize } from "../rig/normalize.ts";

const READ_AND_LS = [
	{ name: "read", arguments: { path: "many.txt" } },
	{ name: "read", arguments: { path: "many.txt", offset: 2998 } },
	{ name: "read", arguments: { path: "many.txt", offset: 4000 } },
	{ name: "read", arguments: { path: "none.txt" } },
	{ name: "ls", arguments: {} },
	{ name: "ls", arguments: { path: "src", limit: 1 } },
];

describe("read, grep, find and ls", () => {
	const home = createHome();
	afterAll(home.remove);
	let plain: RunReport;
	let ours: RunReport;
	beforeAll(async () => {
		mkdirSync(join(home.work, ".git"));
		mkdirSync(join(home.work, "src"));
		mkdirSync(join(home.work, "ignored"));
		writeFileSync(join(home.work, ".gitignore"), "ignored\n");
		writeFileSync(join(home.work, "many.txt"), Array.from({ length: 3000 }, (_, i) => `line ${i + 1}\n`).join(""));
		for (const name of ["b", "a", "c"]) writeFileSync(join(home.work, "src", `${name}.ts`), `// ${name}\nconst needle = "${name}";\n`);
		writeFileSync(join(home.work, "ignored", "d.ts"), "needle\n");
		const options = { tools: "+grep,+find,+ls", cwd: home.work };
		plain = await runPi(READ_AND_LS, { ...options, extensions: [] });
		const searches = [
			{ name: "grep", arguments: { pattern: "needle" } },
			{ name: "grep", arguments: { regex: "needle", path: "src", limit: "2" } },
			{ name: "find", arguments: { glob: "**/*.ts" } },
		];
		// Neither rg nor fd is to be found.
		ours = await runPi([...READ_AND_LS, ...searches], { ...options, env: { PATH: join(NODE, "..") } });
	}, 60_000);

	it.each(READ_AND_LS.map((call, index) => ({ call: JSON.stringify(call), index })))("as pi: $call", ({ index }) => {
		const result = ({ received, isError, details, structured }: RunReport["calls"][number]) => normalize(JSON.stringify({ received, isError, details, structured }));
		expect(result(ours.calls[index]!)).toBe(result(plain.calls[index]!));
	});

	it("search without rg and fd, in order", () => {
		const [all, two, found] = ours.calls.slice(-3).map((call) => call.received.text);
		expect(all).toBe(["a", "b", "c"].map((name) => `src/${name}.ts:2: const needle = "${name}";`).join("\n"));
		expect(two).toBe(`${["a", "b"].map((name) => `${name}.ts:2: const needle = "${name}";`).join("\n")}\n\n[2 matches limit reached. Use limit=4 for more, or refine pattern]`);
		expect(found).toBe("src/a.ts\nsrc/b.ts\nsrc/c.ts");
	});

	it("tell the model what pi tells it", () => {
		expect(ours.declared).toEqual(plain.declared);
	});
});
