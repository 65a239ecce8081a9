import { isEndless } from "./endless.ts";

/** Programs and builtins that a closed pipe ends without a word. */
const SILENT = new Set(
	(
		": [ awk base32 base64 basename cal cat cd cksum cmp column comm cut date declare df diff dirname du echo egrep eval exit expand export expr " +
		"false fgrep find fmt fold gawk git grep groups head hexdump hostname id join less local look ls mawk md5sum nl od paste pr printenv " +
		"printf pwd read readlink realpath rev rg sed seq set sha1sum sha256sum sha512sum shuf sleep sort stat strings sum tac tail test tr tree " +
		"true tsort tty type uname unexpand uniq wc which who whoami xxd yes zcat < while until"
	).split(" "),
);

/**
 * Whether nobody can tell from a command's messages when exactly its pipe was closed: every producer ends silently, or
 * never by itself. `xargs`, `curl`, `pip list` and the like complain if, and only if, something was left to write.
 */
export function endsUnseen(producers: readonly (readonly string[])[]): boolean {
	return producers.some(isEndless) || producers.every(([name = "", ...args]) => SILENT.has(name) && !(name === "find" && args.some((word) => /^-(?:exec|ok)/.test(word))));
}
