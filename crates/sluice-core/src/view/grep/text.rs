//! The lines a view can still reach: those of the current block, and the few kept from before it.

use crate::{Error, Result};

/// A window on the input. Positions are offsets from the start of the input, in bytes.
///
/// `kept` ends where `block` starts, both hold complete lines only, and no line spans the two.
#[derive(Clone, Copy)]
pub(super) struct Text<'a> {
    /// Lines in front of the block, kept for leading context.
    pub kept: &'a [u8],
    /// The lines to be searched.
    pub block: &'a [u8],
    /// Where the block starts.
    pub start: u64,
    /// The byte that ends a line.
    pub terminator: u8,
}

impl<'a> Text<'a> {
    /// The first position that can be reached.
    pub(super) fn first(&self) -> u64 {
        self.start - self.kept.len() as u64
    }

    /// Just after the last line.
    pub(super) fn end(&self) -> u64 {
        self.start + self.block.len() as u64
    }

    /// The bytes from a position to the end of the part it is in.
    fn part(&self, at: u64) -> &'a [u8] {
        match at.checked_sub(self.start) {
            Some(offset) => &self.block[offset as usize..],
            None => &self.kept[(at - self.first()) as usize..],
        }
    }

    /// The line that starts at `at`, with its terminator.
    pub(super) fn line(&self, at: u64) -> &'a [u8] {
        let part = self.part(at);
        let end = memchr::memchr(self.terminator, part).map_or(part.len(), |newline| newline + 1);
        &part[..end]
    }

    /// The bytes between two positions of the block.
    pub(super) fn between(&self, from: u64, to: u64) -> &'a [u8] {
        &self.block[(from - self.start) as usize..(to - self.start) as usize]
    }

    /// Where the line in front of the one at `at` starts; `at` must be after [`Text::first`].
    pub(super) fn line_before(&self, at: u64) -> u64 {
        let (part, base) = if at > self.start { (self.block, self.start) } else { (self.kept, self.first()) };
        let before = &part[..(at - base) as usize - 1];
        base + memchr::memrchr(self.terminator, before).map_or(0, |newline| newline as u64 + 1)
    }

    /// How many lines end between two positions.
    pub(super) fn count(&self, from: u64, to: u64) -> u64 {
        let lines = |bytes: &[u8]| memchr::memchr_iter(self.terminator, bytes).count() as u64;
        if from >= self.start {
            return lines(self.between(from, to));
        }
        let kept = &self.kept[(from - self.first()) as usize..(to.min(self.start) - self.first()) as usize];
        lines(kept) + if to > self.start { lines(self.between(self.start, to)) } else { 0 }
    }
}

/// Whether `bytes` are valid UTF-8 as glibc sees it.
///
/// # Errors
///
/// [`Error::NeedsRealTool`] for the lead bytes that C libraries disagree about: those beyond U+10FFFF.
pub(super) fn is_valid_utf8(bytes: &[u8]) -> Result<bool> {
    if simdutf8::basic::from_utf8(bytes).is_ok() {
        return Ok(true);
    }
    match std::str::from_utf8(bytes) {
        Ok(_) => Ok(true),
        Err(error) if (0xf4..=0xfd).contains(&bytes[error.valid_up_to()]) => {
            Err(Error::NeedsRealTool { reason: "a character beyond U+10FFFF".into() })
        }
        Err(_) => Ok(false),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: Text<'static> = Text { kept: b"b\n\nc\n", block: b"d\ne\n", start: 7, terminator: b'\n' };

    #[test]
    fn walking_back_crosses_into_the_kept_lines() {
        assert_eq!((TEXT.first(), TEXT.end()), (2, 11));
        let mut at = TEXT.end();
        let mut lines = Vec::new();
        while at > TEXT.first() {
            at = TEXT.line_before(at);
            lines.push(TEXT.line(at));
        }
        assert_eq!(lines, [&b"e\n"[..], b"d\n", b"c\n", b"\n", b"b\n"]);
    }

    #[test]
    fn counting_spans_both_parts() {
        assert_eq!(TEXT.count(2, 11), 5);
        assert_eq!(TEXT.count(5, 7), 1);
        assert_eq!(TEXT.count(4, 9), 3);
        assert_eq!(TEXT.count(9, 11), 1);
        assert_eq!(TEXT.count(9, 9), 0);
    }

    #[test]
    fn validity() {
        assert!(is_valid_utf8("aé✓😀".as_bytes()).is_ok_and(|valid| valid));
        for bad in [&b"a\x80"[..], b"\xed\xa0\x80", b"\xc0\x80", b"\xe2\x82", b"\xff", b"\xfe"] {
            assert!(is_valid_utf8(bad).is_ok_and(|valid| !valid), "{bad:?}");
        }
        let long = "é✓".repeat(100);
        assert!(is_valid_utf8(long.as_bytes()).is_ok_and(|valid| valid));
        assert!(is_valid_utf8(&long.as_bytes()[..128]).is_ok_and(|valid| !valid));
        for beyond in [&b"\xf4\x90\x80\x80"[..], b"a\xf5\x80\x80\x80", b"\xf8\x88\x80\x80\x80"] {
            assert!(is_valid_utf8(beyond).is_err(), "{beyond:?}");
        }
    }
}
