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
import { guardedBash } from "./bash/definition.ts";
import type { AnyTool, Takeover } from "./registration.ts";
import type { Session } from "./session.ts";
import { type PiToolName, TOOL_NAMES } from "./settings.ts";

const NO_REPAIR = "arguments are not repaired";

/** The tools to take over in this session: all that the settings allow, each made from pi's own definition. */
export function takeoversFor(cwd: string, session: Session, nativeAvailable: boolean): Takeover[] {
	const definitions: Record<PiToolName, () => AnyTool> = {
		bash: () => (nativeAvailable ? guardedBash(cwd, session) : createBashToolDefinition(cwd, session.shell)),
		read: () => createReadToolDefinition(cwd, { autoResizeImages: session.autoResizeImages }),
		edit: () => createEditToolDefinition(cwd),
		write: () => createWriteToolDefinition(cwd),
		grep: () => createGrepToolDefinition(cwd),
		find: () => createFindToolDefinition(cwd),
		ls: () => createLsToolDefinition(cwd),
	};
	return TOOL_NAMES.filter((name) => session.settings.tools[name]).map((name) => {
		const losses = name === "bash" && nativeAvailable ? `commands are not guarded and ${NO_REPAIR}` : NO_REPAIR;
		return { definition: withRepair(name, definitions[name](), session), losses };
	});
}

/** The tool with arguments repaired before pi validates them; pi's own preparation follows. */
function withRepair(name: PiToolName, definition: AnyTool, session: Session): AnyTool {
	if (!session.settings.repairArguments) return definition;
	return { ...definition, prepareArguments: prepareWith(name, definition.prepareArguments, () => session.countRepair()) };
}
