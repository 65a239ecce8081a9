import { SluiceError } from "../errors.ts";
import type { GuardOptions } from "./run-guarded.ts";

const POLICIES: readonly unknown[] = ["auto", "always", "never"];

/** Refuses what cannot be meant, before anything runs. @throws SluiceError `INVALID_ARGUMENT`, naming the option */
export function checkRun(command: string, options: GuardOptions): void {
	if (typeof command !== "string" || command.includes("\0")) throw invalid("a command is a string without NUL characters");
	if (options.timeoutMs !== undefined && !(isAmount(options.timeoutMs) && options.timeoutMs > 0)) {
		throw invalid(`timeoutMs is more than 0 milliseconds, not ${options.timeoutMs}`);
	}
	const { slowMs, maxOutputBytes, finishLimits } = options;
	const amounts = { slowMs, maxOutputBytes, "finishLimits.ms": finishLimits?.ms, "finishLimits.bytes": finishLimits?.bytes };
	for (const [name, value] of Object.entries(amounts)) {
		if (value !== undefined && !isAmount(value)) throw invalid(`${name} is a number from 0 on, not ${value}`);
	}
	for (const name of ["keepLog", "finish"] as const) {
		const value = options[name];
		if (value !== undefined && !POLICIES.includes(value)) throw invalid(`${name} is one of ${POLICIES.join(", ")}, not ${String(value)}`);
	}
}

function isAmount(value: unknown): value is number {
	return typeof value === "number" && value >= 0;
}

function invalid(message: string): SluiceError {
	return new SluiceError("INVALID_ARGUMENT", message);
}
