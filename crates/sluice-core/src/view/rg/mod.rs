//! `rg` on standard input, as far as ripgrep 13 to 15 agree.
//!
//! Into a pipe ripgrep writes lines as they are: no line numbers, no colours, no name. What it does
//! with NUL bytes and with the marks that start UTF-16 is left to the real tool.

mod options;
mod pattern;

use super::grep::{Bytes, GrepOutput, GrepSpec, Limits};
use super::{View, ViewEnv};
use crate::matcher::{Locale, Matcher};
use crate::{Error, Result};

/// A parsed `rg` that reads standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RgSpec {
    /// The same as a `grep` with [`crate::matcher::Syntax::Rust`] patterns and no binary detection,
    /// except that a count of 0 is not written.
    pub grep: GrepSpec,
    /// `-a`: NUL bytes are bytes like others.
    pub text: bool,
}

impl RgSpec {
    /// Compiles the patterns. The locale of the environment has no part in it.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] with the pattern that cannot be reproduced exactly.
    pub fn matcher(&self) -> Result<Matcher> {
        self.grep.compile(Locale::Utf8)
    }

    pub(super) fn build(&self, env: &ViewEnv) -> Result<Box<dyn View>> {
        let matcher = self.matcher()?;
        let limits = Limits::of(if matcher.requires_valid_utf8() { Bytes::Utf8 } else { Bytes::Any });
        Ok(Box::new(Rg {
            grep: self.grep.build_with(matcher, Locale::Utf8, limits, env)?,
            text: self.text,
            hides_zero: self.grep.output == GrepOutput::Count,
            started: false,
            met_nul: false,
        }))
    }
}

struct Rg {
    grep: Box<dyn View>,
    text: bool,
    hides_zero: bool,
    started: bool,
    met_nul: bool,
}

impl View for Rg {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if self.grep.satisfied() {
            return Ok(());
        }
        if let (false, Some(&first)) = (self.started, input.first()) {
            self.started = true;
            // The first bytes of the byte order marks, which rg removes and obeys.
            if matches!(first, 0xef | 0xfe | 0xff) {
                return Err(Error::NeedsRealTool { reason: "perhaps a byte order mark".into() });
            }
        }
        if !self.text && memchr::memchr(0, input).is_some() {
            self.met_nul = true;
            return Err(Error::NeedsRealTool { reason: "a NUL byte".into() });
        }
        self.grep.push(input, out)
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        let before = out.len();
        let code = self.grep.finish(out)?;
        if self.hides_zero && code != 0 {
            out.truncate(before);
        }
        Ok(code)
    }

    fn satisfied(&self) -> bool {
        self.grep.satisfied()
    }

    fn met_binary(&self) -> bool {
        self.met_nul
    }
}
