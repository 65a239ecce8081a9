/** What {@link planCommand} decided about a command. */
export type CommandPlan = GuardPlan | PassPlan;

/** The command goes to the shell as it is, byte for byte. */
export interface PassPlan {
	readonly action: "pass";
	readonly reason: PassReason;
}

/** Some pipelines of the command end in views that can be handed to the engine. */
export interface GuardPlan {
	readonly action: "guard";
	/** The command without the views of {@link windows} and their pipe operators. For the record; never run. */
	readonly cleanedCommand: string;
	/** In text order, never overlapping, at least one. */
	readonly windows: readonly PlannedWindow[];
	/** The command reads `PIPESTATUS`: a producer that a view leaves early must end as in bash, never run on. */
	readonly pipeStatus: boolean;
	/** Mentions `pipefail`, with which a failing view before the last one shows. */
	readonly pipeFail: boolean;
	/** Uses syntax that bash before 4 rejects with a message that quotes the text: `|&`, `&>>`, `;&`, `! !`. */
	readonly bash4: boolean;
	/** Uses the keyword `time`; zsh then shows the text of each stage. */
	readonly timed: boolean;
}

/** The trailing views of one pipeline. */
export interface PlannedWindow {
	/** UTF-16 offset of the first character of the first view's name. */
	readonly start: number;
	/** UTF-16 offset behind the last view, its redirections included. */
	readonly end: number;
	/** The views for the engine, redirections dropped: `grep -E x | tail -5`. Words that are not literal keep their source text. */
	readonly views: string;
	/** Names of the views, in order. */
	readonly removed: readonly string[];
	/** Every word is literal, so the engine knows the arguments before the run. */
	readonly literal: boolean;
	/** `call`: the text from `start` to `end` means {@link body}. `insert`: the shell must expand {@link views} first; one view only. */
	readonly form: "call" | "insert";
	/** `call`: the views as shell text on one line, redirections included. `insert`: the source text. */
	readonly body: string;
	/** Newlines of the replaced text that {@link views} does not hold. The replacement must hold as many, or later line numbers change. */
	readonly lines: number;
	/**
	 * Where the views' own messages go: the command's stderr, nowhere, the command's stdout, or (`other`) a place that only
	 * the shell can write to, so that views which may have something to say must run in the shell.
	 */
	readonly stderr: "inherit" | "null" | "stdout" | "other";
	/**
	 * Each simple command of the producer, as far as its words are literal ("" where not), for the finish policy.
	 * Loops that cannot end and inputs are told in the same form: `["while", "true"]`, `["<", "/dev/zero"]`.
	 */
	readonly producers: readonly (readonly string[])[];
	/** The producer only reads this file and nothing in the command writes: relative to the directory the command starts in. */
	readonly sourceFile?: string;
}

/** Why a command is left alone. Stable words; docs/guard.md explains each. */
export type PassReason =
	// Nothing to hand over.
	| "no-view"
	| "platform"
	// The text, or what the parser makes of it.
	| "too-long"
	| "too-many-windows"
	| "too-deep"
	| "control-character"
	| "lone-surrogate"
	| "leading-dash"
	| "trailing-backslash"
	| "reserved-name"
	| "syntax"
	| "parse-doubt"
	| "extglob"
	| "heredoc"
	// The view itself.
	| "view-name"
	| "view-operand"
	| "view-option"
	| "view-expansion"
	| "view-environment"
	| "view-redirect"
	// Where it stands.
	| "view-not-last"
	| "stdout-redirected"
	| "substitution"
	| "function"
	| "background"
	| "coproc"
	| "select"
	// What would notice the rewrite.
	| "process-listing"
	| "file-descriptor"
	| "exec-redirect"
	| "shell-option"
	| "trap"
	| "alias"
	| "introspection"
	| "function-shadow"
	| "nested-text"
	| "environment-assignment"
	| "resource-limit";
