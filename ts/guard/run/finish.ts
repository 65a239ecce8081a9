import { basename } from "node:path";
import type { Binding } from "../../native.ts";
import { producerEnding } from "../plan/finish.ts";
import { endsUnseen } from "../plan/silent.ts";
import type { GuardPlan, PlannedWindow } from "../plan/types.ts";

/** What happens to a producer whose views have seen enough: by its kind, always run on, or never. */
export type FinishPolicy = "auto" | "always" | "never";

/** The plan's windows in the engine's terms. */
export function captureWindows(plan: GuardPlan, policy: FinishPolicy): Binding.CaptureWindow[] {
	return plan.windows.map((window) => {
		const finish = ending(plan, window, policy);
		return {
			...(window.literal ? { views: window.views } : {}),
			names: window.removed.map((name) => basename(name)),
			finish,
			stopVisible: plan.pipeStatus || (finish === "stop" && !endsUnseen(window.producers)),
			stderr: window.stderr,
		};
	});
}

function ending(plan: GuardPlan, window: PlannedWindow, policy: FinishPolicy): Binding.CaptureWindow["finish"] {
	if (policy === "never" || plan.pipeStatus) return "stop";
	return policy === "always" ? "run-on" : producerEnding(window.producers);
}
