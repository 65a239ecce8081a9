// The session as a page: pi's own has the notice and the record; ours has the receipts, too.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";
import type { PiToolGuardDetails } from "../../ts/guard/record.ts";
import { addReceipts } from "../../ts/pi/export/page.ts";
import { bash } from "../rig/headless.ts";
import { drivePi } from "../rig/rpc.ts";

/** Opens a page's last script as a browser would, over rows with these ids; returns what it put into each row, and a redraw. */
function open(page: string, ids: readonly string[]) {
	const rows = new Map<string, string[]>();
	let redrawn: () => void = () => expect.unreachable();
	const redraw = () => ids.forEach((id) => rows.set(`tool-call-${id}`, []));
	const element = (id: string) => {
		const added = rows.get(id);
		if (added === undefined) return id === "messages" ? {} : null;
		const find = (selector: string) => added.find((html) => html.includes(`class="${selector.slice(1)}"`)) ?? null;
		return { querySelector: find, insertAdjacentHTML: (_where: string, html: string) => added.push(html) };
	};
	class MutationObserver {
		constructor(changed: () => void) {
			redrawn = changed;
		}
		observe() {}
	}
	redraw();
	const script = /<script>\n((?:(?!<script>)[^])*)\n<\/script>\n<\/body>/.exec(page)?.[1];
	runInNewContext(script ?? "", { document: { getElementById: element }, MutationObserver });
	const text = (id: string) => rows.get(`tool-call-${id}`)!.join("").replaceAll(/<[^>]*>/g, "");
	return { text, redraw: () => (redraw(), redrawn(), redrawn()) };
}

describe("an HTML export", () => {
	it("by pi has the notice and the record; by /sluice export also the receipt", async () => {
		const script = [bash("sleep 0.5; seq 1 1234 | grep 7 | tail -2"), bash("seq 9 | tail -1"), { text: "done" }];
		const pi = await drivePi(script, { settings: { sluice: { slowMs: 400 } }, session: true });
		try {
			await pi.prompt("go");
			const plain = join(pi.home.work, "plain.html");
			expect(await pi.send({ type: "export_html", outputPath: plain })).toMatchObject({ success: true });
			await pi.prompt("/sluice export with receipts.html");
			const path = join(pi.home.work, "with receipts.html");
			const said = pi.events.find((event) => event["method"] === "notify");
			expect(said?.["message"]).toBe(`Session exported to: ${path} (1 receipt)`);
			const ours = readFileSync(path, "utf8");
			for (const page of [readFileSync(plain, "utf8"), ours]) {
				const data = /<script id="session-data" type="application\/json">([^<]*)</.exec(page)?.[1];
				const { entries } = JSON.parse(Buffer.from(data ?? "", "base64").toString());
				const { message } = entries.find((entry: { message?: { role: string } }) => entry.message?.role === "toolResult");
				expect(message.content[0].text).toContain(`Full output: ${message.details.fullOutputPath}]`);
				expect(message.details.piToolGuard).toMatchObject({ version: 1, removedPipeline: "grep 7 | tail -2" });
			}
			const [slow, fast] = pi.model.calls.map((call) => call.id) as [string, string];
			const { text } = open(ours, [slow, fast]);
			expect(text(slow)).toMatch(/^🛡 sluice · grep 7 \| tail -2\n {3}Context saved · 1,234 → 2 lines · 99% smaller · 4\.9 KiB saved\n {3}Took 0\.\ds {2}█+░* {2}cmd/);
			expect(text(fast)).toBe("");
		} finally {
			await pi.close();
		}
	});

	it("has receipts whatever a command holds, and has them again when another branch is shown", () => {
		const record: PiToolGuardDetails = {
			version: 1,
			originalCommand: "",
			cleanedCommand: "",
			removed: ["grep"],
			removedPipeline: `grep '</script><!-- <b>&"\x1b[31m'`,
			outcome: "projection-applied",
		};
		const page = addReceipts('<body><div id="messages"></div>\n</body>', new Map([["a/\"1", record]]))!;
		expect(page.match(/<\/script>|<!--/g)).toHaveLength(1);
		const opened = open(page, ["a/\"1", "other"]);
		const expected = "🛡 sluice · grep '&#60;/script&#62;&#60;!-- &#60;b&#62;&#38;&#34; [31m'";
		expect(opened.text("a/\"1")).toBe(expected);
		opened.redraw();
		expect(opened.text("a/\"1")).toBe(expected);
		expect(opened.text("other")).toBe("");
	});

	it("that is no page of pi's is left alone", () => expect(addReceipts("<body></body>", new Map())).toBeUndefined());
});
