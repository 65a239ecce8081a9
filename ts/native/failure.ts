import type { Machine } from "./target.ts";

/** One place where the engine was looked for. */
export interface Attempt {
	/** What was tried: a path or a package's name. */
	readonly candidate: string;
	/** Why it did not work. */
	readonly error: Error;
}

/** What the message of a failed load is made of. */
export interface Failure {
	readonly machine: Machine;
	/** The suffix of the package that would fit. */
	readonly suffix: string;
	/** Whether such a package is published. */
	readonly prebuilt: boolean;
	readonly version: string;
	readonly attempts: readonly Attempt[];
	/** Platform packages found here that are for other machines. */
	readonly foreign: readonly string[];
	/** The value of SLUICE_NATIVE_PATH, if it was set. */
	readonly override?: string | undefined;
}

/** One message: the platform, the package, each attempt's own error, and what to do. */
export function describeFailure(failure: Failure): string {
	const { machine, suffix, prebuilt, version, attempts, foreign } = failure;
	const name = `pi-sluice-${suffix}`;
	const libc = machine.libc ? `, ${machine.libc}${machine.libcVersion ? ` ${machine.libcVersion}` : ""}` : "";
	return [
		`The native engine of pi-sluice ${version} could not be loaded on ${machine.platform} ${machine.arch}${libc} (Node ${process.versions.node}).`,
		prebuilt ? `Package for this platform: ${name}@${version}` : `There is no prebuilt package for this platform (it would be ${name}).`,
		"Tried:",
		...attempts.map(({ candidate, error }) => `  - ${candidate}: ${firstLine(error)}`),
		...(foreign.length > 0 ? [`Installed for another platform: ${foreign.join(", ")}`] : []),
		"What helps:",
		...remedies(failure, name).map((remedy) => `  - ${remedy}`),
	].join("\n");
}

function remedies({ override, prebuilt, foreign, version, attempts }: Failure, name: string): string[] {
	if (override !== undefined) return [`SLUICE_NATIVE_PATH is set and replaces the search: correct it (${override}) or unset it.`];
	if (attempts.some(({ error }) => (error as NodeJS.ErrnoException).code === "ERR_DLOPEN_DISABLED")) {
		return ["Node was started with --no-addons or --permission, here or in NODE_OPTIONS: leave that out, or add --allow-addons."];
	}
	const list: string[] = [];
	if (prebuilt) {
		if (foreign.length > 0) list.push("node_modules was made on, or for, another platform: remove it and install again on this one.");
		list.push(
			`npm install ${name}@${version} (optional dependencies must not be left out: no --omit=optional, --no-optional, --ignore-optional).`,
			"If a lock file made on another platform leaves the package out (npm before 11.3): remove node_modules and the lock file, then install.",
		);
	}
	if (attempts.some(({ error }) => /version `?GLIBC_/.test(error.message))) list.push("The C library here is too old for the prebuilt engine: see the floors in README.");
	list.push("From a git checkout: npm run setup builds the engine (needs Rust and a C linker).", "SLUICE_NATIVE_PATH=/path/to/sluice.node names an engine of your own.");
	return list;
}

/** Node appends the stack of requires to "Cannot find module"; the first line says all. */
function firstLine(error: Error): string {
	return error.message.split("\n", 1)[0] ?? "";
}
