// Which commands are views, which only change data, and what may stand around a window, in the real pi.
import { beforeAll, describe, expect, it } from "vitest";
import { type PiToolGuardDetails, readPiToolGuardDetails } from "../../ts/guard/record.ts";
import { bash, type CallReport, runPi } from "../rig/headless.ts";

const VIEWS = ["head -2", "tail -2", "grep 1", "egrep '1|2'", "fgrep 1", "rg 1", "less", "more"];
const TRANSFORMS = ["sed s/1/x/", "awk '{ print $1 }'", "cut -c1", "sort -r", "uniq", "wc -l", "column", "jq .", "yq .", "tr 1 x"];
const AROUND = [
	["cd . && ", ""],
	["X=1; ", ""],
	["true; ", ""],
	[": && ", ""],
	["test 1 -lt 2 && ", ""],
	["[ 1 -lt 2 ] && ", ""],
	["echo before && ", ""],
	["seq 3 | head -1 && ", ""],
	["", "; echo behind"],
	["", '; echo "R=$?"'],
	["cat <<'E' >/dev/null\ntext\nE\n", ""],
] as const;

/** Commands with what they are without their views; the same text: not guarded. */
const COMMANDS: readonly (readonly [command: string, cleaned: string])[] = [
	...VIEWS.map((view) => [`seq 12 | ${view}`, "seq 12"] as const),
	...TRANSFORMS.map((transform) => [`seq 12 | ${transform}`, `seq 12 | ${transform}`] as const),
	...TRANSFORMS.map((transform) => [`seq 12 | ${transform} | tail -1`, `seq 12 | ${transform}`] as const),
	...AROUND.map(([before, behind]) => [`${before}seq 12 | tail -1${behind}`, `${before.replace(" | head -1", "")}seq 12${behind}`] as const),
];

describe("in pi", () => {
	let plain: readonly CallReport[];
	let guarded: readonly CallReport[];
	beforeAll(async () => {
		const script = COMMANDS.map(([command]) => bash(command));
		const settings = { sluice: { notices: { hiddenFailure: false } } };
		[{ calls: plain }, { calls: guarded }] = await Promise.all([runPi(script, { extensions: [], settings }), runPi(script, { settings })]);
	}, 60_000);

	it.each(COMMANDS.map(([command, cleaned], index) => ({ command, cleaned, index })))("$command", ({ command, cleaned, index }) => {
		const record = readPiToolGuardDetails(guarded[index]!.details);
		expect(record?.cleanedCommand).toBe(cleaned === command ? undefined : cleaned);
		expect(guarded[index]!.received).toEqual(plain[index]!.received);
	});

	it("names the views in order", () => {
		const removed = (command: string) => record(command)?.removed;
		const record = (command: string): PiToolGuardDetails | undefined => readPiToolGuardDetails(guarded[COMMANDS.findIndex(([text]) => text === command)]!.details);
		expect(VIEWS.map((view) => removed(`seq 12 | ${view}`))).toEqual(VIEWS.map((view) => [view.split(" ")[0]]));
		expect(removed("seq 3 | head -1 && seq 12 | tail -1")).toEqual(["head", "tail"]);
	});
});
