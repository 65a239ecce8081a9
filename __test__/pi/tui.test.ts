// What a person sees, in pi's real TUI: screens compared with committed ones.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { bash } from "../rig/headless.ts";
import { createHome } from "../rig/home.ts";
import { drivePi } from "../rig/rpc.ts";
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
const onScreen = describe.runIf(spawnSync("tmux", ["-V"]).status === 0);

onScreen.each([40, 120])("at %d columns", (columns) => {
	// A path of known length: it wraps.
	const home = createHome("/tmp");
	afterAll(home.remove);
	const options = { columns, rows: 110, home, session: true, settings };

	it("draws receipts of slow commands only, collapsed and expanded, and again on resume", async () => {
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

onScreen("the TUI", () => {
	it("shows a slow command in the footer, survives a reload, and draws the summary", async () => {
		const two = [bash("sleep 3; seq 1 1234 | tail -1"), { text: "first end" }, bash("sleep 0.5; seq 1 77 | tail -1"), { text: "second end" }];
		const tui = await startTui(two, { columns: 100, rows: 60, settings });
		try {
			await tui.ask("go", /🛡 keeping the full log of sleep 3; seq 1 1234 \| tail -1 · \ds/);
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

describe("an HTML export", () => {
	it("has the notice and the record; pi draws bash results there itself", async () => {
		const pi = await drivePi([bash("sleep 0.5; seq 1 1234 | grep 7 | tail -2")], { settings, session: true });
		try {
			await pi.prompt("go");
			const outputPath = join(pi.home.work, "session.html");
			expect(await pi.send({ type: "export_html", outputPath })).toMatchObject({ success: true });
			const data = /<script id="session-data" type="application\/json">([^<]*)</.exec(readFileSync(outputPath, "utf8"))?.[1];
			const { entries } = JSON.parse(Buffer.from(data ?? "", "base64").toString());
			const { message } = entries.find((entry: { message?: { role: string } }) => entry.message?.role === "toolResult");
			expect(message.content[0].text).toContain(`Full output: ${message.details.fullOutputPath}]`);
			expect(message.details.piToolGuard).toMatchObject({ version: 1, removedPipeline: "grep 7 | tail -2" });
		} finally {
			await pi.close();
		}
	});
});
