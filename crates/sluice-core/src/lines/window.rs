//! Reading a window of lines.

use std::path::Path;

use super::index::LineIndex;
use super::source::Source;
use crate::truncate::decoded_len;
use crate::{CancelToken, Result};

/// Which lines, and how much of them at most. Line numbers are 0-based here.
#[derive(Clone, Copy, Debug)]
pub struct Selection {
    /// First line, 0-based.
    pub start: u64,
    /// Lines from there on; `None` for all.
    pub limit: Option<u64>,
    /// Lines of which the text is wanted; one more is delivered, to show that there is more.
    pub max_lines: u64,
    /// UTF-8 bytes of text that are wanted; a few more are delivered.
    pub max_bytes: u64,
}

/// The beginning of the selected lines, and what is known about all of them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LineWindow {
    /// The selected lines, joined by `\n`, from their beginning: all of them if `complete`, else more than
    /// `max_lines` lines or `max_bytes` bytes. May end inside a character.
    pub bytes: Vec<u8>,
    /// Whether `bytes` is the whole selection.
    pub complete: bool,
    /// Lines of the file: one more than its newlines, as text splits at them.
    pub total_lines: u64,
    /// Selected lines that exist; an empty one after a final newline counts.
    pub selected_lines: u64,
    /// Size of the selected lines joined by `\n`, decoded, in UTF-8 bytes.
    pub selected_bytes: u64,
    /// Whether the last selected line is empty.
    pub last_line_empty: bool,
    /// Size of the first selected line, decoded, in UTF-8 bytes.
    pub first_line_bytes: u64,
}

/// Reads a window of a file. The first read of a large file scans it whole, for the total; later ones read
/// a few blocks.
///
/// # Errors
///
/// As [`Source::open`] and [`LineIndex::of`].
pub fn read_window(path: &Path, selection: &Selection, cancel: &CancelToken) -> Result<LineWindow> {
    let source = Source::open(path, cancel)?;
    window_of(&source, selection, cancel)
}

