/** Programs that only read and print, and do it as cheaply a second time. */
const SIMPLE = new Set(
	(
		": [ apropos apt-cache arch awk base32 base64 basename bat blkid break bzcat cal cat cd cksum cmp col column comm compgen " +
		"complete continue cut date declare df diff dig dirname dmesg dpkg-query du echo egrep env exit expand export expr eza exa fd " +
		"fdfind fgrep file find finger fmt fold free gawk getconf getent getfacl grep groups gunzip head help hexdump history host " +
		"hostname id ifconfig info iconv ip jobs join journalctl jq last ldd less let local locale locate look ls lsb_release lsblk " +
		"lscpu lsmod lsof lspci lsusb man mawk md5 md5sum mdfind more mount nl nm nslookup objdump od otool pacman paste pgrep pr " +
		"printenv printf ps pstree pwd read readelf readlink realpath return rev rg rpm sed seq set sha1sum sha256sum sha512sum shasum " +
		"shuf size sleep sort ss stat strings sysctl tac tail test tr tree true false tsort tty type uname unexpand uniq uptime " +
		"uuidgen wc whatis whereis which who whoami xmllint xxd xzcat yes yq zcat zgrep zipinfo zstdcat < while until"
	).split(" "),
);

type Rule = (args: readonly string[]) => boolean;

/** The first words that are no options, after options that take a word. */
function verbs(args: readonly string[], valued: RegExp): string[] {
	const found: string[] = [];
	for (let i = 0; i < args.length && found.length < 2; i++) {
		const word = args[i] as string;
		if (valued.test(word)) i++;
		else if (!word.startsWith("-")) found.push(word);
	}
	return found;
}

const first = (pattern: RegExp, valued = /^$/): Rule => (args) => pattern.test(verbs(args, valued)[0] ?? "");
const second = (pattern: RegExp): Rule => (args) => pattern.test(verbs(args, /^(?:-R|--repo)$/)[1] ?? "");
const option = (pattern: RegExp): Rule => (args) => args.some((word) => pattern.test(word));

const git = first(
	/^(?:log|show|diff|status|blame|annotate|branch|tag|ls-files|ls-tree|ls-remote|grep|shortlog|rev-list|rev-parse|reflog|cat-file|describe|config|remote|for-each-ref|name-rev|whatchanged|help|version|show-ref|show-branch|diff-tree|diff-index|diff-files|merge-base|var|check-ignore|count-objects|worktree|stash|range-diff|cherry)$/,
	/^(?:-C|-c|--git-dir|--work-tree)$/,
);
const containers: Rule = (args) => {
	const [one = "", two = ""] = verbs(args, /^(?:-f|--file|-p|--profile|-H|--host|--context)$/);
	if (/^(?:compose|image|container|network|volume|system)$/.test(one)) return /^(?:ps|ls|list|logs|config|images|top|inspect|df|info)$/.test(two);
	return /^(?:ps|images|logs|inspect|info|version|top|port|history|search|diff|stats)$/.test(one);
};
const cluster = first(
	/^(?:get|describe|logs|top|explain|api-resources|api-versions|version|config|cluster-info|events)$/,
	/^(?:-n|--namespace|--context|-l|--kubeconfig)$/,
);
const packages = first(/^(?:ls|list|view|info|outdated|config|root|prefix|help|why|search|explain|audit|bin)$/);
const sends = option(/^(?:-d.*|--data.*|-F.*|--form.*|-T|--upload-file|--json|-X(?:POST|PUT|PATCH|DELETE)|POST|PUT|PATCH|DELETE)$/);

const RULES: Readonly<Record<string, Rule>> = {
	git,
	jj: first(/^(?:log|show|diff|status|st|file|op|config|bookmark|evolog|obslog|help|interdiff|tag|workspace|root)$/, /^(?:-R|--repository)$/),
	hg: first(/^(?:log|diff|status|st|cat|annotate|blame|files|grep|heads|id|identify|branches|tags)$/),
	svn: first(/^(?:log|diff|status|st|cat|info|list|ls|blame)$/),
	docker: containers, podman: containers, nerdctl: containers, "docker-compose": first(/^(?:ps|logs|config|images|top)$/, /^(?:-f|-p)$/),
	kubectl: cluster, oc: cluster, k: cluster, helm: first(/^(?:list|ls|status|get|show|search|template|history)$/),
	gh: (args) => first(/^(?:api|search|status)$/)(args) || second(/^(?:view|list|diff|status|checks)$/)(args),
	npm: packages, pnpm: packages, yarn: packages, brew: first(/^(?:list|ls|info|search|deps|outdated|config|doctor)$/),
	pip: first(/^(?:list|show|freeze|index|config|check)$/), pip3: first(/^(?:list|show|freeze|index|config|check)$/),
	cargo: first(/^(?:tree|metadata|search|info|help|version|pkgid|locate-project)$/), go: first(/^(?:list|doc|env|version|help)$/),
	rustup: first(/^(?:show|toolchain|component|target|which|check)$/), apt: first(/^(?:list|show|search|policy|depends)$/),
	dpkg: option(/^(?:-[lLsSpc]|--list.*|--status|--search)$/), systemctl: first(/^(?:status|list-.*|show|cat|is-.*|get-.*)$/),
	launchctl: first(/^(?:list|print|blame)$/), crontab: option(/^-l$/), terraform: first(/^(?:show|output|providers|version|state|graph)$/),
	tar: (args) => /^-?[a-zA-Z]*t/.test(args[0] ?? "") || args.includes("--list"), unzip: option(/^-[a-zA-Z]*[lpZzvt]/), gzip: option(/^-[a-z]*[cl]/),
	xz: option(/^-[a-z]*[cl]/), zstd: option(/^-[a-z]*[cl]/), ar: first(/^[tp]/), jar: first(/^-?t/), "7z": first(/^l$/),
	curl: (args) => !sends(args), wget: option(/^(?:-[a-zA-Z]*O-?|--output-document=-)$/), http: (args) => !sends(args),
};

/**
 * Whether a command only reads and is cheap to run again. Its output is not worth finishing when a view has seen enough:
 * `find / | head -1` must not walk the disk.
 */
export function isCheapReader(argv: readonly string[]): boolean {
	const [name, ...args] = argv;
	if (name === undefined) return true;
	if (name === "find" || name === "fd" || name === "fdfind") return findReads(args);
	if (SIMPLE.has(name)) return true;
	return Object.hasOwn(RULES, name) && (RULES[name] as Rule)(args);
}

/** `find` runs other programs and deletes. */
function findReads(args: readonly string[]): boolean {
	if (args.some((word) => /^-(?:delete|fprint.*|fls)$/.test(word))) return false;
	const at = args.findIndex((word) => /^-(?:exec|execdir|ok|okdir|x|X)$/.test(word));
	return at < 0 || isCheapReader(args.slice(at + 1));
}
