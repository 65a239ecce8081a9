//! What is done with the entries of a tree.

use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

use super::directory::{Directory, Entry, Listing};
use crate::Result;

/// How many failures are described; all are counted.
const MAX_MESSAGES: usize = 20;

/// Consecutive entries of one directory, in path order, with no other directory's contents between them.
pub struct Run<'a> {
    /// The directory, if files are read.
    pub(super) directory: Option<&'a Directory>,
    /// Its path relative to the root; empty for the root, else with a final `/`.
    pub path: &'a [u8],
    /// The entries.
    pub entries: &'a [Entry],
    /// Holds the entries' names.
    pub(super) listing: &'a Listing,
}

impl<'a> Run<'a> {
    /// The name of one of the entries.
    #[must_use]
    pub fn name(&self, entry: &Entry) -> &'a [u8] {
        self.listing.name(*entry)
    }

    /// Opens the file that one of the entries names; a run of a visitor that does not read files has none.
    ///
    /// # Errors
    ///
    /// The system's.
    pub fn open(&self, entry: &Entry) -> io::Result<File> {
        let directory = self.directory.ok_or(io::ErrorKind::Unsupported)?;
        directory.open_file(self.name(entry))
    }

    /// The path of the first entry, which orders the run.
    pub(super) fn key(&self) -> Vec<u8> {
        let first = self.entries.first().map_or(&[][..], |first| self.listing.path_name(*first));
        [self.path, first].concat()
    }
}

/// What is done with the entries of a tree. One visitor serves all workers.
pub trait Visitor: Sync {
    /// What a worker keeps between runs.
    type Scratch: Send;
    /// What a run yields.
    type Found: Send;

    /// Whether files are read: then a run is a task of its own and holds regular files only. Otherwise it
    /// holds every kind of entry, and a task is a part of the tree.
    const READS_FILES: bool;

    /// A new worker's scratch space.
    fn scratch(&self) -> Self::Scratch;

    /// Visits a run. Returns what it found and the weight of that, or `None`; failures go to `report`.
    ///
    /// # Errors
    ///
    /// An error ends the walk.
    fn visit(
        &self,
        scratch: &mut Self::Scratch,
        run: &Run<'_>,
        report: &Report,
    ) -> Result<Option<(u64, Self::Found)>>;

    /// Adds what a run yielded to what the one before it did.
    fn join(found: &mut Self::Found, next: Self::Found);
}

/// Collects what could not be read.
#[derive(Debug, Default)]
pub struct Report {
    pub(super) count: AtomicU64,
    pub(super) messages: Mutex<Vec<(Vec<u8>, String)>>,
}

impl Report {
    /// Notes that `path` (relative to the root) could not be read.
    pub fn unreadable(&self, path: &[u8], error: &io::Error) {
        let path = path.strip_suffix(b"/").unwrap_or(path).to_vec();
        self.count.fetch_add(1, Ordering::Relaxed);
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.len() < MAX_MESSAGES {
            messages.push((path, error.to_string()));
        }
    }
}