fn window_of(source: &Source, selection: &Selection, cancel: &CancelToken) -> Result<LineWindow> {
    // Decoded sizes are needed if the selection is cut, which is likely without a small limit.
    let likely_cut = selection.limit.is_none_or(|limit| limit > selection.max_lines);
    let mut index = LineIndex::of(source, likely_cut, cancel)?;
    let total_lines = index.newlines() + 1;
    let end_line =
        selection.limit.map_or(total_lines, |n| selection.start.saturating_add(n).min(total_lines));
    if selection.start >= end_line {
        return Ok(LineWindow { complete: true, total_lines, ..LineWindow::default() });
    }
    let start = index.line_start(source, selection.start)?;
    // Without the newline that ends the last selected line; the file's last line has none.
    let line_end = |index: &LineIndex, line: u64| -> Result<u64> {
        let next = index.line_start(source, line + 1)?;
        Ok(if line + 1 < total_lines { next - 1 } else { next })
    };
    let end = line_end(&index, end_line - 1)?;
    let last_start = index.line_start(source, end_line - 1)?;

    let by_bytes = start.saturating_add(selection.max_bytes.saturating_add(8));
    let shown_end = if end <= by_bytes {
        end
    } else {
        let by_lines = index
            .line_start(source, selection.start.saturating_add(selection.max_lines).saturating_add(2))?;
        by_bytes.min(by_lines).min(end)
    };
    let bytes = source.read_range(start, shown_end)?;
    let complete = shown_end == end;
    if !complete && !likely_cut {
        index = LineIndex::of(source, true, cancel)?;
    }
    let first_end = memchr::memchr(b'\n', &bytes);
    let first_line_bytes = match first_end {
        Some(at) => decoded_len(&bytes[..at]),
        None if complete => decoded_len(&bytes),
        None => index.decoded_between(source, start, line_end(&index, selection.start)?)?,
    };
    Ok(LineWindow {
        selected_bytes: if complete {
            decoded_len(&bytes)
        } else {
            index.decoded_between(source, start, end)?
        },
        bytes,
        complete,
        total_lines,
        selected_lines: end_line - selection.start,
        last_line_empty: last_start == end,
        first_line_bytes,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(bytes: &[u8], selection: &Selection) -> (String, usize, usize) {
        let text = String::from_utf8_lossy(bytes);
        let lines: Vec<&str> = text.split('\n').collect();
        let start = usize::try_from(selection.start).unwrap().min(lines.len());
        let end =
            selection.limit.map_or(lines.len(), |n| (start + usize::try_from(n).unwrap()).min(lines.len()));
        (lines[start..end].join("\n"), end - start, lines.len())
    }

    proptest! {
        #[test]
        fn selects_what_splitting_selects(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), Just(b'a'), any::<u8>()], 0..200),
            start in 0_u64..40, limit in proptest::option::of(0_u64..40),
            max_lines in 0_u64..20, max_bytes in 0_u64..100,
        ) {
            let selection = Selection { start, limit, max_lines, max_bytes };
            let source = Source::from_bytes("test", bytes.clone());
            let window = window_of(&source, &selection, &CancelToken::default()).unwrap();
            let (text, lines, total) = naive(&bytes, &selection);
            prop_assert_eq!(window.total_lines, total as u64);
            prop_assert_eq!(window.selected_lines, lines as u64);
            prop_assert_eq!(window.selected_bytes, text.len() as u64);
            let shown = String::from_utf8_lossy(&window.bytes).into_owned();
            if window.complete {
                prop_assert_eq!(&shown, &text);
            } else {
                prop_assert!(window.bytes.len() as u64 > max_bytes || shown.matches('\n').count() as u64 > max_lines);
            }
            let first = text.split('\n').next().unwrap_or("");
            prop_assert_eq!(window.first_line_bytes, first.len() as u64);
            let empty_last = lines > 0 && text.rsplit('\n').next().unwrap_or("").is_empty();
            prop_assert_eq!(window.last_line_empty, empty_last);
        }
    }

    #[test]
    fn a_changed_file_is_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let all = Selection { start: 0, limit: Some(1), max_lines: 10, max_bytes: 100 };
        let total = |text: &[u8]| {
            std::fs::write(&path, text).unwrap();
            read_window(&path, &all, &CancelToken::default()).unwrap().total_lines
        };
        let line = vec![b'x'; 1 << 20];
        let big = [line.as_slice(); 5].join(&b'\n');
        assert_eq!(total(&big), 5);
        assert_eq!(total(&big[..big.len() - 1]), 5);
        let same_size = [&b"\n\n\n"[..], &big[3..]].concat();
        assert_eq!(total(&same_size), 8);
    }

    #[test]
    fn a_file_that_grows_or_shrinks_meanwhile_is_the_old_one_or_an_error() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        let cancel = CancelToken::default();
        let all = Selection { start: 0, limit: None, max_lines: 100, max_bytes: 1000 };
        std::fs::write(&path, "a\nb\n").unwrap();
        let source = Source::open(&path, &cancel).unwrap();
        std::fs::write(&path, "a\nb\nc\nd\n").unwrap();
        assert_eq!(window_of(&source, &all, &cancel).unwrap().total_lines, 3);
        std::fs::OpenOptions::new().write(true).open(&path).unwrap().set_len(1).unwrap();
        let error = window_of(&source, &all, &cancel).unwrap_err().to_string();
        assert!(error.contains("truncated"), "{error}");
    }

    #[cfg(unix)]
    #[test]
    fn special_files_never_hang() {
        let dir = tempfile::tempdir().unwrap();
        let cancel = CancelToken::default();
        let fifo = dir.path().join("fifo");
        rustix::fs::mknodat(
            rustix::fs::CWD,
            &fifo,
            rustix::fs::FileType::Fifo,
            rustix::fs::Mode::from_raw_mode(0o600),
            0,
        )
        .unwrap();
        assert!(Source::open(&fifo, &cancel).is_err());
        assert!(Source::open(dir.path(), &cancel).is_err());
        assert!(Source::open(Path::new("/dev/null"), &cancel).unwrap().is_empty());
        assert!(Source::open(Path::new("/dev/zero"), &cancel).is_err());
        #[cfg(target_os = "linux")]
        assert!(Source::open(Path::new("/proc/self/status"), &cancel).unwrap().len() > 100);
    }
}
