//! One end of a file, with the totals of all of it.

use std::path::Path;

use super::TextCount;
use crate::lines::{LineIndex, Source};
use crate::{CancelToken, Result};

/// Which end of a text is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    /// The beginning.
    Head,
    /// The end.
    Tail,
}

/// A window at one end of a file, and the totals of the whole file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileText {
    /// At least `max_bytes` bytes from that end, or all of the file. May begin or end inside a character.
    pub window: Vec<u8>,
    /// Totals of the file.
    pub count: TextCount,
    /// Whether `window` is the whole file.
    pub complete: bool,
    /// Whether the file is empty or ends with a newline.
    pub ends_with_newline: bool,
}

/// Reads `max_bytes` bytes (and a few more) at one end of a file and counts all of it.
///
/// # Errors
///
/// As [`Source::open`] and [`LineIndex::of`].
pub fn read_window(path: &Path, keep: Keep, max_bytes: u64, cancel: &CancelToken) -> Result<FileText> {
    let source = Source::open(path, cancel)?;
    let index = LineIndex::of(&source, true, cancel)?;
    // One byte decides "too long", one may be the final newline, three may belong to a cut character.
    let len = max_bytes.saturating_add(8).min(source.len());
    let window = match keep {
        Keep::Head => source.read_range(0, len)?,
        Keep::Tail => source.read_range(source.len() - len, source.len())?,
    };
    let last = if source.is_empty() { b'\n' } else { source.read_range(source.len() - 1, source.len())?[0] };
    Ok(FileText {
        complete: window.len() as u64 == source.len(),
        window,
        count: TextCount {
            newlines: index.newlines(),
            utf8_bytes: index.decoded_between(&source, 0, source.len())?,
        },
        ends_with_newline: last == b'\n',
    })
}
