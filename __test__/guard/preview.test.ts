import { tmpdir } from "node:os";
import { expect, it } from "vitest";
import { planCommand } from "../../ts/index.ts";
import { DEFAULTS } from "../../ts/guard/defaults.ts";
import { runCommand } from "../../ts/guard/run/run.ts";

async function previews(command: string) {
	const plan = planCommand(command);
	if (plan.action !== "guard") throw new Error(plan.reason);
	const seen: string[] = [];
	const { capture } = await runCommand(command, plan, {
		...DEFAULTS,
		shell: "/bin/bash",
		cwd: "/",
		env: process.env,
		keepLog: "never",
		logDir: tmpdir(),
		finish: "auto",
		onPreview: (bytes) => seen.push(Buffer.from(bytes).toString()),
	});
	return { seen, output: Buffer.from(capture.output.bytes).toString() };
}

it("the projection can be seen growing before its place is certain", async () => {
	const steps = "for i in 1 2 3 4; do echo ok $i; echo -; sleep 0.25; done";
	const tail = await previews(`${steps} | tail -2`);
	expect(tail.seen).toContain("ok 2\n-\n");
	expect(tail.output).toBe("ok 4\n-\n");
	const grep = await previews(`${steps} | grep ok`);
	expect(grep.seen).toContain("ok 1\nok 2\n");
	expect(grep.output).toBe("ok 1\nok 2\nok 3\nok 4\n");
});
