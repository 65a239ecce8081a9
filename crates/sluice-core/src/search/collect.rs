//! Collecting a file's matching and context lines.

use std::io;

use grep_searcher::{Searcher, Sink, SinkContext, SinkMatch};

use super::GrepOptions;

/// What is wanted of each file.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    pub(super) limit: u64,
    pub(super) context: u64,
    pub(super) max_line_length: usize,
}

impl Wanted {
    pub(super) fn of(options: &GrepOptions) -> Self {
        Wanted {
            limit: options.limit,
            context: options.context,
            max_line_length: usize::try_from(options.max_line_length).unwrap_or(usize::MAX),
        }
    }
}

/// Lines of one file.
#[derive(Debug, Default)]
pub(super) struct FileLines {
    pub(super) lines: Vec<Line>,
    /// The lines' texts, one after the other.
    pub(super) text: String,
    /// How many of the lines match.
    pub(super) matches: u64,
}

/// One line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Line {
    pub(super) number: u64,
    pub(super) is_match: bool,
    pub(super) is_cut: bool,
    /// Where its text ends in [`FileLines::text`].
    pub(super) end: usize,
}

/// A file's path (relative to the root, or the name of a file that was named) and lines.
#[derive(Debug)]
pub(super) struct FileMatches {
    pub(super) path: Vec<u8>,
    pub(super) lines: FileLines,
}

impl FileMatches {
    pub(super) fn new(path: Vec<u8>, lines: FileLines) -> Self {
        FileMatches { path, lines }
    }
}

/// Takes lines from the searcher until enough is known: one match more than the limit, and the context of
/// the last one within it, in which later matches are shown too.
#[derive(Debug)]
pub(super) struct Collector {
    wanted: Wanted,
    last_line: u64,
    pub(super) found: FileLines,
    pub(super) binary: bool,
}

impl Collector {
    pub(super) fn new(wanted: Wanted) -> Self {
        Collector { wanted, last_line: u64::MAX, found: FileLines::default(), binary: false }
    }

    fn add(&mut self, number: Option<u64>, bytes: &[u8], is_match: bool) -> bool {
        let number = number.unwrap_or(0);
        let is_cut = push_line(&mut self.found.text, strip_terminator(bytes), self.wanted.max_line_length);
        self.found.lines.push(Line { number, is_match, is_cut, end: self.found.text.len() });
        if is_match {
            self.found.matches += 1;
            if self.found.matches == self.wanted.limit {
                self.last_line = number.saturating_add(self.wanted.context);
            }
        }
        self.found.matches <= self.wanted.limit || number < self.last_line
    }
}

impl Sink for Collector {
    type Error = io::Error;

    fn matched(&mut self, _: &Searcher, found: &SinkMatch<'_>) -> io::Result<bool> {
        Ok(self.add(found.line_number(), found.bytes(), true))
    }

    fn context(&mut self, _: &Searcher, found: &SinkContext<'_>) -> io::Result<bool> {
        Ok(self.add(found.line_number(), found.bytes(), false))
    }

    fn binary_data(&mut self, _: &Searcher, _: u64) -> io::Result<bool> {
        self.binary = true;
        Ok(true)
    }
}

/// Without the line terminator; a carriage return elsewhere is content.
fn strip_terminator(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Appends a line as text, cut after `max` UTF-16 code units; returns whether it was cut.
fn push_line(text: &mut String, line: &[u8], max: usize) -> bool {
    if line.len() <= max
        && let Ok(line) = std::str::from_utf8(line)
    {
        text.push_str(line);
        return false;
    }
    // A code unit takes at most three bytes, so this much decides whether the line is too long.
    let decisive = max.saturating_mul(3).saturating_add(4).min(line.len());
    let start = String::from_utf8_lossy(&line[..decisive]);
    let mut units = 0;
    for (at, c) in start.char_indices() {
        units += c.len_utf16();
        if units > max {
            text.push_str(&start[..at]);
            text.push_str("... [truncated]");
            return true;
        }
    }
    text.push_str(&start);
    false
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn a_line_is_cut_by_code_units(line in "[a-zé漢\u{1F600}]{0,30}", max in 0_usize..20) {
            let mut text = String::new();
            let cut = push_line(&mut text, line.as_bytes(), max);
            let units: Vec<u16> = line.encode_utf16().collect();
            prop_assert_eq!(cut, units.len() > max);
            let expected = if cut {
                let whole = String::from_utf16(&units[..max]).or_else(|_| String::from_utf16(&units[..max - 1]));
                whole.unwrap() + "... [truncated]"
            } else {
                line
            };
            prop_assert_eq!(text, expected);
        }
    }
}
