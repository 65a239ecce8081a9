//! Finding paths by a glob, as `fd --glob` does.

mod glob;

use std::path::PathBuf;

use bstr::ByteSlice;

use crate::walk::{EntryKind, Report, Run, Visitor, WalkOptions, walk};
use crate::{CancelToken, Result};
use glob::PathGlob;

/// What to find, and where.
#[derive(Clone, Debug)]
pub struct FindOptions {
    /// A glob. With a `/` it matches whole paths, relative to the root or absolute; without, names. It is
    /// case-sensitive if it has an upper-case letter.
    pub pattern: String,
    /// The directory to search, absolute.
    pub root: PathBuf,
    /// Paths to return at most, at least 1.
    pub limit: u64,
    /// Whether names that begin with a dot are found.
    pub hidden: bool,
    /// Whether ignore files are obeyed.
    pub ignore_files: bool,
}

/// What was found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// The paths relative to the root in byte order, each followed by a NUL. Directories end with `/`.
    pub paths: Vec<u8>,
    /// Number of paths.
    pub count: u64,
    /// Whether there are more paths than the limit.
    pub limit_reached: bool,
    /// Directories that could not be read.
    pub unreadable: u64,
    /// Paths and messages of the first of them.
    pub messages: Vec<(Vec<u8>, String)>,
}

/// Finds paths under a root.
///
/// # Errors
///
/// [`crate::Error::InvalidPattern`], [`crate::Error::Io`] if the root cannot be read, [`crate::Error::Aborted`].
pub fn find(options: &FindOptions, cancel: &CancelToken) -> Result<Found> {
    let glob = PathGlob::new(&options.pattern, &options.root)?;
    let walk_options = WalkOptions {
        hidden: options.hidden,
        ignore_files: options.ignore_files,
        // fd asks for a repository; where there is none, the tool passes --no-require-git.
        require_git: options.root.ancestors().any(|directory| directory.join(".git").exists()),
        extra_ignore: fd_ignore_file(),
        ..WalkOptions::new(options.root.clone(), ".fdignore")
    };
    let walked = walk(&walk_options, &Finder { glob }, options.limit.saturating_add(1), cancel)?;
    let mut found = Found { unreadable: walked.unreadable, messages: walked.messages, ..Found::default() };
    for paths in walked.found {
        for path in paths.split_inclusive(|&b| b == 0) {
            if found.count == options.limit {
                found.limit_reached = true;
                return Ok(found);
            }
            found.paths.extend_from_slice(path);
            found.count += 1;
        }
    }
    Ok(found)
}

struct Finder {
    glob: PathGlob,
}

impl Visitor for Finder {
    type Scratch = ();
    type Found = Vec<u8>;
    const READS_FILES: bool = false;

    fn scratch(&self) {}

    fn visit(&self, (): &mut (), run: &Run<'_>, _: &Report) -> Result<Option<(u64, Vec<u8>)>> {
        let mut paths = Vec::new();
        let mut count = 0;
        for entry in run.entries {
            let name = run.name(entry);
            if self.glob.matches(run.path, name) {
                paths.extend_from_slice(run.path);
                paths.extend_from_slice(name);
                if entry.kind == EntryKind::Directory {
                    paths.push(b'/');
                }
                paths.push(0);
                count += 1;
            }
        }
        Ok((count > 0).then_some((count, paths)))
    }

    fn join(found: &mut Vec<u8>, mut next: Vec<u8>) {
        found.append(&mut next);
    }
}

/// fd's own global ignore file.
fn fd_ignore_file() -> Option<PathBuf> {
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    #[cfg(windows)]
    let config = absolute("APPDATA");
    #[cfg(not(windows))]
    let config = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")));
    Some(config?.join("fd").join("ignore"))
}

/// A path as text, for messages.
#[must_use]
pub fn display_path(path: &[u8]) -> String {
    path.to_str_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(options: &FindOptions) -> (Vec<String>, bool) {
        let found = find(options, &CancelToken::default()).unwrap();
        let names: Vec<String> =
            found.paths.split(|&b| b == 0).map(display_path).filter(|name| !name.is_empty()).collect();
        assert_eq!(names.len() as u64, found.count);
        (names, found.limit_reached)
    }

    #[test]
    fn results_are_sorted_and_the_limit_is_exact() {
        let dir = tempfile::tempdir().unwrap();
        let mut expected = Vec::new();
        for name in ["a.txt", "a/z.txt", "a/b/c.txt", "a0.txt", "b/x.txt", ".h/y.txt", "é.txt"] {
            let path = dir.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, "").unwrap();
            expected.push(name.to_owned());
        }
        expected.sort();
        let options = |limit| FindOptions {
            pattern: "*.TXT".to_lowercase(),
            root: dir.path().to_owned(),
            limit,
            hidden: true,
            ignore_files: true,
        };
        for limit in 1..=8_usize {
            let (found, reached) = names(&options(limit as u64));
            assert_eq!(found, expected[..limit.min(expected.len())]);
            assert_eq!(reached, limit < expected.len());
        }
        let all = FindOptions { pattern: "*".to_owned(), ..options(100) };
        assert_eq!(names(&all).0[..3], [".h/", ".h/y.txt", "a.txt"]);
    }
}
