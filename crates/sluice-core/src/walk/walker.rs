//! The workers of a walk.

use std::io;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use bstr::ByteSlice;

use super::cache::{Known, Session};
use super::directory::{Directory, EntryKind, Listing};
use super::options::WalkOptions;
use super::queue::{Queue, Task, Yield};
use super::rules::{Level, Origin};
use super::visitor::{Report, Run, Visitor};
use crate::{CancelToken, Error, Result};

/// Files per task of a visitor that reads them: small enough for a balanced load and an early end.
const RUN: usize = 16;

/// Directories per task of a visitor that does not.
const BATCH: usize = 32;

/// From this depth on directories are opened by path, so that their parents need not stay open.
const MAX_OPEN_DEPTH: usize = 200;

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
        device: root.changes_show().then(|| root.state()).flatten().map(|state| state.device),
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
    /// The root's file system, if directories on it are to be remembered.
    device: Option<u64>,
    session: Session,
    began: SystemTime,
    visitor: &'a V,
    cancel: &'a CancelToken,
    report: Report,
    failure: Mutex<Option<Error>>,
    /// What all workers read.
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
        let mut scratch = Scratch { visitor: self.visitor.scratch(), buffer: Vec::new(), read: Vec::new() };
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
        self.read.lock().unwrap_or_else(PoisonError::into_inner).append(&mut scratch.read);
    }

    /// Performs a task, or the first part of it in path order; the rest becomes new tasks.
    fn perform(&self, scratch: &mut Scratch<V>, task: Task<Work>) -> Result<Yield<Work, V::Found>> {
        let mut budget = if V::READS_FILES { 1 } else { BATCH };
        let mut found: Option<(Vec<u8>, u64, V::Found)> = None;
        // What is left, the smallest path last.
        let mut tasks = vec![task];
        while let Some(task) = tasks.pop() {
            if budget == 0 {
                tasks.push(task);
                break;
            }
            self.cancel.check()?;
            match task.work {
                Work::Files { listed, directory, entries } => {
                    budget -= usize::from(V::READS_FILES);
                    let run = self.visit(scratch, &listed, directory, entries)?;
                    match (&mut found, run) {
                        // Nothing can lie between the two.
                        (Some((_, weight, all)), Some((more, run))) => {
                            *weight += more;
                            V::join(all, run);
                        }
                        (None, Some((weight, run))) => found = Some((task.key, weight, run)),
                        (_, None) => {}
                    }
                }
                Work::Directory { parent, depth, level } => {
                    budget -= 1;
                    match self.entries(scratch, parent, task.key, depth, level) {
                        Ok(opened) => split(opened, depth, V::READS_FILES, &mut tasks),
                        Err((path, error)) => self.report.unreadable(&path, &error),
                    }
                }
            }
        }
        Ok(Yield { tasks, found })
    }

    fn visit(
        &self,
        scratch: &mut Scratch<V>,
        listed: &Listed,
        directory: Option<Arc<Directory>>,
        entries: Range<usize>,
    ) -> Result<Option<(u64, V::Found)>> {
        let directory = match directory {
            None if V::READS_FILES => match self.root.open_below(&listed.path) {
                Ok(directory) => Some(Arc::new(directory)),
                Err(error) => {
                    self.report.unreadable(&listed.path, &error);
                    return Ok(None);
                }
            },
            other => other,
        };
        self.visitor.visit(&mut scratch.visitor, &listed.run(entries, directory.as_deref()), &self.report)
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
            let state = directory.state().filter(|state| Some(state.device) == self.device);
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
            scratch.read.push(known);
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
}

/// Splits a directory's entries into runs and directories, which are added with the smallest path last.
fn split(
    Opened { listed, level, directory }: Opened,
    depth: usize,
    reads_files: bool,
    tasks: &mut Vec<Task<Work>>,
) {
    let before = tasks.len();
    let add_run = |entries: Range<usize>, tasks: &mut Vec<Task<Work>>| {
        if !entries.is_empty() {
            let key = listed.run(entries.clone(), None).key();
            let directory = directory.clone();
            tasks.push(Task { key, work: Work::Files { listed: Arc::clone(&listed), directory, entries } });
        }
    };
    let mut start = 0;
    for (at, &entry) in listed.listing.entries.iter().enumerate() {
        if entry.kind == EntryKind::Directory {
            add_run(start..if reads_files { at } else { at + 1 }, tasks);
            start = at + 1;
            let parent = if depth < MAX_OPEN_DEPTH { directory.clone() } else { None };
            let key = [&listed.path, listed.listing.path_name(entry)].concat();
            tasks
                .push(Task { key, work: Work::Directory { parent, depth: depth + 1, level: level.clone() } });
        } else if reads_files && at + 1 - start >= RUN {
            add_run(start..at + 1, tasks);
            start = at + 1;
        }
    }
    add_run(start..listed.listing.entries.len(), tasks);
    tasks[before..].reverse();
}

/// What a worker keeps between tasks.
struct Scratch<V: Visitor> {
    visitor: V::Scratch,
    buffer: Vec<u8>,
    /// The directories that were read and are to be remembered.
    read: Vec<Known>,
}
