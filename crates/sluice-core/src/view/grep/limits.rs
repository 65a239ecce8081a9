//! The input that has a certain answer.

use crate::{Error, Result};

/// Which bytes have a certain answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::view) enum Bytes {
    /// All.
    Any,
    /// Valid UTF-8: grep's matchers disagree about the rest.
    Utf8,
    /// ASCII: what the pattern takes beyond it depends on the locale or on the version.
    Ascii,
}

/// Which input has a certain answer. Anything else is [`Error::NeedsRealTool`], even in lines that are not selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::view) struct Limits {
    /// Which bytes.
    pub bytes: Bytes,
    /// The longest line, in bytes; `None` is no limit.
    pub longest_line: Option<usize>,
}

impl Limits {
    /// Limits on bytes only.
    pub(in crate::view) fn of(bytes: Bytes) -> Self {
        Limits { bytes, longest_line: None }
    }

    /// Whether all input has a certain answer.
    pub(super) fn none(self) -> bool {
        self.bytes == Bytes::Any && self.longest_line.is_none()
    }

    /// # Errors
    ///
    /// [`Error::NeedsRealTool`] if `lines`, which are complete, have no certain answer.
    pub(super) fn check(self, lines: &[u8], terminator: u8) -> Result<()> {
        let reason = match self.bytes {
            Bytes::Utf8 if simdutf8::basic::from_utf8(lines).is_err() => {
                "invalid UTF-8, on which grep's matchers disagree"
            }
            Bytes::Ascii if !lines.is_ascii() => {
                "characters beyond ASCII, on which locales and versions disagree"
            }
            _ if self.longest_line.is_some_and(|longest| has_longer_line(lines, longest, terminator)) => {
                "a line on which grep may give up"
            }
            _ => return Ok(()),
        };
        Err(Error::NeedsRealTool { reason: reason.into() })
    }
}

fn has_longer_line(lines: &[u8], longest: usize, terminator: u8) -> bool {
    let mut start = 0;
    memchr::memchr_iter(terminator, lines).any(|end| {
        let length = end - start;
        start = end + 1;
        length > longest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_and_lengths() {
        let fails = |limits: Limits, lines: &[u8]| limits.check(lines, b'\n').is_err();
        let (utf8, ascii) = (Limits::of(Bytes::Utf8), Limits::of(Bytes::Ascii));
        assert!(!fails(Limits::of(Bytes::Any), b"\xff\n"));
        assert!(fails(utf8, b"a\n\xff\n") && !fails(utf8, "é\n".as_bytes()));
        assert!(fails(ascii, "é\n".as_bytes()) && !fails(ascii, b"e\n"));
        let short = Limits { bytes: Bytes::Any, longest_line: Some(3) };
        assert!(!fails(short, b"abc\n\nabc\n") && fails(short, b"abc\nabcd\n") && !fails(short, b""));
    }
}
