// A pi extension that writes down with which arguments each tool runs.
import { appendFileSync } from "node:fs";
import type { ExtensionAPI } from "@earendil-works/pi-coding-agent";

export default function (pi: ExtensionAPI): void {
	pi.on("tool_call", (event) => {
		appendFileSync(process.env["SLUICE_TEST_LOG"] ?? "", `${JSON.stringify({ id: event.toolCallId, input: event.input })}\n`);
	});
}
