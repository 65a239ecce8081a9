//! The workers of a walk.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use bstr::ByteSlice;

use super::cache::{Known, Session};
use super::directory::{Directory, Entry, EntryKind, Listing};
use super::options::WalkOptions;
use super::queue::{Queue, Task, Yield};
use super::rules::{Level, Origin};
use crate::{CancelToken, Error, Result};

/// Files per task of a visitor that reads them: small enough for a balanced load and an early end.
const RUN: usize = 16;

/// From this depth on directories are opened by path, so that their parents need not stay open.
const MAX_OPEN_DEPTH: usize = 200;

/// How many failures are described; all are counted.
const MAX_MESSAGES: usize = 20;

/// Consecutive entries of one directory, in path order, with no other directory's contents between them.
pub struct Run<'a> {
    /// The directory, if files are read.
    directory: Option<&'a Directory>,
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
    pub fn unreadable(&self, path: &[u8], error: &io::Error) {
        let path = path.strip_suffix(b"/").unwrap_or(path).to_vec();
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
    /// Directories that were read because they were not known from an earlier walk.
    pub listed: usize,
}

/// A directory's path relative to the root (empty, or with a final `/`), and its entries that are not ignored,
/// in path order.
#[derive(Debug)]
pub(super) struct Listed {
    pub(super) path: Vec<u8>,
    pub(super) listing: Listing,
}

impl Listed {
    fn run<'a>(&'a self, entries: Range<usize>, directory: Option<&'a Directory>) -> Run<'a> {
        Run { directory, path: &self.path, entries: &self.listing.entries[entries], listing: &self.listing }
    }
}

enum Work {
    /// The directory that the task's key names. Without an open parent it is opened by its path.
    Directory { parent: Option<Arc<Directory>>, depth: usize, level: Option<Arc<Level>> },
    /// Some entries of a directory.
    Files { listed: Arc<Listed>, directory: Option<Arc<Directory>>, entries: Range<usize> },
}

