import { statSync } from "node:fs";
import { SluiceError } from "../errors.ts";
import { projectFileWith } from "../projection/file.ts";
import { createProjector, parseView, type Projection, type ViewPipeline } from "../projection/index.ts";
import { parseArguments, USAGE } from "./arguments.ts";
import { BROKEN_PIPE, BrokenPipe, writeOut } from "./output.ts";
import { ProgressLine } from "./progress.ts";

const SYNTAX = {
	name: "view",
	help: `Usage: sluice view [--] '<views>' [FILE]

Prints what the real tools would print for FILE, or for standard input if there is no FILE or it is -, and exits as
they would: sluice view "grep -E 'FAIL|ERROR' | tail -40" build.log
Views are head, tail, grep, egrep, fgrep, rg, less and more. Only what the views need is read.
Status 2: the views cannot be reproduced exactly, or the input cannot be read.
`,
	options: {},
	words: [1, 2],
	expected: "give the views as one argument, in quotes",
} as const;

/** `sluice view '<views>' [FILE]`. */
export async function view(args: readonly string[]): Promise<number> {
	const parsed = parseArguments(args, SYNTAX);
	if (typeof parsed === "number") return parsed;
	const [text = "", path = "-"] = parsed.positionals;
	try {
		const pipeline = parseView(text);
		const end = path === "-" ? await fromStdin(pipeline) : await fromFile(path, pipeline);
		process.stderr.write(end.stderr);
		return end.exitCode;
	} catch (error) {
		if (error instanceof BrokenPipe) return BROKEN_PIPE;
		if (!(error instanceof SluiceError)) throw error;
		process.stderr.write(`sluice view: ${error.message}\n`);
		return USAGE;
	}
}

async function fromFile(path: string, pipeline: ViewPipeline): Promise<Projection> {
	let progress: ProgressLine | undefined;
	const onOutput = (piece: Uint8Array) => {
		progress?.clear();
		writeOut(piece);
	};
	const onStart = (bytesRead: () => number) => {
		progress = new ProgressLine(bytesRead, statSync(path, { throwIfNoEntry: false })?.size);
	};
	try {
		return await projectFileWith(path, pipeline, { onOutput }, { collect: false, onStart });
	} finally {
		progress?.stop();
	}
}

async function fromStdin(pipeline: ViewPipeline): Promise<Projection> {
	let read = 0;
	const progress = new ProgressLine(() => read, undefined);
	const projector = createProjector(pipeline, {
		onOutput(piece) {
			progress.clear();
			writeOut(piece);
		},
	});
	try {
		if (!projector.satisfied) {
			for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
				read += chunk.length;
				projector.push(chunk);
				if (projector.satisfied) break;
			}
		}
		return projector.finish();
	} finally {
		progress.stop();
		process.stdin.destroy();
	}
}
