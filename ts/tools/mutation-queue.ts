import { realpath } from "node:fs/promises";

const tails = new Map<string, Promise<unknown>>();

/** The file that a path leads to: writes through links to the same file must not overlap. A missing file is itself. */
export async function fileIdentity(path: string): Promise<string> {
	return realpath(path).catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT" || error.code === "ENOTDIR") return path;
		throw error;
	});
}

/** Runs `work` after all earlier work for the same file; work for other files runs at the same time. */
export async function inFileOrder<T>(identity: Promise<string> | string, work: () => Promise<T>): Promise<T> {
	// Identities are looked up one after the other, so that calls queue in the order in which they were made.
	const place = registration.then(async () => {
		const key = await identity;
		const before = tails.get(key) ?? Promise.resolve();
		const running = before.then(work);
		const tail = running.then(
			() => undefined,
			() => undefined,
		);
		tails.set(key, tail);
		void tail.then(() => tails.get(key) === tail && tails.delete(key));
		return { running };
	});
	registration = place.then(
		() => undefined,
		() => undefined,
	);
	return (await place).running;
}

let registration: Promise<unknown> = Promise.resolve();
