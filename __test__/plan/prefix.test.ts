import { describe, expect, it } from "vitest";
import { prefixReason } from "../../ts/guard/plan/prefix.ts";

describe("prefixReason", () => {
	it.each(["", "source ~/.bashrc", "shopt -s expand_aliases\nalias greet='echo hello'", "shopt -s expand_aliases; . ~/.aliases", "export X=1", "set -euo pipefail", "trap 'echo bye' EXIT", "tail() { echo mine; }", 'eval "$(direnv export bash)"'])(
		"guards commands behind %j",
		(prefix) => expect(prefixReason(prefix)).toBeUndefined(),
	);

	it.each([
		["set -x", "shell-option"],
		["set -o verbose", "shell-option"],
		["shopt -s extdebug", "shell-option"],
		["exec 2>&1", "exec-redirect"],
		["trap 'echo $BASH_COMMAND' DEBUG", "trap"],
		["command() { echo mine; }", "function-shadow"],
		["LC_ALL=C", "environment-assignment"],
		["ulimit -v 1000000", "resource-limit"],
		["echo '", "syntax"],
	])("does not behind %j", (prefix, reason) => expect(prefixReason(prefix)).toBe(reason));
});
