/** Where a name or shape was seen: in a harness that models were trained on, in another repair table, or in a report. */
const x1xhlol = "https://github.com/x1xhlol/system-prompts-and-models-of-ai-tools/blob/b8e95891fe6c8f1db651a8ca4d8217f22c73849b";

export const SOURCES = {
	"spelling": { what: "another spelling of the field's own name", url: "https://github.com/Nomadcxx/opencode-cursor/blob/013ff8e37ecfb8440df2e7cfd7fff6e5d4e71008/src/provider/tool-schema-compat.ts" },
	"pi-tool-guard": { what: "alias table: pi-tool-guard", url: "https://github.com/tychenjiajun/pi-tool-guard/blob/19accc7606e53226524bb7ebbf1bb92398d36bd0/aliases.ts" },
	"opencode-cursor": { what: "alias table: opencode-cursor (Cursor models calling opencode tools)", url: "https://github.com/Nomadcxx/opencode-cursor/blob/013ff8e37ecfb8440df2e7cfd7fff6e5d4e71008/src/provider/tool-schema-compat.ts" },
	"amp": { what: "schema: Amp", url: `${x1xhlol}/Amp/claude-4-sonnet.yaml` },
	"anthropic-editor": { what: "schema: Anthropic str_replace editor", url: `${x1xhlol}/Replit/Tools.json` },
	"antigravity": { what: "schema: Google Antigravity", url: `${x1xhlol}/Google/Antigravity/Fast%20Prompt.txt` },
	"augment": { what: "schema: Augment", url: `${x1xhlol}/Augment%20Code/gpt-5-tools.json` },
	"claude-code": { what: "schema: Claude Code", url: `${x1xhlol}/Anthropic/Claude%20Code/Tools.json` },
	"cline": { what: "schema: Cline", url: "https://github.com/cline/cline" },
	"codex": { what: "schema: OpenAI Codex", url: "https://github.com/openai/codex/blob/001cb8e233f250c7086c791c51390286c087faea/codex-rs/core/src/tools/spec.rs" },
	"continue": { what: "schema: Continue", url: "https://github.com/continuedev/continue/tree/main/core/tools/definitions" },
	"copilot": { what: "schema: VS Code Copilot", url: "https://github.com/microsoft/vscode-copilot-chat/blob/31acd00a86424e2ee6e980e54919cf31fbf88030/package.json" },
	"crush": { what: "schema: crush", url: "https://github.com/charmbracelet/crush/tree/37f36e93824e5c4f892e4a817f7f628e2682fe14/internal/agent/tools" },
	"cursor-1": { what: "schema: Cursor agent 1.0", url: `${x1xhlol}/Cursor%20Prompts/Agent%20Tools%20v1.0.json` },
	"cursor-2": { what: "schema: Cursor agent 2.0", url: `${x1xhlol}/Cursor%20Prompts/Agent%20Prompt%202.0.txt` },
	"desktop-commander": { what: "schema: DesktopCommanderMCP", url: "https://github.com/wonderwhy-er/DesktopCommanderMCP/pull/517" },
	"droid": { what: "schema: Factory Droid", url: `${x1xhlol}/Factory/DROID.txt` },
	"gemini-cli": { what: "schema: gemini-cli and Qwen Code", url: "https://github.com/google-gemini/gemini-cli/blob/5411f113cafae26161b4969b0237b8e1e024e2c2/packages/core/src/tools/definitions/base-declarations.ts" },
	"grok-cli": { what: "schema: grok-cli", url: "https://github.com/superagent-ai/grok-cli/blob/fb97af83f06dca873281d60168430f06c8de6324/src/grok/tools.ts" },
	"kimi-cli": { what: "schema: kimi-cli", url: "https://github.com/MoonshotAI/kimi-cli/tree/4a550effdfcb29a25a5d325bf935296cc50cd417/src/kimi_cli/tools" },
	"kiro": { what: "schema: Kiro", url: `${x1xhlol}/Kiro/Spec_Prompt.txt` },
	"manus": { what: "schema: Manus", url: `${x1xhlol}/Manus%20Agent%20Tools%20%26%20Prompt/tools.json` },
	"mcp-filesystem": { what: "schema: MCP filesystem server", url: "https://github.com/modelcontextprotocol/servers/tree/main/src/filesystem" },
	"mistral-vibe": { what: "schema: mistral-vibe", url: "https://github.com/mistralai/mistral-vibe/tree/ac8f1a09fdfbadb6d4508a555ba6607fd05eb0dc/vibe/core/tools/builtins" },
	"opencode": { what: "schema: opencode", url: "https://github.com/anomalyco/opencode/blob/082eeb9612f34d78d7784dd8bfea7acefc6e950e/packages/opencode/src/tool" },
	"openhands": { what: "schema: OpenHands", url: "https://github.com/All-Hands-AI/OpenHands" },
	"roo": { what: "schema: Roo Code native tools", url: "https://github.com/RooCodeInc/Roo-Code/tree/cb836567180a3ff1da6d082f3178b90c3bd22a70/src/core/prompts/tools/native-tools" },
	"same": { what: "schema: Same.dev", url: `${x1xhlol}/Same.dev/Tools.json` },
	"trae": { what: "schema: Trae builder", url: `${x1xhlol}/Trae/Builder%20Tools.json` },
	"v0": { what: "schema: v0", url: `${x1xhlol}/v0%20Prompts%20and%20Tools/Tools.json` },
	"warp": { what: "schema: Warp", url: `${x1xhlol}/Warp.dev/Prompt.txt` },
	"windsurf": { what: "schema: Windsurf wave 11", url: `${x1xhlol}/Windsurf/Tools%20Wave%2011.txt` },
	"zed": { what: "schema: Zed", url: "https://github.com/zed-industries/zed/pull/58257" },
	"multi-edit": { what: "observed: a session of pi 0.64", url: "https://github.com/earendil-works/pi/issues/2949" },
} as const;

/** The name of a source. */
export type SourceId = keyof typeof SOURCES;
