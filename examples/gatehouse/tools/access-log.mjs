// Prints an access log: node tools/access-log.mjs --megabytes 200
import { once } from "node:events";
import { parseArgs } from "node:util";

const { values } = parseArgs({ options: { megabytes: { type: "string", default: "1" } } });
const target = Number(values.megabytes) * 1024 * 1024;
const paths = ["/", "/login", "/api/items", "/api/items/42", "/static/app.js", "/health"];
const lines = [];
let bytes = 0;
let written = 0;
for (let request = 1; written + bytes < target; request++) {
	const failed = request % 400_000 === 0;
	const path = paths[request % paths.length];
	const line = `request=${request} level=${failed ? "ERROR" : "info"} path=${path} status=${failed ? 503 : 200} ms=${(request * 7919) % 97}\n`;
	lines.push(line);
	bytes += line.length;
	if (lines.length === 10_000) await flush();
}
await flush();

async function flush() {
	written += bytes;
	if (!process.stdout.write(lines.splice(0).join(""))) await once(process.stdout, "drain");
	bytes = 0;
}
