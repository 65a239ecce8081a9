// Another extension that provides bash. OTHER_WHEN: factory (default), session_start or agent_start.
import { createBashToolDefinition, type ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function otherBash(pi: ExtensionAPI): void {
	const own = createBashToolDefinition(process.cwd());
	const register = () =>
		pi.registerTool({
			...own,
			async execute(...call) {
				const result = await own.execute(...call);
				return { ...result, content: [{ type: "text", text: "from the other extension" }] };
			},
		});
	const when = process.env["OTHER_WHEN"] ?? "factory";
	if (when === "session_start") pi.on("session_start", register);
	else if (when === "agent_start") pi.on("before_agent_start", register);
	else register();
}
