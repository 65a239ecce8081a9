import type { PiToolGuardDetails } from "../../guard/record.ts";
import type { Palette } from "../format/palette.ts";
import { drawReceipt } from "../render/receipt.ts";

/** The width for which pi draws other tools in its page, in characters. */
const WIDTH = 100;

/** The page's names for the colours. In a drawing they are a terminal's, so that widths are measured as always. */
const COLOURS = ["accent", "muted", "warning"] as const;
const coloured = (index: number) => (text: string) => `\x1b[3${index}m${text}\x1b[39m`;
const PALETTE: Palette = { accent: coloured(0), muted: coloured(1), warning: coloured(2) };
// oxlint-disable-next-line no-control-regex
const COLOURED = /\x1b\[3(\d)m([^\x1b]*)\x1b\[39m/g;

/** The page builds its rows when it is opened and whenever another branch is shown. */
const SCRIPT = `(receipts) => {
	const messages = document.getElementById("messages");
	const place = () => {
		for (const [id, html] of Object.entries(receipts)) {
			const row = document.getElementById("tool-call-" + id);
			if (row && !row.querySelector(".sluice-receipt")) row.insertAdjacentHTML("beforeend", html);
		}
	};
	new MutationObserver(place).observe(messages, { childList: true });
	place();
}`;

/** pi's page with receipts below the results of the given calls, or `undefined` if it is none of pi's. */
export function addReceipts(page: string, records: ReadonlyMap<string, PiToolGuardDetails>): string | undefined {
	const end = page.lastIndexOf("</body>");
	if (end === -1 || !page.includes('id="messages"')) return undefined;
	const receipts = Object.fromEntries([...records].map(([id, record]) => [id, receiptHtml(record)]));
	// Nothing in it may end the script or start a comment.
	const data = JSON.stringify(receipts).replaceAll("<", "\\u003c");
	return `${page.slice(0, end)}<script>\n(${SCRIPT})(${data});\n</script>\n${page.slice(end)}`;
}

/** A receipt in the page's own colours. */
function receiptHtml(record: PiToolGuardDetails): string {
	const text = drawReceipt(record, WIDTH, PALETTE).join("\n");
	const html = text
		.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
		.replace(COLOURED, (_all, colour: string, inner: string) => `<span style="color: var(--${COLOURS[Number(colour)]})">${inner}</span>`);
	return `<pre class="sluice-receipt" style="margin: 1em 0 0; white-space: pre-wrap">${html}</pre>`;
}
