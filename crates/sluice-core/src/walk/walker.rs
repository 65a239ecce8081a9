//! The workers of a walk.

use std::io;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bstr::ByteSlice;

use super::directory::{Directory, Entry, EntryKind};
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

enum Work {
    Directory { parent: Option<Arc<Directory>>, path: Vec<u8>, depth: usize, level: Option<Arc<Level>> },
    Files { directory: Arc<Directory>, path: Arc<[u8]>, entries: Vec<Entry> },
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
    let first = Work::Directory { parent: Some(Arc::new(root)), path: Vec::new(), depth: 0, level };
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
        let others: Vec<_> = (1..workers).map(|_| scope.spawn(|| shared.work())).collect();
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
        let mut scratch = self.visitor.scratch();
        let mut finished = None;
        while let Some(work) = self.queue.next(finished.take()) {
            match self.cancel.check().and_then(|()| self.perform(&mut scratch, work)) {
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

    fn perform(&self, scratch: &mut V::Scratch, work: Work) -> Result<Yield<Work, V::Found>> {
        match work {
            Work::Files { directory, path, entries } => {
                let mut yielded = Yield::default();
                let run = Run { directory: &directory, path: &path, entries: &entries };
                self.visit(scratch, &run, &mut yielded)?;
                Ok(yielded)
            }
            Work::Directory { parent, path, depth, level } => {
                let outcome = self.open(parent, &path, depth).and_then(|dir| Ok((dir.entries()?, dir)));
                match outcome {
                    Ok((entries, directory)) => {
                        self.list(scratch, directory, path, entries, depth, level.as_ref())
                    }
                    Err(error) => {
                        self.report.unreadable(path, &error);
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

    /// Splits a directory's entries into runs and directories, in path order.
    fn list(
        &self,
        scratch: &mut V::Scratch,
        directory: Arc<Directory>,
        path: Vec<u8>,
        mut entries: Vec<Entry>,
        depth: usize,
        level: Option<&Arc<Level>>,
    ) -> Result<Yield<Work, V::Found>> {
        let bare = path.strip_suffix(b"/").unwrap_or(&path);
        let level = self.rules.descend(level, &directory, Path::new(&*bare.to_path_lossy()), &entries);
        let mut full = path.clone();
        entries.retain(|entry| {
            let is_dir = entry.kind == EntryKind::Directory;
            if V::READS_FILES && entry.kind == EntryKind::Other {
                return false;
            }
            full.truncate(path.len());
            full.extend_from_slice(&entry.name);
            !self.rules.skips(level.as_ref(), &full.to_path_lossy(), &entry.name, is_dir)
        });
        entries.sort_unstable_by(|a, b| order_key(a).cmp(order_key(b)));

        let mut yielded = Yield::default();
        let shared_path: Arc<[u8]> = path.as_slice().into();
        let mut pending: Vec<Entry> = Vec::new();
        let mut flush = |pending: &mut Vec<Entry>, yielded: &mut Yield<Work, V::Found>| -> Result<()> {
            if pending.is_empty() {
                return Ok(());
            }
            let entries = std::mem::take(pending);
            if V::READS_FILES {
                let work = Work::Files {
                    directory: Arc::clone(&directory),
                    path: Arc::clone(&shared_path),
                    entries,
                };
                let key = work.key();
                yielded.tasks.push(Task { key, work });
                return Ok(());
            }
            self.visit(scratch, &Run { directory: &directory, path: &path, entries: &entries }, yielded)
        };
        for entry in entries {
            let is_dir = entry.kind == EntryKind::Directory;
            if !is_dir {
                pending.push(entry);
                if V::READS_FILES && pending.len() >= RUN {
                    flush(&mut pending, &mut yielded)?;
                }
                continue;
            }
            let mut below = [path.as_slice(), &entry.name].concat();
            below.push(b'/');
            if !V::READS_FILES {
                pending.push(entry);
            }
            flush(&mut pending, &mut yielded)?;
            let parent = (depth < MAX_OPEN_DEPTH).then(|| Arc::clone(&directory));
            let work =
                Work::Directory { parent, path: below.clone(), depth: depth + 1, level: level.clone() };
            yielded.tasks.push(Task { key: below, work });
        }
        flush(&mut pending, &mut yielded)?;
        Ok(yielded)
    }

    fn visit(
        &self,
        scratch: &mut V::Scratch,
        run: &Run<'_>,
        yielded: &mut Yield<Work, V::Found>,
    ) -> Result<()> {
        if let Some((weight, found)) = self.visitor.visit(scratch, run, &self.report)? {
            yielded.found.push((run_key(run.path, run.entries), weight, found));
        }
        Ok(())
    }
}

impl Work {
    fn key(&self) -> Vec<u8> {
        match self {
            Work::Directory { path, .. } => path.clone(),
            Work::Files { path, entries, .. } => run_key(path, entries),
        }
    }
}

/// The path of a run's first entry.
fn run_key(path: &[u8], entries: &[Entry]) -> Vec<u8> {
    let mut key = path.to_vec();
    if let Some(first) = entries.first() {
        key.extend(order_key(first));
    }
    key
}

/// A name as it stands in a path: a directory's ends with `/`.
fn order_key(entry: &Entry) -> impl Iterator<Item = u8> + '_ {
    let slash = (entry.kind == EntryKind::Directory).then_some(b'/');
    entry.name.iter().copied().chain(slash)
}
