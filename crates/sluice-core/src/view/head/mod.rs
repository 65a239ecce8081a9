//! `head`: the first lines or bytes, or all but the last (GNU coreutils 9.1).

mod options;

use super::View;
use super::header::Headed;
use super::ring::{Ring, count_delimiters, nth_last_line_end, skip_lines};
use crate::Result;

/// How much `head` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadMode {
    /// The first lines: `-n 5`.
    FirstLines(u64),
    /// All lines but the last: `-n -5`.
    AllButLastLines(u64),
    /// The first bytes: `-c 5`.
    FirstBytes(u64),
    /// All bytes but the last: `-c -5`.
    AllButLastBytes(u64),
}

/// A parsed `head`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadSpec {
    /// How much is shown. Ten lines if the command does not say.
    pub mode: HeadMode,
    /// What ends a line: a newline, or NUL with `-z`.
    pub delimiter: u8,
    /// Whether a header that names standard input comes first (`-v`).
    pub header: bool,
}

impl HeadSpec {
    pub(super) fn build(&self) -> Box<dyn View> {
        let delimiter = self.delimiter;
        let view: Box<dyn View> = match self.mode {
            HeadMode::FirstLines(left) => Box::new(FirstLines { left, delimiter }),
            HeadMode::FirstBytes(left) => Box::new(FirstBytes { left }),
            HeadMode::AllButLastLines(0) | HeadMode::AllButLastBytes(0) => {
                Box::new(FirstBytes { left: u64::MAX })
            }
            HeadMode::AllButLastLines(keep) => {
                Box::new(AllButLastLines { keep, delimiter, ring: Ring::new(Some(delimiter)) })
            }
            HeadMode::AllButLastBytes(keep) => Box::new(AllButLastBytes { keep, ring: Ring::new(None) }),
        };
        Headed::wrap(view, self.header)
    }
}

struct FirstLines {
    left: u64,
    delimiter: u8,
}

impl View for FirstLines {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let (end, left) = skip_lines(input, self.delimiter, self.left);
        self.left = left;
        out.extend_from_slice(&input[..end]);
        Ok(())
    }

    fn satisfied(&self) -> bool {
        self.left == 0
    }
}

struct FirstBytes {
    left: u64,
}

impl View for FirstBytes {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let end = usize::try_from(self.left).map_or(input.len(), |left| left.min(input.len()));
        self.left -= end as u64;
        out.extend_from_slice(&input[..end]);
        Ok(())
    }

    fn satisfied(&self) -> bool {
        self.left == 0
    }
}

/// Holds the last `keep` lines back; `keep` is not 0.
struct AllButLastLines {
    keep: u64,
    delimiter: u8,
    ring: Ring,
}

impl View for AllButLastLines {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        let Some(last) = input.last() else { return Ok(()) };
        let unterminated = u64::from(*last != self.delimiter);
        let delimiters = count_delimiters(input, self.delimiter);
        // The line that is still open is one of those held back.
        let held = self.keep - unterminated;
        if delimiters > held {
            // Whatever was held before this input is certain now, and the start of the input too.
            self.ring.take_all(Some(out));
            let start = nth_last_line_end(input, self.delimiter, held + 1).unwrap_or(0);
            out.extend_from_slice(&input[..start]);
            self.ring.append(&input[start..], held);
        } else {
            self.ring.append(input, delimiters);
            let certain = self.ring.delimiters().saturating_sub(held);
            self.ring.take_lines(certain, Some(out));
        }
        Ok(())
    }
}

/// Holds the last `keep` bytes back; `keep` is not 0.
struct AllButLastBytes {
    keep: u64,
    ring: Ring,
}

impl View for AllButLastBytes {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        match usize::try_from(self.keep).ok().and_then(|keep| input.len().checked_sub(keep)) {
            Some(certain) => {
                self.ring.take_all(Some(out));
                out.extend_from_slice(&input[..certain]);
                self.ring.append(&input[certain..], 0);
            }
            None => {
                self.ring.append(input, 0);
                let certain = self.ring.bytes().saturating_sub(self.keep);
                self.ring.take_bytes(certain, Some(out));
            }
        }
        Ok(())
    }
}
