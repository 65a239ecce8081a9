// A package registry on 127.0.0.1 that has our tarballs, as if they were published, and passes every other request on to
// the configured one. With it an install runs exactly as a user's will, before there is a release.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { basename } from "node:path";

/** Starts it; `requests` lists the paths that were asked of it. */
export async function startRegistry(tarballs) {
	const upstream = execFileSync("npm", ["config", "get", "registry"], { encoding: "utf8", shell: process.platform === "win32" }).trim().replace(/\/$/, "");
	const packages = new Map(tarballs.map((path) => [manifestOf(path).name, { path, manifest: manifestOf(path) }]));
	const requests = [];
	const server = createServer((request, response) => {
		const path = decodeURIComponent(new URL(request.url, "http://127.0.0.1").pathname);
		requests.push(path);
		const [, name, , file] = path.split("/");
		const found = packages.get(name);
		if (found && file === basename(found.path)) response.end(readFileSync(found.path));
		else if (found) response.setHeader("content-type", "application/json").end(JSON.stringify(packument(found, url())));
		else forward(request, response).catch((error) => response.writeHead(502).end(String(error)));
	});

	async function forward(request, response) {
		const answer = await fetch(upstream + request.url, { headers: { accept: request.headers.accept ?? "*/*" } });
		response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "application/octet-stream" });
		response.end(Buffer.from(await answer.arrayBuffer()));
	}

	// Installers reuse their connections after pauses that the default of 5 seconds does not allow for.
	server.keepAliveTimeout = 120_000;
	const url = () => `http://127.0.0.1:${server.address().port}`;
	await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
	return { url: url(), requests, close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()) };
}

function packument({ path, manifest }, url) {
	const bytes = readFileSync(path);
	const dist = {
		tarball: `${url}/${manifest.name}/-/${basename(path)}`,
		integrity: `sha512-${createHash("sha512").update(bytes).digest("base64")}`,
		shasum: createHash("sha1").update(bytes).digest("hex"),
	};
	return {
		name: manifest.name,
		"dist-tags": { latest: manifest.version },
		versions: { [manifest.version]: { ...manifest, dist } },
		time: { [manifest.version]: "2026-01-01T00:00:00.000Z", modified: "2026-01-01T00:00:00.000Z" },
	};
}

function manifestOf(tarball) {
	return JSON.parse(execFileSync("tar", ["-xzOf", tarball, "package/package.json"], { encoding: "utf8" }));
}
