//! Directories that earlier walks listed.
//!
//! A walk of a tree asks for the state of each directory and of each rule file instead of reading it again;
//! what is not exactly as it was, or may have changed without notice, is read. So a result is never stale.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use super::directory::{Directory, EntryKind};
use super::options::WalkOptions;
use super::rules::{Level, Origin, Rules};
use super::walker::Listed;
use super::watched::Watched;
use crate::Result;
use crate::file_state::FileState;

/// Bytes of memory for all trees together, about.
const CAPACITY: usize = 16 * 1024 * 1024;

/// What a level with its compiled globs takes, about.
const LEVEL_SIZE: usize = 16 * 1024;

/// Longer paths are not asked for by one call.
const MAX_PATH: usize = 2048;

/// A directory as it was read.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) listed: Arc<Listed>,
    /// The rules above the directory.
    pub(super) parent: Option<Arc<Level>>,
    /// The rules for its entries.
    pub(super) level: Option<Arc<Level>>,
    /// What those were read from.
    pub(super) watched: Watched,
    /// The state before it was read; `None` if it may change without notice.
    pub(super) state: Option<FileState>,
}

impl Known {
    /// Whether the directory below `root` still has these entries under these rules.
    pub(super) fn is_current(&self, root: &Directory, parent: Option<&Arc<Level>>) -> bool {
        self.state.is_some()
            && self.is_under(parent)
            && self.state == root.state_below(&self.listed.path)
            && self.watched.is_current()
    }

    /// Whether `parent` is the very level that the directory's own was made from.
    pub(super) fn is_under(&self, parent: Option<&Arc<Level>>) -> bool {
        self.parent.as_ref().map(Arc::as_ptr) == parent.map(Arc::as_ptr)
    }

    fn size(&self) -> usize {
        let own_level = self.level.as_ref().is_some_and(|_| !self.is_under(self.level.as_ref()));
        // With hash table and counters.
        let fixed = self.listed.path.len() + size_of::<Self>() + size_of::<Listed>() + 64;
        fixed + self.listed.listing.size() + self.watched.size() + if own_level { LEVEL_SIZE } else { 0 }
    }
}

/// A tree under certain rules, and what is known of it.
#[derive(Debug)]
pub(super) struct Tree {
    key: Key,
    origin: Origin,
    pub(super) rules: Rules,
    pub(super) level: Option<Arc<Level>>,
}

/// The path of a directory, without a copy of it.
#[derive(Clone, Debug)]
struct PathOf(Arc<Listed>);

impl Borrow<[u8]> for PathOf {
    fn borrow(&self) -> &[u8] {
        &self.0.path
    }
}

impl Hash for PathOf {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Borrow::<[u8]>::borrow(self).hash(state);
    }
}

impl PartialEq for PathOf {
    fn eq(&self, other: &Self) -> bool {
        self.0.path == other.0.path
    }
}

impl Eq for PathOf {}

type Directories = HashMap<PathOf, Arc<Known>>;

/// What the answer depends on besides the file system.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Key {
    options: WalkOptions,
    /// Whether only regular files and directories are listed.
    files_only: bool,
    user: Option<(u32, u32)>,
}

#[derive(Clone, Debug)]
struct Entry {
    tree: Arc<Tree>,
    directories: Arc<Directories>,
    size: usize,
}

/// Most recently used last.
static CACHE: Mutex<Vec<Entry>> = Mutex::new(Vec::new());

/// The tree of one walk: its rules, and the directories known before it.
#[derive(Debug)]
pub(super) struct Session {
    pub(super) tree: Arc<Tree>,
    known: Arc<Directories>,
    cached: bool,
}

impl Session {
    /// Begins a walk whose rules come from `origin`.
    ///
    /// # Errors
    ///
    /// As [`Rules::new`].
    pub(super) fn begin(options: &WalkOptions, files_only: bool, origin: Origin) -> Result<Self> {
        let key = Key { options: options.clone(), files_only, user: effective_user() };
        // A glob is asked for once, mostly, and would have a tree of its own.
        let cached = options.globs.is_empty();
        let found = if cached { take(&key, &origin) } else { None };
        if let Some(entry) = found {
            return Ok(Session { tree: entry.tree, known: entry.directories, cached });
        }
        let (rules, level) = Rules::new(options, &origin)?;
        let tree = Arc::new(Tree { key, origin, rules, level });
        Ok(Session { tree, known: Arc::default(), cached })
    }

    /// What is known of a directory, be it current or not.
    pub(super) fn get(&self, path: &[u8]) -> Option<&Arc<Known>> {
        self.known.get(path)
    }

    /// Whether it is of use to remember a directory.
    pub(super) fn remembers(&self, path: &[u8]) -> bool {
        self.cached && path.len() <= MAX_PATH
    }

    /// Ends a walk that read these directories.
    pub(super) fn end(self, read: Vec<Known>) {
        if !self.cached {
            return;
        }
        let directories = if read.is_empty() {
            self.known
        } else {
            let mut all = Arc::unwrap_or_clone(self.known);
            let is_new = all.is_empty();
            for known in read {
                // The key of an older state would stay.
                all.remove(known.listed.path.as_slice());
                all.insert(PathOf(Arc::clone(&known.listed)), Arc::new(known));
            }
            Arc::new(if is_new && size_of_all(&all) <= CAPACITY { all } else { reachable(&all) })
        };
        let size = size_of_all(&directories);
        let dropped = put(Entry { tree: self.tree, directories, size });
        // Nobody has to wait for many small pieces of memory to be given back.
        drop(std::thread::Builder::new().spawn(move || drop(dropped)));
    }
}

fn size_of_all(directories: &Directories) -> usize {
    directories.values().map(|known| known.size()).sum()
}

/// The directories that the others lead to, as many as there is room for.
fn reachable(all: &Directories) -> Directories {
    let mut kept = HashMap::with_capacity(all.len());
    let mut size = 0;
    let mut pending = vec![Vec::new()];
    while let Some(path) = pending.pop() {
        let Some(known) = all.get(path.as_slice()) else { continue };
        size += known.size();
        if size > CAPACITY {
            break;
        }
        let listing = &known.listed.listing;
        let directories = listing.entries.iter().filter(|entry| entry.kind == EntryKind::Directory);
        pending.extend(directories.map(|entry| [&path, listing.path_name(*entry)].concat()));
        kept.insert(PathOf(Arc::clone(&known.listed)), Arc::clone(known));
    }
    kept
}

/// A tree under the same rules.
fn take(key: &Key, origin: &Origin) -> Option<Entry> {
    let cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let found = cache.iter().find(|entry| entry.tree.key == *key)?;
    found.tree.origin.is_same(origin).then(|| found.clone())
}

/// Remembers a tree, instead of an older state of it. Returns what is forgotten for it.
fn put(entry: Entry) -> Vec<Entry> {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let mut size = entry.size;
    let others = cache.drain(..).rev().partition::<Vec<_>, _>(|other| {
        let same = other.tree.key == entry.tree.key;
        size += if same { 0 } else { other.size };
        !same && size <= CAPACITY
    });
    let (mut kept, dropped) = others;
    kept.reverse();
    kept.push(entry);
    *cache = kept;
    dropped
}

#[cfg(unix)]
#[allow(clippy::unnecessary_wraps)]
fn effective_user() -> Option<(u32, u32)> {
    Some((rustix::process::geteuid().as_raw(), rustix::process::getegid().as_raw()))
}

#[cfg(not(unix))]
fn effective_user() -> Option<(u32, u32)> {
    None
}
