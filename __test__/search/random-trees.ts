// Random trees and calls, for comparison with pi's own tools.
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import fc from "fast-check";

/** Something in a tree; `path` may hold bytes that are no UTF-8. */
export interface Item {
	readonly path: readonly string[];
	readonly kind: "file" | "folder" | "link" | "rules" | "repository";
	readonly content: Buffer;
	readonly target: string;
}

const NAMES = ["a", "b", "src", "lib", "a.ts", "b.txt", "A.TS", "Sub", "x.log", "x.tmp", "y.test.ts", ".hidden", ".env", "node_modules", "build", "-dash", "sp ace", "[b]", "{c}", "ü.ts", "漢", "star*", "a\\b", "q?", "!n", "#h", "~t", "@at", "caf\xe9"];
// No rule that is no glob: because of one pi throws all results away.
const RULES = ["*.log", "*.tmp", "!x.log", "/a", "/a/", "a/", "build/", "b.txt", "!b.txt", "**/src", "src/**", "/src/*.ts", "**/lib/*", "lib/b", "*", "!*/", "!*.ts", "[ab]", "# no rule", "", "\\!n", "\\#h", "sp ace", "{a,b}", ".*", "!.env", "/*/a.ts", "a/**/b", "*.ts ", "x.???", "\uFEFFlib", "A.ts", "sub", "**", "/**", "./a", "a//b", "src/", "/Sub/b*", "node_modules", "[", "a["];
// No U+2028: pi's reader takes it for the end of a line, and loses both halves.
const LINES = ["needle", "Needle 2", "hay", "", "  needle\t", "a.b", "axb", "néedle 漢 needle", "😀 needle", "\ufeffneedle", "needle\rneedle", "needle\r", `needle ${"x".repeat(600)}`, `${"é".repeat(495)}needle`, `${"😀".repeat(250)}needle`, "fn foo_handler(x)", "-needle", "\u0085needle"];
const PATTERNS = ["needle", "NEEDLE", "^needle$", "needle$", "^", "$", "^$", "a.b", "\\bneedle\\b", "n.edle", "[^h]", "hay|needle", "\\s+needle", "(?i)NEEDLE", "\\w+_handler", "need(le)?", "é", "\\p{Han}", "-needle", "--", "x{300}", "needle.*needle", "^.{3}$", "\\x{1F600}", "(?s).needle", "(?-u:\\xe9)", "\\r", "[[:alpha:]]+2", ".\\z", "\\Aneedle"];
const GLOBS = ["*.ts", "*.TS", "**/*.ts", "src/**", "src/", "/src", "/a.ts", "src/*.ts", "{a,b}*", "!*.ts", "!src/**", "./a*", "!./b*", "*", "**", "**/*", "[ab].*", "?.ts", "a", "**/a/**", "sp ace", "\\[b\\]", "*.{ts,txt}", ".*", "!.*", "nosuch*", "Sub/b.txt", "lib", "\\!n", "a\\\\b"];
const FINDS = ["*", "*.ts", "*.TS", "A*", "a*", "src/**", "src/*", "**/*.ts", "./src/*.ts", "././*", "**/a", "a/**/b", "**", "**/", "src/", "{a,b}*", "[ab]*", "[!a]*", "?.ts", ".*", "sub", "Sub", "Sub/*", "sub/*", "\\[b\\]", "star\\*", "-dash", "!n", "#h", "sp ace", "ü*", "Ü*", "漢", "node_modules", "build/**/a", "*/*", "*/*/*", "nosuch", "/**/a", "**/src/**", "q\\?", "a\\\\b", "~t", "@at", "*.{ts,txt}", "x.???"];
const PATHS = [".", "./", "src", "src/", "a", "b", "lib", "Sub", "a/b", "src/..", "./a/../b", "node_modules", "build", ".hidden", "a.ts", "b.txt", ".env", "absent", "@src", "a.ts/", "sp ace", "[b]", "{c}", "-dash", "~t", "@at", "caf\xe9"];

const utf16 = (text: string, bigEndian: boolean) => {
	const bytes = Buffer.from(`\ufeff${text}`, "utf16le");
	return bigEndian ? bytes.swap16() : bytes;
};

