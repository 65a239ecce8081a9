/** The platforms that have a prebuilt package, by its suffix. */
export const PREBUILT: readonly string[] = [
	"linux-x64-gnu",
	"linux-arm64-gnu",
	"linux-x64-musl",
	"linux-arm64-musl",
	"darwin-x64",
	"darwin-arm64",
	"win32-x64-msvc",
	"win32-arm64-msvc",
];

/** What decides which addon fits. */
export interface Machine {
	/** As `process.platform`. */
	readonly platform: string;
	/** As `process.arch`. */
	readonly arch: string;
	/** Linux only: the C library of the running process. */
	readonly libc?: "glibc" | "musl";
	/** The running glibc's version, if it is one. */
	readonly libcVersion?: string;
}

/** The machine this process runs on. On Linux it costs one process report, about 2 ms. */
export function thisMachine(): Machine {
	const { platform, arch } = process;
	return platform === "linux" ? { platform, arch, ...libcOf(processReport()) } : { platform, arch };
}

/** The suffix of the package for a machine, for example `linux-x64-gnu`, whether or not such a package exists. */
export function suffixOf({ platform, arch, libc }: Machine): string {
	if (platform === "linux") return `linux-${arch}-${libc === "musl" ? "musl" : "gnu"}`;
	return platform === "win32" ? `win32-${arch}-msvc` : `${platform}-${arch}`;
}

/** The parts of Node's process report that tell the C library. */
interface Report {
	readonly header?: { readonly glibcVersionRuntime?: string };
	readonly sharedObjects?: readonly string[];
}

/**
 * glibc states its version in the report; musl appears among the loaded objects. Files of the machine say what is
 * installed, not what this process runs on (Alpine with gcompat, Fedora with a musl package, Nix), so none is asked.
 * A report that shows neither is taken for glibc.
 */
export function libcOf(report: Report): { libc: "glibc" | "musl"; libcVersion?: string } {
	const libcVersion = report.header?.glibcVersionRuntime;
	if (libcVersion) return { libc: "glibc", libcVersion };
	const musl = (report.sharedObjects ?? []).some((path) => /(?:^|\/)(?:libc\.musl-|ld-musl-)/.test(path));
	return { libc: musl ? "musl" : "glibc" };
}

function processReport(): Report {
	// Since Node 22.0 and 20.13; the type declarations do not have it yet.
	const report = process.report as NodeJS.ProcessReport & { excludeNetwork?: boolean };
	const before = report.excludeNetwork ?? false;
	// Listing the network interfaces of a report can wait for the name server.
	report.excludeNetwork = true;
	try {
		return report.getReport() as Report;
	} finally {
		report.excludeNetwork = before;
	}
}
