// The platforms that get a prebuilt addon: `napi.targets` of package.json, with what npm needs to know about each.
import { parseTriple } from "@napi-rs/cli";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The repository's root folder. */
export const root = fileURLToPath(new URL("../..", import.meta.url));

/** Parses a JSON file given relative to the root. */
export const readJson = (path) => JSON.parse(readFileSync(join(root, path), "utf8"));

/**
 * Where the sources are, which npm's provenance statement demands of a package: what package.json says, or else, in a
 * GitHub workflow, the repository that runs it. Elsewhere undefined.
 */
export function repositoryOf(manifest, { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = process.env) {
	return manifest.repository ?? (server && name ? { type: "git", url: `git+${server}/${name}.git` } : undefined);
}

const LIBC = { gnu: "glibc", musl: "musl" };

/** One entry a target: `suffix` names the package (`pi-sluice-<suffix>`), its folder under npm/, and the file. */
export function targets(manifest = readJson("package.json")) {
	return manifest.napi.targets.map((triple) => {
		const { platform, arch, abi, platformArchABI: suffix } = parseTriple(triple);
		const libc = platform === "linux" ? LIBC[abi] : undefined;
		return {
			triple,
			suffix,
			os: platform,
			cpu: arch,
			...(libc ? { libc } : {}),
			packageName: `${manifest.name}-${suffix}`,
			directory: `npm/${suffix}`,
			file: `${manifest.napi.binaryName}.${suffix}.node`,
		};
	});
}
