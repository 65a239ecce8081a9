import { basename } from "node:path";
import type { Binding } from "../../native.ts";
import type { GuardPlan } from "../plan/types.ts";

/** What happens to a producer whose views have seen enough: by its kind, always run on, or never. */
export type FinishPolicy = "auto" | "always" | "never";

/** The plan's windows in the engine's terms. */
export function captureWindows(plan: GuardPlan, policy: FinishPolicy): Binding.CaptureWindow[] {
	return plan.windows.map((window) => ({
		...(window.literal ? { views: window.views } : {}),
		names: window.removed.map((name) => basename(name)),
		finish: policy === "never" || plan.pipeStatus || (policy === "auto" && true) ? "stop" : "run-on",
		statusVisible: plan.pipeStatus,
		stderr: window.stderr,
	}));
}
