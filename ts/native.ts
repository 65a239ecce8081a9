// The only file that knows the binding. It is loaded on first use; without it the package still imports.
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type * as Binding from "../binding/binding.cjs";
import { SluiceError } from "./errors.ts";
import { type Attempt, describeFailure } from "./native/failure.ts";
import { type Machine, PREBUILT, suffixOf, thisMachine } from "./native/target.ts";
import { assertWhole } from "./native/whole.ts";
import { VERSION } from "./version.ts";

export type { Binding };

type Outcome = { readonly engine: typeof Binding; readonly target: string } | { readonly failed: SluiceError; readonly errors: readonly Error[] };

const require = createRequire(import.meta.url);
let outcome: Outcome | undefined;

/** Whether the native engine could be loaded, and if not, why. Reading a property loads the engine, once. */
export const native: {
	/** True once the addon is loaded. */
	readonly available: boolean;
	/** The addon's version, equal to the package's; undefined without one. */
	readonly version?: string;
	/** The platform package's suffix, for example `linux-x64-gnu`; undefined without an addon. */
	readonly target?: string;
	/** The error of each load attempt, in order; empty if the addon is loaded. */
	readonly errors: readonly Error[];
} = Object.defineProperties({} as { available: boolean; errors: readonly Error[] }, {
	available: { enumerable: true, get: () => "engine" in load() },
	version: { enumerable: true, get: () => ("engine" in load() ? VERSION : undefined) },
	target: { enumerable: true, get: () => (load() as { target?: string }).target },
	errors: { enumerable: true, get: () => (load() as { errors?: readonly Error[] }).errors ?? [] },
});

/**
 * The addon's exports.
 * @throws SluiceError `NATIVE_UNAVAILABLE`: its message names the platform, the package, each attempt's error and the
 * remedies; its cause is an `AggregateError` of the attempts.
 */
export function binding(): typeof Binding {
	const result = load();
	if ("failed" in result) throw result.failed;
	return result.engine;
}

/** Why there is no engine, in words for a person; undefined if there is one. */
export function nativeFailure(): SluiceError | undefined {
	return (load() as { failed?: SluiceError }).failed;
}

function load(): Outcome {
	outcome ??= search(thisMachine(), process.env["SLUICE_NATIVE_PATH"] || undefined);
	return outcome;
}

/** SLUICE_NATIVE_PATH alone if it is set; else the checkout's own build, then the platform package. */
function search(machine: Machine, override: string | undefined): Outcome {
	const suffix = suffixOf(machine);
	const prebuilt = PREBUILT.includes(suffix);
	const attempts: Attempt[] = [];
	for (const candidate of override !== undefined ? [resolve(override)] : candidates(suffix, prebuilt)) {
		try {
			const path = require.resolve(candidate);
			if (path.endsWith(".node")) assertWhole(path);
			return { engine: checked(require(path)), target: suffix };
		} catch (error) {
			attempts.push(...chain(error).map((each) => ({ candidate, error: each })));
		}
	}
	const foreign = PREBUILT.filter((other) => other !== suffix && installed(`pi-sluice-${other}`)).map((other) => `pi-sluice-${other}`);
	const errors = attempts.map(({ error }) => error);
	const message = describeFailure({ machine, suffix, prebuilt, version: VERSION, attempts, foreign, override });
	return { errors, failed: new SluiceError("NATIVE_UNAVAILABLE", message, { cause: new AggregateError(errors, "no load attempt succeeded") }) };
}

/** On a platform without a package only a build of one's own can exist: napi-rs's generated loader knows all their names. */
function candidates(suffix: string, prebuilt: boolean): readonly string[] {
	const inBinding = (file: string) => fileURLToPath(new URL(`../binding/${file}`, import.meta.url));
	return prebuilt ? [inBinding(`sluice.${suffix}.node`), `pi-sluice-${suffix}`] : [inBinding("binding.cjs")];
}

/** An error and its causes: the generated loader hangs each of its attempts onto the one before. */
function chain(error: unknown): Error[] {
	if (!(error instanceof Error)) return error === undefined ? [] : [new Error(String(error))];
	return [error, ...chain(error.cause)];
}

/** The module, if it is the engine of exactly this version. */
function checked(module: unknown): typeof Binding {
	const { version } = (module ?? {}) as { version?: unknown };
	if (typeof version !== "function") throw new Error("this is not the engine of pi-sluice: it exports no version()");
	const found = String(version());
	if (found !== VERSION) throw new Error(`this engine is version ${found}; pi-sluice is ${VERSION}`);
	return module as typeof Binding;
}

function installed(name: string): boolean {
	try {
		require.resolve(`${name}/package.json`);
		return true;
	} catch {
		return false;
	}
}
