/** Answers for one program, given its arguments. */
type Rule = (args: readonly string[]) => boolean;

const always: Rule = () => true;
const has = (pattern: RegExp): Rule => (args) => args.some((word) => pattern.test(word));
const lacks = (pattern: RegExp): Rule => (args) => !args.some((word) => pattern.test(word));
/** The first word that is no option is one of these. */
const verb = (pattern: RegExp): Rule => (args) => pattern.test(args.find((word) => !word.startsWith("-")) ?? "");
const verbThen = (pattern: RegExp, then: Rule): Rule => (args) => {
	const at = args.findIndex((word) => !word.startsWith("-"));
	return at >= 0 && pattern.test(args[at] as string) && then(args.slice(at + 1));
};
const any = (...rules: Rule[]): Rule => (args) => rules.some((rule) => rule(args));

const follow = has(/^(?:-[a-zA-Z]*f|--follow(?:=.*)?|--tail)$/);
const watching = has(/^(?:-w|--watch)$/);
/** `vmstat 1` never ends, `vmstat 1 5` does. */
const interval: Rule = (args) => args.filter((word) => /^[\d.]+$/.test(word)).length === 1;
const scripts = /^(?:start|dev|serve|watch|preview|develop|storybook)(?:[:-].*)?$/;
const packageScript: Rule = any(verb(scripts), verbThen(/^(?:run|run-script)$/, verb(scripts)));
const compose: Rule = any(verbThen(/^logs$/, follow), verbThen(/^up$/, lacks(/^(?:-d|--detach|--wait|--no-start)$/)), verb(/^(?:watch|events|attach)$/));
const container: Rule = any(
	verbThen(/^logs$/, follow),
	verb(/^(?:events|attach)$/),
	verbThen(/^stats$/, lacks(/^--no-stream$/)),
	verbThen(/^compose$/, compose),
);
const all = (...rules: Rule[]): Rule => (args) => rules.every((rule) => rule(args));
/** kubectl takes global options with a word before its verb. */
const cluster: Rule = any(all(has(/^logs$/), follow), all(has(/^(?:get|events)$/), watching), has(/^(?:port-forward|proxy|attach)$/));
const devices: Rule = has(/^(?:\w+=)?\/dev\/(?:zero|u?random|full|tty)$/);

