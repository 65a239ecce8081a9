// What the tables are made of. The code that applies them knows kinds and conversions, and no tool by name.
import type { SourceId } from "./sources.ts";

/** What a field holds, and so which repairs are safe for its value. */
export type Kind =
	/** A file or folder. */
	| "path"
	/** Text that is written or compared as it is. */
	| "text"
	/** A search pattern. */
	| "pattern"
	/** A glob over file names. */
	| "glob"
	/** A shell command. */
	| "command"
	| "flag"
	/** A line number, 1-based. */
	| "line"
	/** A number of lines, matches or entries. */
	| "count"
	/** A duration in seconds. */
	| "seconds"
	/** A list of pairs, see {@link Table.pairs}. */
	| "pairs";

/** How the value under another name becomes the value of a field. Without one it is taken as it is. */
export type Conversion =
	/** The flag's opposite. */
	| "not"
	/** Milliseconds, to seconds. */
	| "milliseconds"
	/** A count for which 0 and -1 mean "all". */
	| "total"
	/** One value, also as a list of one; several of them are several calls. */
	| "one"
	/** One of several values of which the largest covers all. */
	| "widest"
	/** Part of a file name: `*part*`, unless it is a glob already. */
	| "fuzzy"
	/** First and last line, inclusive. */
	| "range"
	/** The last line, inclusive. */
	| "last-line"
	/** True: the whole file, so neither first line nor number of lines. */
	| "whole"
	/** A line number that counts from 0, as its name says. */
	| "from-zero"
	/** The last line, inclusive, counted from 0. */
	| "last-from-zero"
	/** Results to leave out at the front: more results are asked for, so that the wanted ones are among them. */
	| "skip"
	/** A name of ripgrep's file types. */
	| "file-type"
	/** A glob of files to leave out. */
	| "exclude"
	/** True: the empty text, if no text was sent. */
	| "empty"
	/** True: the text ends in a line break. */
	| "line-end"
	/** The folder a command runs in. */
	| "directory"
	/** The number of lines wanted from the front of the output. */
	| "head"
	/** The number of lines wanted from the end of the output. */
	| "tail";

/** One field of a tool's schema. */
export interface Field {
	readonly kind: Kind;
	readonly required?: true;
	/** What to send, for the refusal of a null. */
	readonly send?: string;
	/** Why the empty text is refused. Absent: it is not. */
	readonly filled?: string;
	/** Text for a file: an object is written as JSON if the file is JSON, and one outer code fence is taken off. */
	readonly file?: true;
	/** The tool's own default. */
	readonly fallback?: number;
}

interface Evidence {
	/** The name as it was seen. Other spellings of it match by letters and digits alone. */
	readonly alias: string;
	/** Where it was seen. */
	readonly source: SourceId;
	/** The row holds only for values of this JSON type; an object only if there is something in it. */
	readonly when?: "string" | "number" | "boolean" | "list" | "object";
}

/** A name for a field. */
export interface Rename extends Evidence {
	readonly to: string;
	readonly as?: Conversion;
}

/** A name for something the tool has no field for, and does not need. */
export interface Drop extends Evidence {
	readonly drop: true;
	/** Values that ask for something that would silently not happen: these are refused. */
	readonly unless?: readonly (string | number | boolean)[];
	/** What to send instead. */
	readonly send?: string;
}

/** A name for something that the tool cannot do. */
export interface Refusal extends Evidence {
	/** What to send instead. */
	readonly refuse: string;
	/** A field that makes the call complete without it. Then it stays for the validator. */
	readonly instead?: string;
}

export type Row = Rename | Drop | Refusal;

/** All that is known about the arguments of one tool. */
export interface Table {
	readonly fields: Readonly<Record<string, Field>>;
	readonly rows: readonly Row[];
	/** The fields that hold the first line and the number of lines. */
	readonly lines?: { readonly first: string; readonly count: string };
	/** The field that holds a list of pairs, and the table of one pair. `once`: a field that all pairs must share. */
	readonly pairs?: { readonly field: string; readonly item: Table; readonly once: string };
}

/** Arguments as they are taken apart. */
export type Arguments = Readonly<Record<string, unknown>>;

/** Whether a value is an object that is not a list. */
export function isRecord(value: unknown): value is Arguments {
	return typeof value === "object" && value !== null && !Array.isArray(value);
}