/// A directory whose entries are known.
struct Opened {
    listed: Arc<Listed>,
    level: Option<Arc<Level>>,
    /// Absent if it did not have to be read.
    directory: Option<Arc<Directory>>,
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
    let began = SystemTime::now();
    let session = Session::begin(options, V::READS_FILES, Origin::of(options, began))?;
    let root = Directory::open(&options.root)
        .map_err(|source| Error::io(options.root.display().to_string(), source))?;
    let level = session.tree.level.clone();
    let shared = Shared {
        queue: Queue::new(Work::Directory { parent: None, depth: 0, level }, enough),
        root: Arc::new(root),
        session,
        began,
        visitor,
        cancel,
        report: Report::default(),
        failure: Mutex::new(None),
        read: Mutex::default(),
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
    let read = shared.read.into_inner().unwrap_or_else(PoisonError::into_inner);
    let listed = read.len();
    shared.session.end(read);
    Ok(Walked {
        found: shared.queue.into_found(),
        unreadable: shared.report.count.into_inner(),
        messages,
        listed,
    })
}

struct Shared<'a, V: Visitor> {
    queue: Queue<Work, V::Found>,
    root: Arc<Directory>,
    session: Session,
    began: SystemTime,
    visitor: &'a V,
    cancel: &'a CancelToken,
    report: Report,
    failure: Mutex<Option<Error>>,
    /// The directories that were read and are to be remembered.
    read: Mutex<Vec<Known>>,
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
            Work::Files { listed, directory, entries } => {
                let mut yielded = Yield::default();
                let directory =
                    directory.map_or_else(|| self.root.open_below(&listed.path).map(Arc::new), Ok);
                match directory {
                    Ok(directory) => {
                        self.visit(scratch, &listed.run(entries, Some(&directory)), &mut yielded)?;
                    }
                    Err(error) => self.report.unreadable(&listed.path, &error),
                }
                Ok(yielded)
            }
            Work::Directory { parent, depth, level } => {
                match self.entries(scratch, parent, task.key, depth, level) {
                    Ok(opened) => self.split(scratch, opened, depth),
                    Err((path, error)) => {
                        self.report.unreadable(&path, &error);
                        Ok(Yield::default())
                    }
                }
            }
        }
    }

    /// The entries of a directory that are not ignored, and the rules for what is below it.
    fn entries(
        &self,
        scratch: &mut Scratch<V>,
        parent: Option<Arc<Directory>>,
        path: Vec<u8>,
        depth: usize,
        above: Option<Arc<Level>>,
    ) -> std::result::Result<Opened, (Vec<u8>, io::Error)> {
        let known = self.session.get(&path);
        if let Some(known) = known
            && known.is_current(&self.root, above.as_ref())
        {
            return Ok(Opened {
                listed: Arc::clone(&known.listed),
                level: known.level.clone(),
                directory: None,
            });
        }
        let read = || {
            let directory = self.open(parent, &path, depth)?;
            // Before the entries are read, so that what changes meanwhile shows next time.
            let state = directory.state();
            Ok((directory.list(&mut scratch.buffer)?, directory, state))
        };
        let (listing, directory, state) = match read() {
            Ok(read) => read,
            Err(error) => return Err((path, error)),
        };
        let bare = path.strip_suffix(b"/").unwrap_or(&path).to_path_lossy();
        let before = known
            .filter(|known| known.is_under(above.as_ref()))
            .map(|known| (known.level.as_ref(), &known.watched));
        let (level, watched) =
            self.session.tree.rules.descend(above.as_ref(), &bare, &listing, before, self.began);
        let listing = self.select(&path, listing, level.as_ref());
        let listed = Arc::new(Listed { path, listing });
        if self.session.remembers(&listed.path) {
            let known = Known {
                listed: Arc::clone(&listed),
                parent: above,
                level: level.clone(),
                watched,
                state: state.filter(|state| state.is_settled(self.began)),
            };
            self.read.lock().unwrap_or_else(PoisonError::into_inner).push(known);
        }
        Ok(Opened { listed, level, directory: Some(directory) })
    }

    fn open(&self, parent: Option<Arc<Directory>>, path: &[u8], depth: usize) -> io::Result<Arc<Directory>> {
        match parent {
            _ if depth == 0 => Ok(Arc::clone(&self.root)),
            Some(parent) => {
                let name = path.trim_end_with(|c| c == '/');
                let name = name.rsplit(|&b| b == b'/').next().unwrap_or(name);
                parent.open_directory(name).map(Arc::new)
            }
            None => self.root.open_below(path).map(Arc::new),
        }
    }

    /// Leaves out what is ignored, and puts the rest into order.
    fn select(&self, path: &[u8], mut listing: Listing, level: Option<&Arc<Level>>) -> Listing {
        let mut full = path.to_vec();
        let mut entries = std::mem::take(&mut listing.entries);
        entries.retain(|&entry| {
            if V::READS_FILES && entry.kind == EntryKind::Other {
                return false;
            }
            let name = listing.name(entry);
            full.truncate(path.len());
            full.extend_from_slice(name);
            let is_directory = entry.kind == EntryKind::Directory;
            !self.session.tree.rules.skips(level, &full.to_path_lossy(), name, is_directory)
        });
        listing.entries = entries;
        listing.sort();
        listing
    }

    /// Splits a directory's entries into runs and directories, in path order.
    fn split(
        &self,
        scratch: &mut Scratch<V>,
        Opened { listed, level, directory }: Opened,
        depth: usize,
    ) -> Result<Yield<Work, V::Found>> {
        let mut yielded = Yield::default();
        let mut flush = |entries: Range<usize>, yielded: &mut Yield<Work, V::Found>| -> Result<()> {
            if entries.is_empty() {
                return Ok(());
            }
            let run = listed.run(entries.clone(), directory.as_deref());
            if V::READS_FILES {
                let work = Work::Files { listed: Arc::clone(&listed), directory: directory.clone(), entries };
                yielded.tasks.push(Task { key: run.key(), work });
                return Ok(());
            }
            self.visit(scratch, &run, yielded)
        };
        let mut start = 0;
        for (at, &entry) in listed.listing.entries.iter().enumerate() {
            if entry.kind == EntryKind::Directory {
                flush(start..if V::READS_FILES { at } else { at + 1 }, &mut yielded)?;
                start = at + 1;
                let parent = if depth < MAX_OPEN_DEPTH { directory.clone() } else { None };
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
