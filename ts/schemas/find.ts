import { Type } from "./typebox.ts";

/** Arguments of `find`: a search for file names. */
export const findSchema = Type.Object({
	pattern: Type.String({
		description:
			"Glob pattern relative to the search directory, e.g. 'src/**/*.ts'. Without '/', e.g. '*.ts', it matches file names at any depth",
	}),
	path: Type.Optional(Type.String({ description: "Directory to search in (default: current directory)" })),
	limit: Type.Optional(Type.Number({ description: "Maximum number of results (default: 1000)" })),
});