const text = fc.tuple(fc.array(fc.constantFrom(...LINES), { maxLength: 8 }), fc.constantFrom("\n", "\n", "\r\n"), fc.boolean()).map(([lines, ending, final]) => lines.join(ending) + (final ? ending : ""));
const content: fc.Arbitrary<Buffer> = fc.oneof(
	{ weight: 8, arbitrary: text.map((t) => Buffer.from(t)) },
	{ weight: 1, arbitrary: fc.tuple(text, fc.boolean()).map(([t, bigEndian]) => utf16(t, bigEndian)) },
	{ weight: 1, arbitrary: fc.tuple(text, text).map(([before, after]) => Buffer.from(`${before}\0${after}`)) },
	{ weight: 1, arbitrary: fc.tuple(text, fc.uint8Array({ maxLength: 6 }), text).map(([a, bytes, b]) => Buffer.concat([Buffer.from(a), bytes, Buffer.from(b)])) },
	{ weight: 1, arbitrary: fc.tuple(fc.constantFrom(...LINES), fc.integer({ min: 1000, max: 9000 })).map(([line, times]) => Buffer.from(`${line}\n`.repeat(times).slice(0, 150_000) + "\nend\n")) },
	{ weight: 1, arbitrary: fc.constantFrom("", "\n", "\0", "\ufeff", "needle").map((t) => Buffer.from(t)) },
);
const path = fc.array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 4 });
const folder = fc.array(fc.constantFrom("a", "b", "src", "lib", "Sub", ".hidden"), { maxLength: 2 });
const nothing = { content: Buffer.alloc(0), target: "" };
const item: fc.Arbitrary<Item> = fc.oneof(
	{ weight: 12, arbitrary: fc.record({ path, kind: fc.constant("file" as const), content, target: fc.constant("") }) },
	{ weight: 2, arbitrary: path.map((path) => ({ ...nothing, path, kind: "folder" as const })) },
	{ weight: 2, arbitrary: fc.record({ path, kind: fc.constant("link" as const), content: fc.constant(nothing.content), target: fc.constantFrom(".", "..", "a", "../a", "a.ts", "absent", "src") }) },
	{
		weight: 4,
		arbitrary: fc
			.tuple(folder, fc.constantFrom(".gitignore", ".gitignore", ".ignore", ".rgignore", ".fdignore", ".git/info/exclude"), fc.array(fc.constantFrom(...RULES), { minLength: 1, maxLength: 4 }), fc.constantFrom("\n", "\r\n"))
			.map(([folder, name, rules, ending]) => ({ ...nothing, path: [...folder, ...name.split("/")], kind: "rules" as const, content: Buffer.from(rules.join(ending)) })),
	},
	{ weight: 1, arbitrary: folder.map((folder) => ({ ...nothing, path: [...folder, ".git", "HEAD"], kind: "repository" as const })) },
);

/** A tree. */
export const tree: fc.Arbitrary<Item[]> = fc.array(item, { minLength: 3, maxLength: 25 });

const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
const defined = <T extends object>(args: T) => Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** A call of a tool. */
export type Call = { readonly tool: "grep" | "find" | "ls" | "read"; readonly args: Record<string, unknown> };

const grepCall = fc.record({ pattern: fc.constantFrom(...PATTERNS), path: optional(fc.constantFrom(...PATHS)), glob: optional(fc.constantFrom(...GLOBS)), ignoreCase: optional(fc.boolean()), literal: fc.option(fc.boolean(), { freq: 1, nil: undefined }), context: optional(fc.integer({ min: -1, max: 4 })) });
const findCall = fc.record({ pattern: fc.constantFrom(...FINDS), path: optional(fc.constantFrom(...PATHS)) });
const limits = fc.oneof(fc.integer({ min: -1, max: 12 }), fc.constant(2.5));
const lsCall = fc.record({ path: optional(fc.constantFrom(...PATHS)), limit: optional(limits) });
const readCall = fc.record({ path: fc.constantFrom(...PATHS), offset: optional(fc.integer({ min: -2, max: 12 })), limit: optional(limits) });

/** Calls on a tree: their answers do not depend on an order that pi's tools leave open. */
export const calls: fc.Arbitrary<Call[]> = fc.array(
	fc.oneof(
		{ weight: 4, arbitrary: grepCall.map((args) => ({ tool: "grep" as const, args: { ...defined(args), limit: 100_000 } })) },
		{ weight: 4, arbitrary: findCall.map((args) => ({ tool: "find" as const, args: { ...defined(args), limit: 100_000 } })) },
		{ weight: 1, arbitrary: lsCall.map((args) => ({ tool: "ls" as const, args: defined(args) })) },
		{ weight: 1, arbitrary: readCall.map((args) => ({ tool: "read" as const, args: defined(args) })) },
	),
	{ minLength: 10, maxLength: 10 },
);

/** Makes a tree in the folder `root`, which is emptied. What does not fit together - a folder in a file - is left out. */
export function makeTree(root: string, items: readonly Item[]): void {
	rmSync(root, { recursive: true, force: true });
	mkdirSync(root, { recursive: true });
	for (const { path, kind, content, target } of items) {
		// Latin-1 letters are single bytes, which are no UTF-8; the rest is.
		const name = Buffer.concat([Buffer.from(root), ...path.map((part) => Buffer.concat([Buffer.from("/"), part === "caf\xe9" ? Buffer.from(part, "latin1") : Buffer.from(part)]))]);
		try {
			mkdirSync(Buffer.from(dirname(name.toString("latin1")), "latin1"), { recursive: true });
			if (kind === "folder") mkdirSync(name);
			else if (kind === "link") symlinkSync(target, name);
			else writeFileSync(name, content);
		} catch (error) {
			if (!["EEXIST", "ENOTDIR", "EISDIR", "ENOENT", "ELOOP", "EACCES"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
		}
	}
}
