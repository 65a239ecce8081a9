import { createBashToolDefinition, createEditToolDefinition, createReadToolDefinition, createWriteToolDefinition } from "@earendil-works/pi-coding-agent";
import { guardedBash } from "./bash/definition.ts";
import { definitionOptions } from "./bash/execute.ts";
import type { AnyTool, Takeover } from "./registration.ts";
import type { Session } from "./session.ts";
import type { PiToolName } from "./settings.ts";

const REPAIR = "arguments are not repaired";

/** The tools to take over in this session: all that the settings allow, each made from pi's own definition. */
export function takeoversFor(cwd: string, session: Session, nativeAvailable: boolean): Takeover[] {
	const wanted = (name: PiToolName) => session.settings.tools[name];
	const bash = nativeAvailable ? guardedBash(cwd, session) : createBashToolDefinition(cwd, definitionOptions(session.shell));
	const all: [PiToolName, () => AnyTool, string][] = [
		["bash", () => bash, nativeAvailable ? `commands are not guarded and ${REPAIR}` : REPAIR],
		["read", () => createReadToolDefinition(cwd, { autoResizeImages: session.autoResizeImages }), REPAIR],
		["edit", () => createEditToolDefinition(cwd), REPAIR],
		["write", () => createWriteToolDefinition(cwd), REPAIR],
	];
	return all.filter(([name]) => wanted(name)).map(([, definition, benefit]) => ({ definition: definition(), benefit }));
}
