import { describe, expect, it } from "vitest";
import { producerEnding } from "../../ts/guard/plan/finish.ts";
import { planCommand } from "../../ts/guard/plan/plan.ts";

function ending(command: string): string {
	const plan = planCommand(`${command} | head -3`);
	if (plan.action !== "guard") throw new Error(`${command}: ${plan.reason}`);
	return producerEnding((plan.windows.at(-1) as { producers: readonly (readonly string[])[] }).producers);
}

const ENDLESS = [
	"yes", "yes | tr y n", "tail -f x", "tail -F x", "tail -n 5 -f x", "tail --follow=name x", "journalctl -f", "journalctl -u x --follow", "ping example.com",
	"watch ls", "kubectl logs -f pod/x", "kubectl get pods -w", "kubectl -n a port-forward svc/x 80", "docker logs -f app", "docker compose logs -f",
	"docker compose up", "docker events", "docker stats", "while true; do date; sleep 1; done", "while :; do ./step; done", "until false; do ./step; done",
	"while [ 1 ]; do ./step; done", "for ((;;)); do ./step; done", "cat /dev/zero", "cat /dev/urandom", "tr -dc a-z < /dev/urandom", "node gen.js < /dev/zero",
	"dd if=/dev/zero", "seq inf", "dmesg -w", "nc -l 80", "sudo tcpdump -i any", "inotifywait -m .", "npm run dev", "npm start", "npm run start:prod", "pnpm dev",
	"yarn dev", "bun run dev", "npx vite", "npx vite preview", "next dev", "npx next start", "webpack serve", "npx webpack --watch", "nodemon app.js", "rails s",
	"bin/rails server", "bundle exec rails s", "python -m http.server", "python3 -m http.server 8000", "flask run", "uv run uvicorn app:app", "gunicorn app",
	"python manage.py runserver", "php -S localhost:80", "strace ls", "tsc --watch", "npx tsc -w", "jest --watch", "vmstat 1", "iostat 2", "timeout 5 tail -f x",
	"sudo journalctl -f", "stdbuf -oL tail -f x", "ssh host 'tail -f /var/log/x'", "ssh -p 22 u@host journalctl -f", "bash -c 'while true; do make; done'",
	"sh -c 'tail -f x'", "cargo watch", "gh run watch 5", "adb logcat", "log stream", "redis-cli monitor", "./gradlew bootRun", "mvn spring-boot:run",
];
const READERS = [
	"find / -name x", "find . -type f -exec grep -l x {} +", "ls -la", "cat x", "cat x | sort | uniq -c", "grep -rn x .", "rg x", "git log", "git -C d log --oneline", "git --no-pager diff",
	"git log | grep x", "seq 100000", "sed -n 1,5p x", "awk 1 x", "jq . x", "du -sh *", "docker ps", "docker logs app", "docker compose ps", "kubectl get pods",
	"kubectl -n a describe pod x", "gh pr list", "gh pr view 5", "gh api repos/x", "npm ls", "npm view x", "cargo tree", "go list ./...", "pip list", "brew info x", "curl -s https://example.com",
	"for f in *; do cat $f; done", "while read x; do echo $x; done < f", "echo a", "printf a", "tar tzf x", "unzip -l x", "wc -l *", "journalctl -u x", "dmesg",
	"systemctl status x", "timeout 60 find /", "sudo find /", "(cd x && git log)", "xargs cat", "bash -c 'ls | sort'", "ssh host ls", "man ls", "strings x", "diff a b", "jj log",
];
const WORKERS = [
	"npm run build", "npm test", "npm ci", "pnpm run build", "npx vitest run", "npx tsc --noEmit", "cargo build", "cargo test", "go test ./...", "make", "make -j8 2>&1", "./build.sh",
	"python script.py", "pytest", "python -m pytest", "docker build .", "docker run x", "kubectl apply -f x", "terraform apply", "git push", "git commit -m x", "git clone x", "mvn test",
	"./gradlew build", "find . -delete", "find . -exec rm {} +", "curl -X POST https://example.com", "curl -d a=b https://example.com", "bash script.sh", "bash -c 'make test'", "ssh host make",
	"for f in *; do make $f; done", "$CMD", "cat x | ./import", "tee out", "rm -rfv x", "sudo apt-get install x", "xargs rm -v", "f() { make; }; f", "next build", "vite build", "docker compose up -d",
];

describe("what happens to a producer whose view has seen enough", () => {
	it.each(ENDLESS)("stops: %s", (command) => expect(ending(command)).toBe("stop"));
	it.each(READERS)("stops a cheap reader: %s", (command) => expect(ending(command)).toBe("stop"));
	it.each(WORKERS)("runs on: %s", (command) => expect(ending(command)).toBe("run-on"));
	it("stops if one of several never ends", () => expect(ending("{ make; tail -f x; }")).toBe("stop"));
	it("runs on if one of several works", () => expect(ending("cat x | make")).toBe("run-on"));
});
