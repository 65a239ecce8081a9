//! `head`: the first lines.

use super::View;
use super::count::parse_line_args;
use crate::Result;

/// A parsed `head`.
#[derive(Clone, Debug, PartialEq)]
pub struct HeadSpec {
    /// How many lines are kept.
    pub lines: u64,
}

impl HeadSpec {
    /// Parses the words after the name.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] for everything but a line count.
    pub fn parse(args: &[&[u8]]) -> Result<Self> {
        parse_line_args(args).map(|lines| HeadSpec { lines })
    }

    pub(super) fn build(&self) -> Box<dyn View> {
        Box::new(Head { left: self.lines })
    }
}

struct Head {
    left: u64,
}

impl View for Head {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if self.left == 0 {
            return Ok(());
        }
        let mut end = input.len();
        for newline in memchr::memchr_iter(b'\n', input) {
            self.left -= 1;
            if self.left == 0 {
                end = newline + 1;
                break;
            }
        }
        out.extend_from_slice(&input[..end]);
        Ok(())
    }

    fn finish(&mut self, _out: &mut Vec<u8>) -> Result<i32> {
        Ok(0)
    }

    fn satisfied(&self) -> bool {
        self.left == 0
    }
}
