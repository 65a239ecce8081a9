import type { GuardPlan } from "../../../ts/guard/plan/types.ts";
import { rewrite } from "../../../ts/guard/run/prelude.ts";
import type { Outcome, Sandbox } from "./sandbox.ts";

/**
 * The rewritten text with the real functions and no engine behind them: the descriptors they ask are empty, so that every
 * window runs its views as written. Whatever differs from the plain command is the rewriting's fault.
 */
export function simulated(command: string, plan: GuardPlan): string {
	return rewrite(command, plan, { nonce: "0123456789abcdef", reportStatus: false });
}

/** The same with the least possible functions, which hide nothing that goes wrong in the rewriting itself. */
export function bare(command: string, plan: GuardPlan): string {
	const full = simulated(command, plan);
	const end = '\\return "$1"; }; ';
	return `__sluice(){ return 1; }; __sluice_w(){ return 1; }; __sluice_f(){ return 1; }; ${full.slice(full.indexOf(end) + end.length)}`;
}

/**
 * Runs a command plain and rewritten, and tells how they differ; `undefined` if not. A command whose plain runs differ among
 * themselves is compared with each of them.
 */
export async function difference(
	sandbox: Sandbox,
	shell: readonly string[],
	command: string,
	rewritten: string,
	env?: Readonly<Record<string, string>>,
): Promise<{ plain: Outcome; other: Outcome } | undefined> {
	return differs(() => sandbox.run(shell, command, env), () => sandbox.run(shell, rewritten, env));
}

/** The same for any two ways to run a command. */
export async function differs(runPlain: () => Promise<Outcome>, runOther: () => Promise<Outcome>): Promise<{ plain: Outcome; other: Outcome } | undefined> {
	const key = ({ stdout, stderr, status, files }: Outcome) => JSON.stringify([stdout, stderr, status, files]);
	let [plain, other] = await Promise.all([runPlain(), runOther()]);
	const plains = new Set<string>([key(plain)]);
	for (let attempt = 0; attempt < 6; attempt++) {
		if (plains.has(key(other))) return undefined;
		[plain, other] = await Promise.all([runPlain(), runOther()]);
		plains.add(key(plain));
	}
	return plains.has(key(other)) ? undefined : { plain, other };
}
