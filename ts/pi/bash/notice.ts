import { type BashToolDetails, formatSize } from "@earendil-works/pi-coding-agent";
import type { PiToolGuardDetails } from "../../guard/record.ts";
import { oneLine } from "../../text/plain.ts";
import { clip } from "../format/text.ts";

/** What a notice can be about. */
export interface NoticeFacts {
	/** The kept log. Absent: none is named. */
	readonly log?: { readonly path: string; readonly lines: number; readonly bytes: number };
	/** Why a log that should have been kept was not. */
	readonly logError?: string;
	/** The command failed with this status, and these views hid it. */
	readonly hidden?: { readonly exitCode: number; readonly views: string };
}

/** Which of pi's own endings a text has. */
export interface TextShape {
	/** It ends with a status line: `Command exited with code 1`, `Command aborted` and so on. */
	readonly failed: boolean;
	/** pi cut the output, so its footer follows it. */
	readonly cut: boolean;
}

/**
 * Adds notices to the text of a bash result: after the output, before the status line that pi ends a failure with. The
 * log's notice has the form of pi's own footer, which it replaces if there is one, and names the path last.
 */
export function addNotices(text: string, shape: TextShape, facts: NoticeFacts): string {
	if (facts.log === undefined && facts.logError === undefined && facts.hidden === undefined) return text;
	const { output, footer, status } = takeApart(text, shape);
	const blocks = [output];
	if (facts.hidden !== undefined) blocks.push(hiddenFailure(facts.hidden));
	if (facts.logError !== undefined) blocks.push(`[The full output could not be kept: ${oneLine(facts.logError)}]`);
	if (facts.log !== undefined) blocks.push(logNotice(facts.log, footer));
	else if (footer !== undefined) blocks.push(footer);
	if (status !== undefined) blocks.push(status);
	return blocks.filter((block) => block !== "").reduce((before, block) => before + (before.endsWith("\n") ? "\n" : "\n\n") + block);
}

/** The result without the notice that names the log, for a renderer that shows the path itself. */
export function withoutNotice<T extends { content: unknown[]; details: BashToolDetails | undefined }>(result: T, record: PiToolGuardDetails): T {
	const path = result.details?.fullOutputPath ?? record.sourcePath;
	if (path === undefined) return result;
	const content = result.content.map((block) => {
		if (!isText(block)) return block;
		const end = block.text.lastIndexOf(`Full output: ${path}]`);
		const start = end === -1 ? -1 : block.text.lastIndexOf("\n\n[Showing ", end);
		if (start === -1) return block;
		return { ...block, text: block.text.slice(0, start) + block.text.slice(block.text.indexOf("]", end + path.length) + 1) };
	});
	return { ...result, content };
}

/** The result without the line that tells a hidden failure, and that line, for a renderer that shows it by itself. */
export function takeFailure<T extends { content: unknown[] }>(result: T, record: PiToolGuardDetails): { result: T; failure?: string } {
	const block = result.content.at(-1);
	if (record.commandExitCode === undefined || !isText(block)) return { result };
	const at = block.text.lastIndexOf(FAILURE_START);
	const failure = at === -1 ? "" : block.text.slice(at + 2);
	if (failure.includes("\n") || !failure.endsWith(failureEnd(record.commandExitCode))) return { result };
	return { result: { ...result, content: [...result.content.slice(0, -1), { ...block, text: block.text.slice(0, at) }] }, failure };
}

const FAILURE_START = '\n\n[The command before "| ';
const failureEnd = (exitCode: number) => `" exited with code ${exitCode}]`;

function logNotice(log: NonNullable<NoticeFacts["log"]>, footer: string | undefined): string {
	const amount = `${log.lines} ${log.lines === 1 ? "line" : "lines"} (${formatSize(log.bytes)})`;
	const cut = footer === undefined ? undefined : /^\[Showing (.*)\. Full output: (.*)\]$/s.exec(footer);
	const shown = cut ? `${cut[1]} of the requested view (all of it: ${cut[2]}) of ${amount}` : `the requested view of ${amount}`;
	const how = "To see more, use read with offset and limit, or sed -n 'START,ENDp', on the full output instead of running the command again.";
	return `[Showing ${shown}. ${how} Full output: ${log.path}]`;
}

function hiddenFailure({ exitCode, views }: NonNullable<NoticeFacts["hidden"]>): string {
	return FAILURE_START.trimStart() + clip(oneLine(views), 60) + failureEnd(exitCode);
}

/** The parts of pi's text: the output, the footer of a cut output, the status of a failure. */
function takeApart(text: string, shape: TextShape): { output: string; footer?: string; status?: string } {
	const statusAt = shape.failed ? /(?:^|\n\n)Command [^\n]*$/.exec(text)?.index : undefined;
	const body = text.slice(0, statusAt);
	const status = statusAt === undefined ? {} : { status: text.slice(statusAt).trimStart() };
	const footerAt = shape.cut ? body.lastIndexOf("\n\n[Showing ") : -1;
	if (footerAt === -1) return { output: body, ...status };
	return { output: body.slice(0, footerAt), footer: body.slice(footerAt + 2), ...status };
}

function isText(block: unknown): block is { type: "text"; text: string } {
	return typeof block === "object" && block !== null && "text" in block && typeof block.text === "string";
}
