// The only file that knows the binding. Without it the package still imports: `native.available` is false.
import { createRequire } from "node:module";
import type * as Binding from "../binding/binding.cjs";
import { SluiceError } from "./errors.ts";

export type { Binding };

/** Whether the native engine could be loaded, and if not, why. */
export const native: {
	/** True once the addon is loaded. */
	readonly available: boolean;
	/** The addon's version; absent without one. */
	readonly version?: string;
	/** The platform package's suffix, for example `linux-x64-gnu`; absent without an addon. */
	readonly target?: string;
	/** The error of each load attempt; empty if the addon is loaded. */
	readonly errors: readonly Error[];
} = (() => {
	try {
		const binding = load();
		return { available: true, version: binding.version(), target: `${process.platform}-${process.arch}`, errors: [] };
	} catch (error) {
		return { available: false, errors: [error instanceof Error ? error : new Error(String(error))] };
	}
})();

/** The addon's exports. @throws SluiceError `NATIVE_UNAVAILABLE`, whose cause lists every load attempt. */
export function binding(): typeof Binding {
	try {
		return load();
	} catch (error) {
		throw new SluiceError("NATIVE_UNAVAILABLE", "the native engine of pi-sluice could not be loaded", { cause: error });
	}
}

function load(): typeof Binding {
	return createRequire(import.meta.url)("../binding/binding.cjs") as typeof Binding;
}
