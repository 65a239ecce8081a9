//! `tail`: the last lines.

use std::collections::VecDeque;

use super::View;
use super::count::parse_line_args;
use crate::Result;

/// A parsed `tail`.
#[derive(Clone, Debug, PartialEq)]
pub struct TailSpec {
    /// How many lines are kept.
    pub lines: u64,
}

impl TailSpec {
    /// Parses the words after the name.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] for everything but a line count.
    pub fn parse(args: &[&[u8]]) -> Result<Self> {
        parse_line_args(args).map(|lines| TailSpec { lines })
    }

    pub(super) fn build(&self) -> Box<dyn View> {
        Box::new(Tail { keep: self.lines, chunks: VecDeque::new(), newlines: 0 })
    }
}

/// Keeps whole chunks until the chunks after the first hold more than `keep` newlines.
struct Tail {
    keep: u64,
    chunks: VecDeque<(Vec<u8>, u64)>,
    newlines: u64,
}

impl View for Tail {
    fn push(&mut self, input: &[u8], _out: &mut Vec<u8>) -> Result<()> {
        if self.keep == 0 || input.is_empty() {
            return Ok(());
        }
        let newlines = memchr::memchr_iter(b'\n', input).count() as u64;
        self.newlines += newlines;
        self.chunks.push_back((input.to_vec(), newlines));
        while let Some((_, first)) = self.chunks.front() {
            if self.newlines - first <= self.keep {
                break;
            }
            self.newlines -= first;
            self.chunks.pop_front();
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        let ends_in_newline = self.chunks.back().is_some_and(|(c, _)| c.ends_with(b"\n"));
        let lines = self.newlines + u64::from(!self.chunks.is_empty() && !ends_in_newline);
        let mut skip = lines.saturating_sub(self.keep);
        for (chunk, _) in &self.chunks {
            let mut start = 0;
            while skip > 0 {
                let Some(newline) = memchr::memchr(b'\n', &chunk[start..]) else {
                    start = chunk.len();
                    break;
                };
                start += newline + 1;
                skip -= 1;
            }
            out.extend_from_slice(&chunk[start..]);
        }
        Ok(0)
    }
}
