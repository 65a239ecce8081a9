import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";
import { native } from "../native.ts";
import { Announcer } from "./announce.ts";
import { registerCommand } from "./command/index.ts";
import { missingBinary } from "./missing.ts";
import { Takeovers } from "./registration.ts";
import { Session } from "./session.ts";
import { takeoversFor } from "./tools.ts";

/** The pi extension. Registers nothing that the model sees before the session starts. */
export default function sluice(pi: ExtensionAPI): void {
	const announcer = new Announcer();
	const session = new Session();
	const takeovers = new Takeovers(pi, announcer);
	registerCommand(pi, session);
	pi.on("session_start", (_event, ctx) => {
		const problems = session.start(pi, ctx);
		for (const problem of problems) announcer.say(ctx, `settings: ${problem}. The default holds.`, "error");
		if (!session.settings.enabled) return;
		if (!native.available) announcer.say(ctx, missingBinary(native.errors));
		takeovers.register(ctx, takeoversFor(ctx.cwd, session, native.available));
	});
	pi.on("agent_start", (_event, ctx) => takeovers.check(ctx));
}
