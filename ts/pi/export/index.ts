import { readFile, writeFile } from "node:fs/promises";
import { basename, resolve } from "node:path";
import type { ExtensionAPI, ExtensionCommandContext } from "@earendil-works/pi-coding-agent";
import { oneLine } from "../../text/plain.ts";
import { tell } from "../announce.ts";
import { plural } from "../format/numbers.ts";
import { recordsIn } from "../records.ts";
import { hasReceipt } from "../render/receipt.ts";
import { expandPath } from "../shell.ts";
import { addReceipts } from "./page.ts";
import { piInvocation } from "./pi.ts";

/** How long pi may take for a page, in milliseconds. */
const TIMEOUT_MS = 60_000;

/**
 * Writes pi's own HTML export of the session, with the receipts in it. pi's `/export` cannot show them: its page draws the
 * results of bash itself, from their text alone, and has no place for an extension.
 */
export async function exportWithReceipts(pi: ExtensionAPI, ctx: ExtensionCommandContext, file: string | undefined): Promise<void> {
	const session = ctx.sessionManager.getSessionFile();
	if (session === undefined) return tell(ctx, "Sluice: pi keeps no file of this conversation, so there is nothing to export.", "error");
	const path = resolve(ctx.cwd, file === undefined ? `pi-session-${basename(session, ".jsonl")}.html` : expandPath(file));
	const { command, args } = piInvocation(["--export", session, path]);
	const { code, stdout, stderr } = await pi.exec(command, args, { cwd: ctx.cwd, timeout: TIMEOUT_MS });
	if (code !== 0) return tell(ctx, `Sluice: pi could not export the session: ${oneLine(stderr || stdout)}`, "error");
	// Of all branches: the page can show each.
	const records = recordsIn(ctx.sessionManager.getEntries()).filter(({ record }) => hasReceipt(record));
	const receipts = new Map(records.map(({ callId, record }) => [callId, record]));
	const page = addReceipts(await readFile(path, "utf8"), receipts);
	if (page === undefined) return tell(ctx, `Sluice: exported to ${path} without receipts: this pi's page is not known.`, "warning");
	await writeFile(path, page);
	tell(ctx, `Session exported to: ${path} (${plural(receipts.size, "receipt")})`, "info");
}
