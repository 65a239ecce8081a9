import { type HereDoc, type HereString, type ParsedScript, type Redirect, type SyntaxNode, forEachChild, parse } from "unbash";
import type { Skipped } from "./gap.ts";
import { doubtfulExpansions } from "./text.ts";
import { isTiled } from "./tiling.ts";
import type { PassReason } from "./types.ts";

/** A text that the parser and bash are known to read in the same way. */
export interface CheckedScript {
	readonly source: string;
	readonly script: ParsedScript;
	/** Every node, nested scripts included, parents before children. */
	readonly nodes: readonly SyntaxNode[];
	readonly hereDocs: readonly HereDoc[];
	/** Bodies and closing lines of the here-documents, in text order. */
	readonly bodies: readonly Skipped[];
}

/** Nodes that a text of the permitted length can reasonably have; nested scripts are parsed again at each level. */
const MAX_NODES = 400_000;
const MAX_HERE_DOCS = 16;

/** Parses a command, or tells why the parse cannot be trusted. Never throws. */
export function parseChecked(source: string): CheckedScript | PassReason {
	try {
		return check(source);
	} catch (error) {
		// Deep nesting overflows the parser's stack; it has no other way to say so.
		if (error instanceof RangeError) return "too-deep";
		throw error;
	}
}

function check(source: string): CheckedScript | PassReason {
	const script = parse(source);
	if (script.errors?.length) return "syntax";
	const nodes: SyntaxNode[] = [];
	/** Source of the escaped-backtick script that a node is in; absent for the command's own text. */
	const decoded = new Map<SyntaxNode, string>();
	const stack: SyntaxNode[] = [script];
	for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
		if (nodes.push(node) > MAX_NODES) return "too-deep";
		const reason = distrust(node, decoded.get(node) ?? source);
		if (reason !== undefined) return reason;
		const own = node.type === "Script" && node !== script ? node.source : undefined;
		const text = own ?? decoded.get(node);
		forEachChild(node, (child) => {
			if (text !== undefined) decoded.set(child, text);
			stack.push(child);
		});
		if (own !== undefined) decoded.set(node, own);
	}
	const hereDocs = nodes.filter((node): node is HereDoc => node.type === "HereDoc").sort((a, b) => a.pos - b.pos);
	if (hereDocs.length > MAX_HERE_DOCS || hereDocs.some((doc) => decoded.has(doc) || !isPlainHereDoc(doc))) return "heredoc";
	const bodies = hereDocs.map((doc) => ({ pos: doc.body.pos, end: afterLine(source, (doc.closing as Skipped).end) }));
	bodies.sort((a, b) => a.pos - b.pos);
	for (const node of nodes) {
		const text = decoded.get(node);
		if (!isTiled(text ?? source, node, text === undefined ? bodies : [])) return "parse-doubt";
	}
	const doubts = doubtfulExpansions(source);
	if (doubts.length > 0) {
		const quoted: Skipped[] = nodes.filter((node) => node.type === "SingleQuoted" && !decoded.has(node));
		for (const doc of hereDocs) if (doc.delimiter?.quoted) quoted.push(doc.body);
		if (!areCovered(doubts, quoted)) return "parse-doubt";
	}
	return { source, script, nodes, hereDocs, bodies };
}

/** Whether each of the ascending offsets lies in one of the spans, which do not overlap. */
function areCovered(offsets: readonly number[], spans: readonly Skipped[]): boolean {
	const sorted = [...spans].sort((a, b) => a.pos - b.pos);
	let next = 0;
	return offsets.every((at) => {
		while (next < sorted.length && (sorted[next] as Skipped).end <= at) next++;
		const span = sorted[next];
		return span !== undefined && span.pos <= at;
	});
}

/** Node-level faults of the parser: text it accepts and bash rejects, or reads in another way. */
function distrust(node: SyntaxNode, source: string): PassReason | undefined {
	switch (node.type) {
		case "Script":
			return (node as ParsedScript).errors?.length ? "syntax" : undefined;
		case "CommandExpansion":
		case "ProcessSubstitution":
			return node.script === undefined || looksArithmetic(node, source) ? "parse-doubt" : undefined;
		case "Subshell":
			return looksArithmetic(node, source) ? "parse-doubt" : undefined;
		case "ExtendedGlob":
			return "extglob";
		case "Pipeline":
			return node.commands.length === 0 ? "parse-doubt" : undefined;
		case "TestCommand":
			return source.slice(node.pos, node.end).includes("\n") ? "parse-doubt" : undefined;
		case "TestUnary":
			return node.operand.text === "]]" ? "parse-doubt" : undefined;
		case "TestBinary":
			return node.right.text === "]]" || node.left.text === "]]" ? "parse-doubt" : undefined;
		case "Redirect":
		case "HereString":
			return isDoubtfulTarget(node, source) ? "parse-doubt" : undefined;
		default:
			return undefined;
	}
}

/** `((a)` with a newline before the last parenthesis: bash reads arithmetic, and does not come back from it on a later line. */
function looksArithmetic({ pos, end }: SyntaxNode, source: string): boolean {
	return /^\$?\(\(/.test(source.slice(pos, pos + 3)) && source.slice(pos, end).includes("\n");
}

/** A number or `{x}` is a descriptor if a redirection follows at once; `=()` is no word. */
function isDoubtfulTarget({ operator, target }: Redirect | HereString, source: string): boolean {
	if (target === undefined || target.text.startsWith("=(")) return true;
	const duplicates = operator === ">&" || operator === "<&";
	return /^(?:\d+|\{\w+\})$/.test(target.text) && (!duplicates || /[<>]/.test(source[target.end] ?? ""));
}

/** A delimiter of one piece, and a closing line: bash only warns when that is missing. */
function isPlainHereDoc(doc: HereDoc): boolean {
	return doc.closing !== undefined && /^(?:[\w.-]+|'[\w. -]+'|"[\w. -]+"|\\[\w.-]+)$/.test(doc.delimiter?.text ?? "");
}

function afterLine(source: string, end: number): number {
	return source[end] === "\n" ? end + 1 : end;
}
