//! What rules were read from, so that a change of it shows.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::file_state::FileState;

/// What is at a path, symbolic links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seen {
    /// Nothing that can be examined.
    Nothing,
    /// A directory. What is in it does not count.
    Directory,
    /// A regular file in this state; `None` where the system does not tell.
    File(Option<FileState>),
    /// Something that is never read, such as a FIFO.
    Special,
}

impl Seen {
    fn at(path: &Path) -> Self {
        match fs::metadata(path) {
            Ok(meta) if meta.is_file() => Seen::File(FileState::of(&meta)),
            Ok(meta) if meta.is_dir() => Seen::Directory,
            Ok(_) => Seen::Special,
            Err(_) => Seen::Nothing,
        }
    }
}

/// Paths that decide which rules hold, and what was there before they were read.
#[derive(Debug)]
pub(super) struct Watched {
    began: SystemTime,
    paths: Vec<(PathBuf, Seen)>,
    settled: bool,
}

impl Watched {
    /// Nothing yet; `began` is a time before the first look.
    pub(super) fn new(began: SystemTime) -> Self {
        Watched { began, paths: Vec::new(), settled: true }
    }

    /// Examines a path, which must not have been read yet.
    pub(super) fn look(&mut self, path: PathBuf) -> Seen {
        let seen = Seen::at(&path);
        if let Seen::File(state) = seen {
            self.settled &= state.is_some_and(|state| state.is_settled(self.began));
        }
        self.paths.push((path, seen));
        seen
    }

    /// Examines a path of rules, and returns it if it is a file.
    pub(super) fn file(&mut self, path: PathBuf) -> Option<PathBuf> {
        matches!(self.look(path.clone()), Seen::File(_)).then_some(path)
    }

    /// Whether everything is known to be still as it was.
    pub(super) fn is_current(&self) -> bool {
        self.settled && self.paths.iter().all(|(path, seen)| Seen::at(path) == *seen)
    }

    /// Whether a later look saw the same.
    pub(super) fn is_same(&self, later: &Watched) -> bool {
        self.settled && self.paths == later.paths
    }

    /// Bytes in memory, about.
    pub(super) fn size(&self) -> usize {
        self.paths.iter().map(|(path, _)| path.as_os_str().len() + size_of::<(PathBuf, Seen)>()).sum()
    }
}
