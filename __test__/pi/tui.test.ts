// What a person sees, in pi's real TUI: screens compared with committed ones.
import { spawnSync } from "node:child_process";
import { afterAll, describe, it } from "vitest";
import { bash } from "../rig/headless.ts";
import { createHome } from "../rig/home.ts";
import { startTui } from "../rig/tui.ts";

const settings = { sluice: { slowMs: 400 } };
const script = [
	bash("sleep 0.5; seq 1 1234 | grep 7 | tail -8"),
	bash("seq 1 9 | tail -2"),
	bash("sh -c 'sleep 0.5; seq 1 500; exit 3' | tail -1"),
	bash("sleep 0.5; seq 1 9000 | grep nothing"),
	bash("sleep 0.5; echo unchanged | tail -5"),
	{ text: "the end" },
];

/** The transcript on a screen, without what differs between runs. */
function transcript(screen: string): string {
	const from = screen.indexOf("$ sleep");
	const to = screen.indexOf("the end");
	return screen
		.slice(from - 1, to)
		.replaceAll(/sluice-pi-\w{6}/g, "sluice-pi-XXXXXX")
		.replaceAll(/-[0-9a-f]{16}\.log/g, "-0123456789abcdef.log")
		.replaceAll(/\d+(?:\.\d)?m?s\b/g, "<t>")
		.replaceAll("░", "█")
		.replaceAll(/ +$/gm, "")
		.trimEnd();
}

// Everything else is tested without a terminal.
describe.runIf(spawnSync("tmux", ["-V"]).status === 0)("in a terminal", () => {
	describe.concurrent.each([40, 120])("at %d columns", (columns) => {
		// A path of known length: it wraps.
		const home = createHome("/tmp");
		afterAll(home.remove);
		const options = { columns, rows: 110, home, session: true, settings };

		it("draws receipts of slow commands only, collapsed and expanded, and again on resume", async ({ expect }) => {
			const first = await startTui(script, options);
			let collapsed: string;
			let expanded: string;
			try {
				collapsed = transcript(await first.ask("go", "the end"));
				first.press("C-o");
				expanded = transcript(await first.waitFor(/Tool output: expanded/));
				expect(first.screen(true)).toContain("\x1b[");
			} finally {
				await first.close();
			}
			expect(collapsed).toMatchSnapshot("collapsed");
			expect(expanded).toMatchSnapshot("expanded");
			for (const screen of [collapsed, expanded]) {
				expect(screen.match(/🛡/g)).toHaveLength(3);
				expect(Math.max(...screen.split("\n").map((line) => [...line].length))).toBeLessThanOrEqual(columns);
			}
			const second = await startTui([], { ...options, args: ["--continue"] });
			try {
				expect(transcript(await second.waitFor("the end"))).toBe(collapsed);
			} finally {
				await second.close();
			}
		}, 60_000);
	});

	describe.concurrent("the TUI", () => {
		it("shows a slow command in the footer, survives a reload, and draws the summary", async ({ expect }) => {
			const two = [bash("sleep 3; seq 1 1234 | tail -1"), { text: "first end" }, bash("sleep 0.5; seq 1 77 | tail -1"), { text: "second end" }];
			const tui = await startTui(two, { columns: 100, rows: 60, settings });
			try {
				await tui.ask("go", /🛡 \ds · keeping the full log of sleep 3; seq 1 1234 \| tail -1/);
				await tui.waitFor("first end");
				expect(tui.screen()).not.toContain("keeping the full log");
				await tui.ask("/reload", /[Rr]eloaded/);
				await tui.ask("go on", "second end");
				const screen = await tui.ask("/sluice", "Kept logs");
				expect(screen.match(/🛡 sluice · tail -1/g)).toHaveLength(2);
				const summary = screen.slice(screen.indexOf("🛡 Sluice"), screen.indexOf("Longest runs"));
				expect(summary.replaceAll(/ +$/gm, "").trimEnd()).toMatchSnapshot("summary");
			} finally {
				await tui.close();
			}
		}, 60_000);
	});
});
