// What the tools need of the place where they work: the local file system by default, or anything else.

/** How the read tool gets at files. */
export interface ReadOperations {
	/** The whole file. */
	readFile(path: string): Promise<Uint8Array>;
	/** Throws if the file cannot be read. */
	access(path: string): Promise<void>;
	/** The type of an image; nothing for other files. Without it every file is text. */
	detectImageMimeType?(path: string): Promise<string | null | undefined>;
}

/** How the write tool gets at files. */
export interface WriteOperations {
	writeFile(path: string, content: string, signal?: AbortSignal): Promise<void>;
	/** Makes a folder and those above it. */
	mkdir(path: string): Promise<void>;
}

/** How the edit tool gets at files. */
export interface EditOperations {
	readFile(path: string): Promise<Uint8Array>;
	writeFile(path: string, content: string, signal?: AbortSignal): Promise<void>;
	/** Throws if the file cannot be read and written. */
	access(path: string): Promise<void>;
}

/** How the bash tool runs commands. */
export interface BashOperations {
	/**
	 * Runs a command. Report a timeout by an error `timeout:<seconds>` and an abort by an error `aborted`; a null exit code
	 * is a command that ended without one.
	 */
	exec(
		command: string,
		cwd: string,
		options: { onData(chunk: Uint8Array): void; signal?: AbortSignal; timeout?: number; env?: Record<string, string | undefined> },
	): Promise<{ exitCode: number | null }>;
}

/** How the grep tool gets at files. */
export interface GrepOperations {
	/** Throws if there is nothing at the path. */
	isDirectory(path: string): Promise<boolean> | boolean;
	readFile(path: string): Promise<Uint8Array | string> | Uint8Array | string;
	/** The files below a folder, absolute or relative to it. Without it, `find.glob` is asked for `**\/*`. */
	listFiles?(path: string): Promise<readonly string[]> | readonly string[];
}

/** How the find tool gets at files. */
export interface FindOperations {
	exists(path: string): Promise<boolean> | boolean;
	/** Paths that match, absolute or relative to `cwd`. */
	glob(pattern: string, cwd: string, options: { ignore: string[]; limit: number }): Promise<readonly string[]> | readonly string[];
}

/** How the ls tool gets at folders. */
export interface LsOperations {
	exists(path: string): Promise<boolean> | boolean;
	/** Follows links; throws for what cannot be examined. */
	stat(path: string): Promise<{ isDirectory(): boolean }> | { isDirectory(): boolean };
	readdir(path: string): Promise<string[]> | string[];
}

/** The operations of each tool. A tool that is left out works on the local file system, natively. */
export interface Operations {
	readonly read: ReadOperations;
	readonly write: WriteOperations;
	readonly edit: EditOperations;
	readonly bash: BashOperations;
	readonly grep: GrepOperations;
	readonly find: FindOperations;
	readonly ls: LsOperations;
}
