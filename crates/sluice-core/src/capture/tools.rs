//! Which implementation of a tool a path leads to.

use std::collections::HashMap;
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::process::Command;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::ask::answer;
use crate::matcher::Syntax;
use crate::view::{ViewEnv, ViewSpec};

/// Whether the engine's `view` gives exactly what the program at `path` would.
///
/// The program is asked for its version once per process and file; the first question costs one spawn.
pub(super) fn is_reproducible(view: &str, path: &str) -> bool {
    static KNOWN: Answers = LazyLock::new(Mutex::default);
    Path::new(path).is_absolute()
        && remembered(&KNOWN, view, path, || {
            first_version_line(path).is_some_and(|line| matches(view, &line))
        })
}

/// What files answered to a question. A file is known by its state too: somebody may replace a tool meanwhile.
type Answers = LazyLock<Mutex<HashMap<(String, String, FileState), bool>>>;
/// Device, inode, size, and the time of the last change.
type FileState = (u64, u64, u64, i64, i64);

/// The answer of the file at `path` to `question`, asked for at most once.
fn remembered(answers: &Answers, question: &str, path: &str, ask: impl FnOnce() -> bool) -> bool {
    let Ok(meta) = std::fs::metadata(path) else { return false };
    let state = (meta.dev(), meta.ino(), meta.size(), meta.ctime(), meta.ctime_nsec());
    let key = (question.to_owned(), path.to_owned(), state);
    if let Some(&known) = answers.lock().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return known;
    }
    let answer = ask();
    answers.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer);
    answer
}

/// Asks `view`'s own program, at `path`, what its version does not tell: upstream's grep warns about stray
/// backslashes and about the names `egrep` and `fgrep`, some distributions' do not; and some are built without
/// `-P`. Sets the answers in `env`; false if the program cannot run the view at all. Asks only what the view
/// needs to know, once per process and file; a question costs one spawn.
pub(super) fn ask(view: &ViewSpec, path: &str, env: &mut ViewEnv) -> bool {
    let ViewSpec::Grep(grep) = view else { return true };
    if grep.obsolescent.is_some() {
        env.egrep_warns |= speaks(path, "x");
    }
    let perl = grep.syntax == Syntax::Perl;
    if !perl && grep.patterns.iter().any(|pattern| pattern.contains(&b'\\')) {
        env.grep_warns |= speaks(path, r"\d");
    }
    !perl || !speaks(path, "-Px")
}

/// Whether a grep with this one argument and no input writes to standard error.
fn speaks(path: &str, argument: &str) -> bool {
    static KNOWN: Answers = LazyLock::new(Mutex::default);
    remembered(&KNOWN, argument, path, || {
        answer(Command::new(path).arg(argument)).is_some_and(|answer| !answer.stderr.is_empty())
    })
}

fn first_version_line(path: &str) -> Option<String> {
    let answer = answer(Command::new(path).arg("--version").env_remove("LESSOPEN"))?;
    String::from_utf8_lossy(&answer.stdout).lines().next().map(str::to_owned)
}

/// The engine follows GNU coreutils, GNU grep from 3.8 (earlier ones word their binary notice and
/// warnings otherwise), ripgrep from 13, and any `less` and `more` that copy into a pipe.
fn matches(view: &str, version_line: &str) -> bool {
    match view {
        "head" | "tail" => version_line.starts_with(&format!("{view} (GNU coreutils) ")),
        "grep" | "egrep" | "fgrep" => version_after(version_line, "grep (GNU grep) ") >= Some((3, 8)),
        "rg" => version_after(version_line, "ripgrep ") >= Some((13, 0)),
        "less" => version_line.starts_with("less "),
        "more" => version_line.starts_with("more from util-linux "),
        _ => false,
    }
}

fn version_after(line: &str, prefix: &str) -> Option<(u32, u32)> {
    let mut parts = line.strip_prefix(prefix)?.split(|c: char| !c.is_ascii_digit());
    Some((parts.next()?.parse().ok()?, parts.next().and_then(|minor| minor.parse().ok()).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn what_the_version_does_not_tell() -> std::io::Result<()> {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("grep");
        std::fs::write(&path, "#!/bin/sh\ncase $1 in x) exit 1;; *) echo message >&2;; esac\n")?;
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755))?;
        let ask = |words: &[&str]| {
            let mut env = ViewEnv::default();
            let view = ViewSpec::parse(words).ok();
            let runs = view.is_some_and(|view| ask(&view, &path.to_string_lossy(), &mut env));
            (runs, env.grep_warns, env.egrep_warns)
        };
        assert_eq!(ask(&["grep", "a"]), (true, false, false));
        assert_eq!(ask(&["grep", r"\s"]), (true, true, false));
        assert_eq!(ask(&["egrep", r"\s"]), (true, true, false));
        assert_eq!(ask(&["grep", "-P", r"\s"]), (false, false, false));
        Ok(())
    }

    #[test]
    fn only_known_implementations_are_reproduced() {
        assert!(matches("tail", "tail (GNU coreutils) 9.1"));
        assert!(!matches("tail", "tail (uutils coreutils) 0.2.2"));
        assert!(!matches("head", "tail (GNU coreutils) 9.1"));
        assert!(matches("egrep", "grep (GNU grep) 3.11"));
        assert!(!matches("grep", "grep (GNU grep) 3.7"));
        assert!(!matches("grep", "grep (BSD grep, GNU compatible) 2.6.0-FreeBSD"));
        assert!(matches("rg", "ripgrep 15.0.0 (rev 0a88cccd51)"));
        assert!(!is_reproducible("tail", "tail"));
        assert!(!is_reproducible("tail", "/nonexistent/tail"));
    }
}
