//! Indexes of recently read files.

use std::sync::{Arc, Mutex, PoisonError};

use super::index::LineIndex;
use crate::file_state::FileState;

/// Files whose index is kept. A file of 1 GB costs 64 KB.
const CAPACITY: usize = 16;

/// Most recently used last.
static CACHE: Mutex<Vec<(FileState, Arc<LineIndex>)>> = Mutex::new(Vec::new());

/// The index of this very state of the file, if it is known.
pub(super) fn get(state: FileState) -> Option<Arc<LineIndex>> {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    let at = cache.iter().position(|(known, _)| *known == state)?;
    let entry = cache.remove(at);
    let index = Arc::clone(&entry.1);
    cache.push(entry);
    Some(index)
}

/// Remembers the index, instead of any other state of the same file.
pub(super) fn put(state: FileState, index: Arc<LineIndex>) {
    let mut cache = CACHE.lock().unwrap_or_else(PoisonError::into_inner);
    cache.retain(|(known, _)| (known.device, known.inode) != (state.device, state.inode));
    if cache.len() >= CAPACITY {
        cache.remove(0);
    }
    cache.push((state, index));
}
