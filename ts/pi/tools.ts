import {
	createBashToolDefinition,
	createEditToolDefinition,
	createFindToolDefinition,
	createGrepToolDefinition,
	createLsToolDefinition,
	createReadToolDefinition,
	createWriteToolDefinition,
} from "@earendil-works/pi-coding-agent";
import { prepareWith } from "../arguments/prepare.ts";
import { nativeFind, nativeGrep, nativeLs, nativeRead } from "../tools/pi-overrides.ts";
import { guardedBash } from "./bash/definition.ts";
import type { AnyTool, Takeover } from "./registration.ts";
import type { Session } from "./session.ts";
import { type PiToolName, TOOL_NAMES } from "./settings.ts";

const NO_REPAIR = "arguments are not repaired";

/** The tools to take over: all that the settings allow, each made from pi's own definition. */
export function takeoversFor(cwd: string, session: Session, nativeAvailable: boolean): Takeover[] {
	return TOOL_NAMES.filter((name) => session.settings.tools[name]).map((name) => {
		const own = piDefinition(name, cwd, session);
		const definition = nativeAvailable ? withEngine(name, own, cwd, session) : own;
		const losses = name === "bash" && nativeAvailable ? `commands are not guarded and ${NO_REPAIR}` : NO_REPAIR;
		return { definition: withRepair(name, definition, session), losses };
	});
}

/** pi's own definition, with the settings that pi gives it. */
function piDefinition(name: PiToolName, cwd: string, session: Session): AnyTool {
	switch (name) {
		case "bash":
			return createBashToolDefinition(cwd, session.shell);
		case "read":
			return createReadToolDefinition(cwd, { autoResizeImages: session.autoResizeImages });
		case "edit":
			return createEditToolDefinition(cwd);
		case "write":
			return createWriteToolDefinition(cwd);
		case "grep":
			return createGrepToolDefinition(cwd);
		case "find":
			return createFindToolDefinition(cwd);
		case "ls":
			return createLsToolDefinition(cwd);
	}
}

/** The tool with its work done by the engine. */
function withEngine(name: PiToolName, own: AnyTool, cwd: string, session: Session): AnyTool {
	switch (name) {
		case "bash":
			return guardedBash(own, cwd, session);
		case "read":
			return nativeRead(own, cwd);
		case "grep":
			return nativeGrep(own, cwd);
		case "find":
			return nativeFind(own, cwd);
		case "ls":
			return nativeLs(own, cwd);
		default:
			return own;
	}
}

/** The tool with arguments repaired before pi validates them; pi's own preparation follows. */
function withRepair(name: PiToolName, definition: AnyTool, session: Session): AnyTool {
	if (!session.settings.repairArguments) return definition;
	return { ...definition, prepareArguments: prepareWith(name, definition.prepareArguments, () => session.countRepair()) };
}
