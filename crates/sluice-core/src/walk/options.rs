//! Which part of a tree is walked.

use std::path::PathBuf;

/// Options of a walk. The fields follow the flags of ripgrep and fd.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WalkOptions {
    /// The directory to walk.
    pub root: PathBuf,
    /// Whether names that begin with a dot are walked. Default true.
    pub hidden: bool,
    /// Whether `.gitignore`, `.ignore`, `.git/info/exclude`, git's global excludes and `custom_ignore` are
    /// obeyed, also those of the directories above the root. Default true.
    pub ignore_files: bool,
    /// Whether git's files count only inside a repository. Default true.
    pub require_git: bool,
    /// The name of the tool's own ignore file, such as `.rgignore`.
    pub custom_ignore: &'static str,
    /// An ignore file with the lowest precedence, if it exists.
    pub extra_ignore: Option<PathBuf>,
    /// Globs relative to the root, as ripgrep's `--glob`: the last match decides, `!` excludes, and they beat
    /// every other rule.
    pub globs: Vec<String>,
}

impl WalkOptions {
    /// The defaults for a root.
    #[must_use]
    pub fn new(root: PathBuf, custom_ignore: &'static str) -> Self {
        WalkOptions {
            root,
            hidden: true,
            ignore_files: true,
            require_git: true,
            custom_ignore,
            extra_ignore: None,
            globs: Vec::new(),
        }
    }
}
