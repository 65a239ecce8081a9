import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { nativeFailure } from "../native.ts";
import { Announcer } from "./announce.ts";
import { endRuns } from "./bash/execute.ts";
import { registerCommand } from "./command/index.ts";
import { Takeovers } from "./registration.ts";
import { withReceipts } from "./render/result.ts";
import { Session } from "./session.ts";
import { takeoversFor } from "./tools.ts";

/** The pi extension. Registers nothing that the model sees before the session starts. */
export default function sluice(pi: ExtensionAPI): void {
	const announcer = new Announcer();
	if (typeof pi.registerToolRenderer !== "function") {
		// A factory that throws would keep pi from starting.
		pi.on("session_start", (_event, ctx) => announcer.say(ctx, "pi 1.6 or newer is needed; nothing was changed."));
		return;
	}
	const session = new Session();
	const takeovers = new Takeovers(pi, announcer);
	registerCommand(pi, session);
	// Not part of the definition: after a reload pi redraws the transcript before the session starts.
	pi.registerToolRenderer((name, next) => (name === "bash" ? withReceipts(next(), () => session.settings.notices.receipt) : next()));
	pi.on("session_start", (_event, ctx) => {
		const problems = session.start(pi, ctx);
		for (const problem of problems) announcer.say(ctx, `settings: ${problem}. The default holds.`, "error");
		if (!session.settings.enabled) return;
		if (session.obstacle !== undefined) announcer.say(ctx, `commands are not guarded: ${session.obstacle}.`);
		const failure = nativeFailure();
		if (failure !== undefined) announcer.say(ctx, `commands are not guarded, pi's own tools stay; arguments are still repaired. ${failure.message}`);
		takeovers.register(ctx, takeoversFor(ctx.cwd, session, failure === undefined));
	});
	pi.on("agent_start", (_event, ctx) => takeovers.check(ctx));
	pi.on("session_shutdown", () => {
		session.status.end();
		endRuns();
	});
}
