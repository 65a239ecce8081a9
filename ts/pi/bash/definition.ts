import { planCommand } from "../../guard/plan/plan.ts";
import { readPiToolGuardDetails } from "../../guard/record.ts";
import type { Session } from "../session.ts";
import { executeGuarded } from "./execute.ts";
import type { BashDefinition } from "./types.ts";

/**
 * pi's bash tool, with commands that end in views guarded. Name, texts, schemas and renderers are pi's own; a command
 * without views runs through pi's own execution.
 */
export function guardedBash(own: BashDefinition, cwd: string, session: Session): BashDefinition {
	return {
		...own,
		async execute(id, params, signal, onUpdate, ctx) {
			const plan = session.enabled ? planCommand(params.command) : undefined;
			if (plan?.action !== "guard") return own.execute(id, params, signal, onUpdate, ctx);
			const watch = session.status.watch(ctx, params.command, session.settings);
			try {
				const options = { cwd, shell: session.shell, settings: session.settings };
				const result = await executeGuarded(plan, options, id, params, signal, onUpdate, ctx);
				session.remember(id, readPiToolGuardDetails(result.details));
				return result;
			} finally {
				watch.stop();
			}
		},
	};
}
