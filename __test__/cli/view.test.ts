import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { main, node, sluice } from "./sluice.ts";

const folder = mkdtempSync(join(tmpdir(), "sluice-view-"));
const file = join(folder, "x.log");
writeFileSync(file, "ok 1\nFAIL 2\nok 3\n");
afterAll(() => rmSync(folder, { recursive: true }));

const view = (args: string[], input?: string) => sluice(["view", ...args], input);

test.each<[string[], string, string, number]>([
	[["grep FAIL", file], "FAIL 2\n", "", 0],
	[["tail -1", file], "ok 3\n", "", 0],
	[["grep nothing", file], "", "", 1],
	[["--", "grep -c ok", file], "2\n", "", 0],
	[["tail -1"], "input\n", "", 0],
	[["tail -1", "-"], "input\n", "", 0],
	[["head -0"], "", "", 0],
])("sluice view %j", (args, stdout, stderr, status) => {
	expect(view(args, "some\ninput\n")).toEqual([stdout, stderr, status]);
});

test("what the engine says about binary input goes to stderr", () => {
	expect(view(["grep -n a"], "a\0\n")).toEqual(["", "grep: (standard input): binary file matches\n", 0]);
});

test.each([
	[["tail -f", file], "`-f`"],
	[["tail -1", join(folder, "none")], "none: No such file or directory\n"],
	[["tail -1", folder], folder],
	[[], "in quotes"],
	[["tail", "-1", file], "in quotes"],
])("sluice view %j ends with status 2 and says why", (args, message) => {
	const [stdout, stderr, status] = view(args);
	expect([stdout, status]).toEqual(["", 2]);
	expect(stderr).toContain(message);
});

test("a reader that goes away ends it as it ends other tools", () => {
	writeFileSync(join(folder, "large"), "0123456789\n".repeat(1 << 20));
	const script = `"$0" "$1" view 'grep 5' "$2" | head -1; echo "\${PIPESTATUS[0]}"`;
	const { stdout } = spawnSync("bash", ["-c", script, node, main, join(folder, "large")], { encoding: "utf8" });
	expect(stdout).toBe("0123456789\n141\n");
});
