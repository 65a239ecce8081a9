//! The workers of a walk.

use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bstr::ByteSlice;

use super::directory::{Directory, Entry, EntryKind, Listing};
use super::options::WalkOptions;
use super::queue::{Queue, Task, Yield};
use super::rules::{Level, Rules};
use crate::{CancelToken, Error, Result};

/// Files per task of a visitor that reads them: small enough for a balanced load and an early end.
const RUN: usize = 16;

/// From this depth on directories are opened by path, so that their parents need not stay open.
const MAX_OPEN_DEPTH: usize = 200;

/// How many failures are described; all are counted.
const MAX_MESSAGES: usize = 20;

/// Consecutive entries of one directory, in path order, with no other directory's contents between them.
pub struct Run<'a> {
    /// The directory.
    pub directory: &'a Directory,
    /// Its path relative to the root; empty for the root, else with a final `/`.
    pub path: &'a [u8],
    /// The entries.
    pub entries: &'a [Entry],
    /// Holds the entries' names.
    listing: &'a Listing,
}

impl<'a> Run<'a> {
    /// The name of one of the entries.
    #[must_use]
    pub fn name(&self, entry: &Entry) -> &'a [u8] {
        self.listing.name(*entry)
    }

    /// The path of the first entry, which orders the run.
    fn key(&self) -> Vec<u8> {
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
    /// holds every kind of entry and is visited while the directory is listed.
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
}

/// Collects what could not be read.
#[derive(Debug, Default)]
pub struct Report {
    count: AtomicU64,
    messages: Mutex<Vec<(Vec<u8>, String)>>,
}

impl Report {
    /// Notes that `path` (relative to the root) could not be read.
    pub fn unreadable(&self, path: Vec<u8>, error: &io::Error) {
        self.count.fetch_add(1, Ordering::Relaxed);
        let mut messages = self.messages.lock().unwrap_or_else(PoisonError::into_inner);
        if messages.len() < MAX_MESSAGES {
            messages.push((path, error.to_string()));
        }
    }
}

/// How a walk ended.
#[derive(Debug)]
pub struct Walked<F> {
    /// What the runs yielded, in path order.
    pub found: Vec<F>,
    /// Directories and files that could not be read.
    pub unreadable: u64,
    /// Paths (relative to the root) and the system's messages of the first 20 of them, in path order.
    pub messages: Vec<(Vec<u8>, String)>,
}

/// A directory that was listed.
struct Listed {
    directory: Arc<Directory>,
    path: Vec<u8>,
    listing: Listing,
}

impl Listed {
    fn run(&self, entries: Range<usize>) -> Run<'_> {
        Run {
            directory: &self.directory,
            path: &self.path,
            entries: &self.listing.entries[entries],
            listing: &self.listing,
        }
    }
}

enum Work {
    /// The directory that the task's key names.
    Directory { parent: Option<Arc<Directory>>, depth: usize, level: Option<Arc<Level>> },
    /// Some entries of a directory.
    Files { listed: Arc<Listed>, entries: Range<usize> },
}

/// Walks the tree under `options.root` until the weights of what was found, in path order, sum up to
/// `enough`; what comes later in path order is not walked if that can be avoided, and never returned unless
/// it belongs to the run that completes the sum.
///
/// # Errors
///
/// [`Error::Io`] if the root cannot be read, [`Error::InvalidPattern`] for a bad glob, [`Error::Aborted`], and
/// what the visitor returns.
pub fn walk<V: Visitor>(
    options: &WalkOptions,
    visitor: &V,
    enough: u64,
    cancel: &CancelToken,
) -> Result<Walked<V::Found>> {
    let (rules, level) = Rules::new(options)?;
    let root = Directory::open(&options.root)
        .map_err(|source| Error::io(options.root.display().to_string(), source))?;
    let first = Work::Directory { parent: Some(Arc::new(root)), depth: 0, level };
    let shared = Shared {
        queue: Queue::new(first, enough),
        rules,
        options,
        visitor,
        cancel,
        report: Report::default(),
        failure: Mutex::new(None),
    };
    let workers = std::thread::available_parallelism().map_or(1, usize::from).min(8);
    std::thread::scope(|scope| {
        // Where the system has no thread left, those there are do it all.
        let others: Vec<_> = (1..workers)
            .map_while(|_| std::thread::Builder::new().spawn_scoped(scope, || shared.work()).ok())
            .collect();
        shared.work();
        for other in others {
            if let Err(panic) = other.join() {
                std::panic::resume_unwind(panic);
            }
        }
    });
    if let Some(error) = shared.failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
        return Err(error);
    }
    let mut messages = shared.report.messages.into_inner().unwrap_or_else(PoisonError::into_inner);
    messages.sort();
    Ok(Walked { found: shared.queue.into_found(), unreadable: shared.report.count.into_inner(), messages })
}

struct Shared<'a, V: Visitor> {
    queue: Queue<Work, V::Found>,
    rules: Rules,
    options: &'a WalkOptions,
    visitor: &'a V,
    cancel: &'a CancelToken,
    report: Report,
    failure: Mutex<Option<Error>>,
}

/// Ends the walk for the other workers if this one panics.
struct StopOnPanic<'a, W, F>(&'a Queue<W, F>);

impl<W, F> Drop for StopOnPanic<'_, W, F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

