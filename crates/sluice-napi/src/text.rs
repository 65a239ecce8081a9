//! Totals of text, and windows of files.

use std::path::PathBuf;

use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;
use sluice_core::lines::{self, Selection};
use sluice_core::truncate::{self, Keep};

use crate::cancel::Cancellation;
use crate::error::Result;
use crate::number::{to_count, to_js_count};
use crate::task::{self, Job, sync};

/// Newlines and UTF-8 bytes of a text.
#[napi(object, object_from_js = false)]
pub struct TextCount {
    /// Newlines.
    pub newlines: f64,
    /// Bytes as UTF-8; what is invalid counts as U+FFFD, 3 bytes.
    pub utf8_bytes: f64,
}

impl From<truncate::TextCount> for TextCount {
    fn from(count: truncate::TextCount) -> Self {
        TextCount { newlines: to_js_count(count.newlines), utf8_bytes: to_js_count(count.utf8_bytes) }
    }
}

/// Counts a text of UTF-8 bytes, on the calling thread and one more: about 30 ms per GB.
#[napi]
pub fn count_utf8(bytes: &[u8]) -> Result<TextCount> {
    sync(|| Ok(truncate::count_utf8(bytes).into()))
}

/// Counts a text of Latin-1 bytes.
#[napi]
pub fn count_latin1(bytes: &[u8]) -> Result<TextCount> {
    sync(|| Ok(truncate::count_latin1(bytes).into()))
}

/// Counts a text of UTF-16 code units; a part must not begin or end inside a surrogate pair.
#[napi]
pub fn count_utf16(units: &[u16]) -> Result<TextCount> {
    sync(|| Ok(truncate::count_utf16(units).into()))
}

/// One end of a file and the totals of all of it.
#[napi(object, object_from_js = false)]
pub struct FileWindow {
    /// A little more than the wanted bytes; may begin or end inside a character.
    pub bytes: Buffer,
    /// Whether `bytes` is the whole file.
    pub complete: bool,
    /// Newlines in the file.
    pub newlines: f64,
    /// Bytes of the file, decoded.
    pub utf8_bytes: f64,
    /// Whether the file is empty or ends with a newline.
    pub ends_with_newline: bool,
}

/// Reads the first or last `maxBytes` bytes of a file and counts all of it.
#[napi(ts_return_type = "Promise<FileWindow>")]
pub fn read_file_end(
    path: String,
    head: bool,
    max_bytes: f64,
    cancellation: &Cancellation,
) -> AsyncTask<Job<truncate::FileText, FileWindow>> {
    let token = cancellation.0.clone();
    let keep = if head { Keep::Head } else { Keep::Tail };
    task::spawn(
        move || truncate::read_window(&PathBuf::from(path), keep, to_count(max_bytes), &token),
        |text| FileWindow {
            complete: text.complete,
            newlines: to_js_count(text.count.newlines),
            utf8_bytes: to_js_count(text.count.utf8_bytes),
            ends_with_newline: text.ends_with_newline,
            bytes: text.window.into(),
        },
    )
}

/// Which lines of a file; counts may be `Infinity`.
#[napi(object, object_to_js = false)]
pub struct LineSelection {
    /// First line, 0-based.
    pub start: f64,
    /// Lines from there on; absent for all.
    pub limit: Option<f64>,
    /// Lines whose text is wanted.
    pub max_lines: f64,
    /// UTF-8 bytes of text that are wanted.
    pub max_bytes: f64,
}

/// The beginning of the selected lines, and totals.
#[napi(object, object_from_js = false)]
pub struct LineWindow {
    /// The lines, joined by newlines; a little more than wanted. May end inside a character.
    pub bytes: Buffer,
    /// Whether `bytes` is the whole selection.
    pub complete: bool,
    /// Lines of the file: one more than its newlines.
    pub total_lines: f64,
    /// Lines of the selection.
    pub selected_lines: f64,
    /// Bytes of the selection, decoded.
    pub selected_bytes: f64,
    /// Whether the selection's last line is empty.
    pub last_line_empty: bool,
    /// Bytes of the selection's first line, decoded.
    pub first_line_bytes: f64,
}

/// Reads a window of lines of a file of any size.
#[napi(ts_return_type = "Promise<LineWindow>")]
pub fn read_line_window(
    path: String,
    selection: LineSelection,
    cancellation: &Cancellation,
) -> AsyncTask<Job<lines::LineWindow, LineWindow>> {
    let token = cancellation.0.clone();
    let selection = Selection {
        start: to_count(selection.start),
        limit: selection.limit.map(to_count),
        max_lines: to_count(selection.max_lines),
        max_bytes: to_count(selection.max_bytes),
    };
    task::spawn(
        move || lines::read_window(&PathBuf::from(path), &selection, &token),
        |window| LineWindow {
            bytes: window.bytes.into(),
            complete: window.complete,
            total_lines: to_js_count(window.total_lines),
            selected_lines: to_js_count(window.selected_lines),
            selected_bytes: to_js_count(window.selected_bytes),
            last_line_empty: window.last_line_empty,
            first_line_bytes: to_js_count(window.first_line_bytes),
        },
    )
}

/// Counts a text that arrives in chunks of UTF-8 bytes.
#[napi]
#[derive(Default)]
pub struct TextCounter(truncate::StreamCount);

#[napi]
impl TextCounter {
    /// A counter at the beginning of a text.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts a chunk. A character that the chunk ends within counts with the next one.
    #[napi]
    pub fn push(&mut self, chunk: &[u8]) -> Result<()> {
        sync(|| {
            self.0.push(chunk);
            Ok(())
        })
    }

    /// Ends the text: an incomplete character counts as U+FFFD.
    #[napi]
    pub fn finish(&mut self) -> Result<()> {
        sync(|| {
            self.0.finish();
            Ok(())
        })
    }

    /// Newlines so far.
    #[napi(getter)]
    pub fn newlines(&self) -> f64 {
        to_js_count(self.0.count().newlines)
    }

    /// Decoded bytes so far.
    #[napi(getter)]
    pub fn utf8_bytes(&self) -> f64 {
        to_js_count(self.0.count().utf8_bytes)
    }

    /// Decoded bytes since the last newline.
    #[napi(getter)]
    pub fn line_bytes(&self) -> f64 {
        to_js_count(self.0.line_bytes())
    }

    /// Bytes of a character that is not complete yet.
    #[napi(getter)]
    pub fn pending(&self) -> u32 {
        u32::try_from(self.0.pending()).unwrap_or(0)
    }
}
