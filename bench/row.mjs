// One row of the bench, for run.mjs: node row.mjs ID OPTIONS-AS-JSON; the result is sent to the parent.
import { allRows } from "./rows.mjs";

const [id, options] = process.argv.slice(2);
const row = (await allRows()).find((row) => String(row.id) === id);
let result;
try {
	result = await row.run(JSON.parse(options));
} catch (error) {
	result = { text: `not timed: ${error instanceof Error ? error.message : error}`, met: false };
}
process.send(result, () => process.exit(0));