impl<V: Visitor> Shared<'_, V> {
    fn work(&self) {
        let _guard = StopOnPanic(&self.queue);
        let mut scratch = Scratch { visitor: self.visitor.scratch(), buffer: Vec::new() };
        let mut finished = None;
        while let Some(task) = self.queue.next(finished.take()) {
            match self.cancel.check().and_then(|()| self.perform(&mut scratch, task)) {
                Ok(yielded) => finished = Some(yielded),
                Err(error) => {
                    let mut failure = self.failure.lock().unwrap_or_else(PoisonError::into_inner);
                    failure.get_or_insert(error);
                    drop(failure);
                    self.queue.stop();
                    finished = Some(Yield::default());
                }
            }
        }
    }

    fn perform(&self, scratch: &mut Scratch<V>, task: Task<Work>) -> Result<Yield<Work, V::Found>> {
        match task.work {
            Work::Files { listed, entries } => {
                let mut yielded = Yield::default();
                self.visit(scratch, &listed.run(entries), &mut yielded)?;
                Ok(yielded)
            }
            Work::Directory { parent, depth, level } => {
                let opened = self.open(parent, &task.key, depth);
                match opened.and_then(|directory| Ok((directory.list(&mut scratch.buffer)?, directory))) {
                    Ok((listing, directory)) => {
                        let listed = self.select(directory, task.key, listing, level.as_ref());
                        self.split(scratch, listed, depth)
                    }
                    Err(error) => {
                        self.report.unreadable(task.key, &error);
                        Ok(Yield::default())
                    }
                }
            }
        }
    }

    fn open(&self, parent: Option<Arc<Directory>>, path: &[u8], depth: usize) -> io::Result<Arc<Directory>> {
        match parent {
            Some(root) if depth == 0 => Ok(root),
            Some(parent) => {
                let name = path.trim_end_with(|c| c == '/');
                let name = name.rsplit(|&b| b == b'/').next().unwrap_or(name);
                parent.open_directory(name).map(Arc::new)
            }
            None => Directory::open(&self.options.root.join(path.to_path_lossy())).map(Arc::new),
        }
    }

    /// Leaves out what is ignored, and puts the rest into order.
    fn select(
        &self,
        directory: Arc<Directory>,
        path: Vec<u8>,
        mut listing: Listing,
        level: Option<&Arc<Level>>,
    ) -> (Listed, Option<Arc<Level>>) {
        let bare = path.strip_suffix(b"/").unwrap_or(&path);
        let level = self.rules.descend(level, &directory, &bare.to_path_lossy(), &listing);
        let mut full = path.clone();
        let mut entries = std::mem::take(&mut listing.entries);
        entries.retain(|&entry| {
            if V::READS_FILES && entry.kind == EntryKind::Other {
                return false;
            }
            let name = listing.name(entry);
            full.truncate(path.len());
            full.extend_from_slice(name);
            !self.rules.skips(level.as_ref(), &full.to_path_lossy(), name, entry.kind == EntryKind::Directory)
        });
        listing.entries = entries;
        listing.sort();
        (Listed { directory, path, listing }, level)
    }

    /// Splits a directory's entries into runs and directories, in path order.
    fn split(
        &self,
        scratch: &mut Scratch<V>,
        (listed, level): (Listed, Option<Arc<Level>>),
        depth: usize,
    ) -> Result<Yield<Work, V::Found>> {
        let listed = Arc::new(listed);
        let mut yielded = Yield::default();
        let mut flush = |entries: Range<usize>, yielded: &mut Yield<Work, V::Found>| -> Result<()> {
            if entries.is_empty() {
                return Ok(());
            }
            let run = listed.run(entries.clone());
            if V::READS_FILES {
                let key = run.key();
                yielded.tasks.push(Task { key, work: Work::Files { listed: Arc::clone(&listed), entries } });
                return Ok(());
            }
            self.visit(scratch, &run, yielded)
        };
        let mut start = 0;
        for (at, &entry) in listed.listing.entries.iter().enumerate() {
            if entry.kind == EntryKind::Directory {
                flush(start..if V::READS_FILES { at } else { at + 1 }, &mut yielded)?;
                start = at + 1;
                let parent = (depth < MAX_OPEN_DEPTH).then(|| Arc::clone(&listed.directory));
                let key = [&listed.path, listed.listing.path_name(entry)].concat();
                let work = Work::Directory { parent, depth: depth + 1, level: level.clone() };
                yielded.tasks.push(Task { key, work });
            } else if V::READS_FILES && at + 1 - start >= RUN {
                flush(start..at + 1, &mut yielded)?;
                start = at + 1;
            }
        }
        flush(start..listed.listing.entries.len(), &mut yielded)?;
        Ok(yielded)
    }

    fn visit(
        &self,
        scratch: &mut Scratch<V>,
        run: &Run<'_>,
        yielded: &mut Yield<Work, V::Found>,
    ) -> Result<()> {
        if let Some((weight, found)) = self.visitor.visit(&mut scratch.visitor, run, &self.report)? {
            yielded.found.push((run.key(), weight, found));
        }
        Ok(())
    }
}

/// What a worker keeps between tasks.
struct Scratch<V: Visitor> {
    visitor: V::Scratch,
    buffer: Vec<u8>,
}
