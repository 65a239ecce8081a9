// A pi extension that repairs the arguments of pi's own tools and tells what came of it.
import { appendFileSync } from "node:fs";
import {
	createBashToolDefinition,
	createEditToolDefinition,
	createFindToolDefinition,
	createGrepToolDefinition,
	createLsToolDefinition,
	createReadToolDefinition,
	createWriteToolDefinition,
	type ExtensionAPI,
	type ToolDefinition,
} from "@earendil-works/pi-coding-agent";
import { prepareWith, type ToolName } from "../../../ts/index.ts";

export default function (pi: ExtensionAPI): void {
	const cwd = process.cwd();
	const definitions = [createReadToolDefinition(cwd), createWriteToolDefinition(cwd), createEditToolDefinition(cwd), createBashToolDefinition(cwd), createGrepToolDefinition(cwd), createFindToolDefinition(cwd), createLsToolDefinition(cwd)];
	// oxlint-disable-next-line typescript/no-explicit-any
	for (const definition of definitions as readonly ToolDefinition<any, any, any>[]) {
		const prepareArguments = prepareWith(definition.name as ToolName, definition.prepareArguments, (changed) => appendFileSync(process.env["SLUICE_TEST_LOG"] ?? "", `${JSON.stringify({ changed })}\n`));
		pi.registerTool({ ...definition, prepareArguments });
	}
}
