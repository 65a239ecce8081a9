//! `tail`: the last lines or bytes, or everything from a line or byte on (GNU coreutils 9.1).

mod options;

use super::View;
use super::header::Headed;
use super::ring::{Ring, count_delimiters, nth_last_line_end, skip_lines};
use crate::Result;

/// How much `tail` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TailMode {
    /// The last lines: `-n 5`.
    LastLines(u64),
    /// From a line on, counted from 1: `-n +5`. 0 is the same as 1.
    FromLine(u64),
    /// The last bytes: `-c 5`.
    LastBytes(u64),
    /// From a byte on, counted from 1: `-c +5`. 0 is the same as 1.
    FromByte(u64),
}

/// A parsed `tail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailSpec {
    /// How much is shown. Ten lines if the command does not say.
    pub mode: TailMode,
    /// What ends a line: a newline, or NUL with `-z`.
    pub delimiter: u8,
    /// Whether a header that names standard input comes first (`-v`).
    pub header: bool,
}

impl TailSpec {
    pub(super) fn build(&self) -> Box<dyn View> {
        let delimiter = self.delimiter;
        let view: Box<dyn View> = match self.mode {
            TailMode::LastLines(0) | TailMode::LastBytes(0) => return Box::new(Nothing),
            TailMode::LastLines(keep) => {
                Box::new(LastLines { keep, delimiter, ring: Ring::new(Some(delimiter)) })
            }
            TailMode::LastBytes(keep) => Box::new(LastBytes { keep, ring: Ring::new(None) }),
            TailMode::FromLine(first) => Box::new(FromLine { skip: first.saturating_sub(1), delimiter }),
            TailMode::FromByte(first) => Box::new(FromByte { skip: first.saturating_sub(1) }),
        };
        Headed::wrap(view, self.header)
    }
}

/// `-n 0`, `-c 0`: exits without reading, and without a header.
struct Nothing;

impl View for Nothing {
    fn push(&mut self, _input: &[u8], _out: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }

    fn satisfied(&self) -> bool {
        true
    }
}

/// Keeps the last `keep` lines, which is not 0.
struct LastLines {
    keep: u64,
    delimiter: u8,
    ring: Ring,
}

impl View for LastLines {
    fn push(&mut self, input: &[u8], _out: &mut Vec<u8>) -> Result<()> {
        let delimiters = count_delimiters(input, self.delimiter);
        // Behind this many delimiters from the end lie the last `keep` lines, whether or not the last one is terminated.
        let needed = self.keep.saturating_add(1);
        if delimiters >= needed {
            self.ring.take_all(None);
            let start = nth_last_line_end(input, self.delimiter, needed).unwrap_or(0);
            self.ring.append(&input[start..], self.keep);
        } else {
            self.ring.append(input, delimiters);
            self.ring.drop_chunks_keeping(needed);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        let unterminated = self.ring.last().is_some_and(|last| last != self.delimiter);
        let lines = self.ring.delimiters() + u64::from(unterminated);
        self.ring.take_lines(lines.saturating_sub(self.keep), None);
        self.ring.take_all(Some(out));
        Ok(0)
    }

    fn preview(&self, out: &mut Vec<u8>) {
        if self.ring.bytes() <= PREVIEW_BYTES {
            let unterminated = self.ring.last().is_some_and(|last| last != self.delimiter);
            let lines = self.ring.delimiters() + u64::from(unterminated);
            let mut ring = self.ring.clone();
            ring.take_lines(lines.saturating_sub(self.keep), None);
            ring.take_all(Some(out));
        }
    }
}

/// More than this many kept bytes are not copied for a preview.
const PREVIEW_BYTES: u64 = 256 * 1024;

/// Keeps the last `keep` bytes, which is not 0.
struct LastBytes {
    keep: u64,
    ring: Ring,
}

impl View for LastBytes {
    fn push(&mut self, input: &[u8], _out: &mut Vec<u8>) -> Result<()> {
        match usize::try_from(self.keep).ok().and_then(|keep| input.len().checked_sub(keep)) {
            Some(start) => {
                self.ring.take_all(None);
                self.ring.append(&input[start..], 0);
            }
            None => {
                self.ring.append(input, 0);
                let surplus = self.ring.bytes().saturating_sub(self.keep);
                self.ring.take_bytes(surplus, None);
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.ring.take_all(Some(out));
        Ok(0)
    }
}

struct FromLine {
    /// Delimiters still to be passed over.
    skip: u64,
    delimiter: u8,
}

impl View for FromLine {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let (start, skip) = skip_lines(input, self.delimiter, self.skip);
        self.skip = skip;
        out.extend_from_slice(&input[start..]);
        Ok(())
    }
}

struct FromByte {
    /// Bytes still to be passed over.
    skip: u64,
}

impl View for FromByte {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let start = usize::try_from(self.skip).map_or(input.len(), |skip| skip.min(input.len()));
        self.skip -= start as u64;
        out.extend_from_slice(&input[start..]);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_pieces_keep_little() {
        let mut view = LastLines { keep: 3, delimiter: b'\n', ring: Ring::new(Some(b'\n')) };
        let mut out = Vec::new();
        for n in 0..200_000 {
            view.push(format!("{n}\n").as_bytes(), &mut out).unwrap();
        }
        assert!(view.ring.bytes() <= 2 * crate::view::ring::CHUNK_BYTES as u64);
        view.finish(&mut out).unwrap();
        assert_eq!(out, b"199997\n199998\n199999\n");
    }
}