const RULES: Readonly<Record<string, Rule>> = {
	yes: always, watch: always, entr: always, stern: always, kubetail: always, nodemon: always, "ts-node-dev": always,
	nc: always, ncat: always, netcat: always, socat: always, telnet: always, strace: always, ltrace: always, ngrep: always,
	"dbus-monitor": always, mosquitto_sub: always, idevicesyslog: always, uvicorn: always, gunicorn: always, hypercorn: always,
	daphne: always, puma: always, unicorn: always, rackup: always, "http-server": always, serve: always, "live-server": always,
	"json-server": always, "browser-sync": always, "webpack-dev-server": always, "start-storybook": always, "redis-server": always,
	mongod: always, postgres: always, mysqld: always, nginx: always, httpd: always, ngrok: always, "code-server": always, air: always,
	foreman: always, overmind: always, honcho: always, jupyter: always, streamlit: always, tensorboard: always, sidekiq: always,
	"kafka-console-consumer": always, btop: always, htop: always, iotop: always, fswatch: lacks(/^(?:-1|--one-event)$/),
	tail: any(has(/^(?:-[a-zA-Z]*[fF]|-\d+f|--f.*|--retry)$/)), journalctl: follow, dmesg: has(/^(?:-[a-zA-Z]*[wW]|--follow.*)$/),
	ping: lacks(/^-[a-zA-Z]*[cw]/), ping6: lacks(/^-[a-zA-Z]*[cw]/), top: lacks(/^-[a-zA-Z]*[nl]/),
	vmstat: interval, iostat: interval, mpstat: interval, pidstat: interval, sar: interval, dstat: always,
	inotifywait: has(/^(?:-[a-zA-Z]*m|--monitor)$/), tcpdump: lacks(/^-[a-zA-Z]*c/), tshark: lacks(/^-[a-zA-Z]*[ca]/),
	seq: has(/^inf(?:inity)?$/i), sleep: has(/^inf(?:inity)?$/i), openssl: verb(/^s_(?:client|server)$/),
	npm: packageScript, pnpm: packageScript, yarn: packageScript, bun: any(packageScript, has(/^--(?:hot|watch)$/)),
	deno: verbThen(/^task$/, verb(scripts)), vite: any((args) => !args.some((word) => !word.startsWith("-")), verb(/^(?:dev|serve|preview)$/)),
	next: verb(/^(?:dev|start)$/), nuxt: verb(/^(?:dev|preview|start)$/), nuxi: verb(/^(?:dev|preview)$/), astro: verb(/^(?:dev|preview)$/),
	remix: verb(/^(?:dev|vite:dev)$/), gatsby: verb(/^(?:develop|serve)$/), webpack: any(verb(/^(?:serve|watch)$/), watching), rollup: watching,
	parcel: (args) => !verb(/^build$/)(args), tsc: watching, tsx: verb(/^watch$/), vitest: any(verb(/^(?:watch|dev)$/), watching),
	karma: verbThen(/^start$/, lacks(/^--single-run/)), ng: verb(/^(?:serve|s)$/), "vue-cli-service": verb(/^serve$/), storybook: verb(/^dev$/),
	"react-scripts": verb(/^start$/), expo: verb(/^start$/), "react-native": verb(/^start$/), rails: verb(/^(?:s|server)$/),
	flask: verb(/^run$/), celery: has(/^(?:worker|beat)$/), php: has(/^-S$/), symfony: verb(/^(?:serve|server:.*)$/),
	hugo: verb(/^(?:server|serve)$/), jekyll: verb(/^(?:serve|server|s)$/), mkdocs: verb(/^serve$/), zola: verb(/^serve$/),
	mdbook: verb(/^(?:serve|watch)$/), trunk: verb(/^(?:serve|watch)$/), cargo: verb(/^(?:watch|leptos)$/), caddy: verb(/^run$/),
	cloudflared: verb(/^tunnel$/), minikube: verb(/^(?:tunnel|dashboard)$/), skaffold: verb(/^dev$/), tilt: verb(/^up$/),
	ollama: verb(/^serve$/), docker: container, podman: container, nerdctl: container, "docker-compose": compose,
	kubectl: cluster, oc: cluster, k: cluster, gh: verbThen(/^run$/, verb(/^watch$/)), heroku: verbThen(/^logs$/, has(/^(?:-t|--tail)$/)),
	wrangler: verb(/^(?:dev|tail)$/), vercel: verb(/^dev$/), netlify: verb(/^dev$/), stripe: verb(/^listen$/), aws: verbThen(/^logs$/, follow),
	adb: verbThen(/^logcat$/, lacks(/^-[dt]$/)), log: verb(/^stream$/), udevadm: verb(/^monitor$/), ip: verb(/^monitor$/),
	"redis-cli": has(/^(?:monitor|subscribe|psubscribe)$/i), rostopic: verb(/^(?:echo|hz)$/), dotnet: verb(/^watch$/),
	mvn: has(/spring-boot:run|quarkus:dev|jetty:run/), gradle: has(/^(?:bootRun|-t|--continuous)$/), gradlew: has(/^(?:bootRun|-t|--continuous)$/),
	node: has(/^--watch/), python: has(/^runserver$/), python3: has(/^runserver$/), "http.server": always,
	while: has(/^(?:true|:|1)$/), until: has(/^(?:false|0)$/), "<": devices, cat: devices, dd: devices,
};

/** Flags that make almost any program stay. */
const STAYS = /^--(?:watch|watchAll|watch-all|follow|serve|live-reload)(?:=|$)/;

/**
 * Whether a command goes on until it is stopped: followers, servers, watchers, endless generators. For such a producer a
 * view that has seen enough must end it, as in bash.
 */
export function isEndless(argv: readonly string[]): boolean {
	const [name, ...args] = argv;
	if (name === undefined) return false;
	return (Object.hasOwn(RULES, name) && (RULES[name] as Rule)(args)) || args.some((word) => STAYS.test(word));
}
