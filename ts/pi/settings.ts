/** Tools that Sluice can take over in pi. */
export const TOOL_NAMES = ["bash", "read", "edit", "write", "grep", "find", "ls"] as const;
export type PiToolName = (typeof TOOL_NAMES)[number];

const POLICIES = ["auto", "always", "never"] as const;
/** `auto` decides by the command, the others do not. */
export type Policy = (typeof POLICIES)[number];

/** Settings of the extension: the key `sluice` of pi's `settings.json`. */
export interface SluiceSettings {
	/** Take part at all. Default true. */
	readonly enabled: boolean;
	/** Which tools to take over. Default: all. */
	readonly tools: Readonly<Record<PiToolName, boolean>>;
	/** Repair arguments of calls before pi validates them. Default true. */
	readonly repairArguments: boolean;
	/** From how many milliseconds on a command is slow: notice, receipt, kept log. Default 10,000. */
	readonly slowMs: number;
	/** Keep the unprojected output: `auto` if slow or larger than pi shows. Default `auto`. */
	readonly keepLog: Policy;
	/** Logs older than this many hours are removed; 1 or more. Default 24. */
	readonly logRetentionHours: number;
	/** Let a producer run on after `head`, `grep -q`, `grep -m` are satisfied: `auto` unless it is cheap to run again. */
	readonly finish: Policy;
	/** How many more bytes a producer may write after that. Default 64 MiB. */
	readonly finishMaxBytes: number;
	/** How many more milliseconds it may run. Default 600,000. */
	readonly finishMaxMs: number;
	readonly notices: {
		/** Tell the model where the log of a slow command is. Default true. */
		readonly log: boolean;
		/** Tell the model that the command failed although the view succeeded. Default true. */
		readonly hiddenFailure: boolean;
		/** Draw a receipt below a slow command. Default true. */
		readonly receipt: boolean;
		/** Show a slow command in the footer while it runs. Default true. */
		readonly status: boolean;
	};
}

/** What holds when nothing is set. */
export const DEFAULT_SETTINGS: SluiceSettings = {
	enabled: true,
	tools: { bash: true, read: true, edit: true, write: true, grep: true, find: true, ls: true },
	repairArguments: true,
	slowMs: 10_000,
	keepLog: "auto",
	logRetentionHours: 24,
	finish: "auto",
	finishMaxBytes: 64 * 1024 * 1024,
	finishMaxMs: 600_000,
	notices: { log: true, hiddenFailure: true, receipt: true, status: true },
};

/** Settings as they hold, and a sentence for every entry that was refused. */
export interface ReadSettings {
	readonly settings: SluiceSettings;
	/** Each names its key. The default holds for a refused entry. */
	readonly problems: readonly string[];
}

/** Reads the value of pi's `sluice` key over the defaults. */
export function readSettings(value: unknown): ReadSettings {
	const problems: string[] = [];
	const settings = value === undefined ? DEFAULT_SETTINGS : readObject("sluice", value, DEFAULT_SETTINGS, problems);
	return { settings, problems };
}

function readObject<T extends object>(path: string, value: unknown, defaults: T, problems: string[]): T {
	if (typeof value !== "object" || value === null || Array.isArray(value)) {
		problems.push(`${path} must be an object, not ${JSON.stringify(value)}`);
		return defaults;
	}
	const result = { ...defaults } as Record<string, unknown>;
	for (const [key, entry] of Object.entries(value)) {
		const name = `${path}.${key}`;
		if (!Object.hasOwn(defaults, key)) {
			problems.push(`${name} is unknown; known are ${Object.keys(defaults).join(", ")}`);
			continue;
		}
		const fallback = (defaults as Record<string, unknown>)[key];
		if (typeof fallback === "object" && fallback !== null) {
			result[key] = readObject(name, entry, fallback, problems);
			continue;
		}
		const expected = expectation(fallback, entry, MINIMUM[name] ?? 0);
		if (expected === undefined) result[key] = entry;
		else problems.push(`${name} must be ${expected}, not ${JSON.stringify(entry)}`);
	}
	return result as T;
}

/** Smallest values of numbers, where that is not 0: a log must outlive what names it. */
const MINIMUM: Readonly<Record<string, number>> = { "sluice.logRetentionHours": 1 };

/** What an entry with this default has to be, or `undefined` if `entry` is. */
function expectation(fallback: unknown, entry: unknown, minimum: number): string | undefined {
	if (typeof fallback === "boolean") return typeof entry === "boolean" ? undefined : "true or false";
	if (typeof fallback === "number") {
		return typeof entry === "number" && Number.isFinite(entry) && entry >= minimum ? undefined : `a number, ${minimum} or more`;
	}
	return POLICIES.some((policy) => policy === entry) ? undefined : `one of ${POLICIES.join(", ")}`;
}
