import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

it("docs/guard.md explains every reason to pass, and no other", () => {
	const types = readFileSync(new URL("../../ts/guard/plan/types.ts", import.meta.url), "utf8");
	const union = types.slice(types.indexOf("export type PassReason"));
	const reasons = [...union.matchAll(/^\t\| "([a-z0-9-]+)"/gm)].map((match) => match[1] as string);
	const docs = readFileSync(new URL("../../docs/guard.md", import.meta.url), "utf8");
	const table = docs.slice(docs.indexOf("## Reasons to pass"), docs.indexOf("## When a view"));
	const explained = table
		.split("\n")
		.filter((line) => line.startsWith("| `"))
		.flatMap((line) => [...(line.split(" | ")[0] as string).matchAll(/`([a-z0-9-]+)`/g)].map((match) => match[1] as string));
	expect(explained.sort()).toEqual(reasons.sort());
});
