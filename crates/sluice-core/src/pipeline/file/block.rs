//! Cuts a file into blocks of whole lines that can be read in any order.

use super::source::Source;
use crate::{CancelToken, Result};

/// The sizes by which files are read, all in bytes. Tests use tiny ones to meet every edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Geometry {
    /// Files up to this size are always streamed: nothing is to be gained, and the result is the
    /// reference's in every detail.
    pub(crate) stream: u64,
    /// How much is read on one thread before more are started: many views end early.
    pub(crate) alone: u64,
    /// The first block, small, so that a view that ends early costs little. Each further one has twice
    /// the size of the one before.
    pub(crate) first_block: u64,
    /// A full block.
    pub(crate) block: u64,
    /// How far a block is read past its end for the rest of its last line, at first.
    pub(crate) overhang: usize,
    /// How far at most. What is then left of the line has to be asked for.
    pub(crate) longest: usize,
}

impl Geometry {
    /// What real files are read with.
    pub(crate) const REAL: Geometry = Geometry {
        stream: 1 << 20,
        alone: 16 << 20,
        first_block: 64 * 1024,
        block: 1 << 20,
        overhang: 4 * 1024,
        longest: 1 << 20,
    };

    /// The lengths of the blocks, without end.
    pub(super) fn lengths(self) -> impl Iterator<Item = u64> {
        std::iter::successors(Some(self.first_block), move |length| Some((length * 2).min(self.block)))
    }

    /// The extents of a file of `size` bytes from its start.
    pub(super) fn forward(self, size: u64) -> impl Iterator<Item = Extent> + Send {
        self.lengths().scan(0, move |start, length| {
            let extent = Extent { start: *start, end: size.min(*start + length) };
            *start = extent.end;
            (extent.start < size).then_some(extent)
        })
    }

    /// The extents of a file of `size` bytes from its end.
    pub(super) fn backward(self, size: u64) -> impl Iterator<Item = Extent> + Send {
        self.lengths().scan(size, |end, length| {
            let extent = Extent { start: end.saturating_sub(length), end: *end };
            *end = extent.start;
            (extent.end > 0).then_some(extent)
        })
    }
}

/// A part of the file, `start..end` in bytes. Its lines are those that *start* inside it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Extent {
    pub(super) start: u64,
    pub(super) end: u64,
}

/// Reads the lines of extents into a buffer that is reused.
pub(super) struct BlockReader<'s> {
    source: &'s Source,
    size: u64,
    delimiter: u8,
    geometry: Geometry,
    buffer: Vec<u8>,
}

/// The lines of an extent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Lines<'b> {
    /// Whole, with their delimiters; empty if no line starts in the extent. Only the last line of the file
    /// may be without a delimiter, and one that goes on.
    pub(super) bytes: &'b [u8],
    /// Where in the file a long last line goes on.
    pub(super) rest: Option<u64>,
}

impl<'s> BlockReader<'s> {
    /// A reader for the first `size` bytes of `source`, whose lines end in `delimiter`.
    pub(super) fn new(source: &'s Source, size: u64, delimiter: u8, geometry: Geometry) -> Self {
        BlockReader { source, size, delimiter, geometry, buffer: Vec::new() }
    }

    /// The lines that start in `extent`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Io`], also if the file has become shorter; [`crate::Error::Aborted`].
    pub(super) fn lines(&mut self, extent: Extent, token: &CancelToken) -> Result<Lines<'_>> {
        token.check()?;
        let Geometry { overhang, longest, .. } = self.geometry;
        // The byte in front tells whether a line starts at the very start.
        let from = extent.start.saturating_sub(1);
        let body = to_usize(extent.end - from);
        let mut length = to_usize(self.size - from).min(body + overhang);
        self.fill(from, 0, length)?;
        let start = if extent.start == 0 {
            0
        } else {
            // A line that starts at or behind `end` belongs to the next extent.
            match memchr::memchr(self.delimiter, &self.buffer[..body - 1]) {
                Some(at) => at + 1,
                None => return Ok(Lines { bytes: &[], rest: None }),
            }
        };
        let mut searched = body - 1;
        loop {
            if let Some(at) = memchr::memchr(self.delimiter, &self.buffer[searched..length]) {
                return Ok(Lines { bytes: &self.buffer[start..=searched + at], rest: None });
            }
            let whole = to_usize(self.size - from);
            if length == whole || length >= body + longest {
                let rest = (length < whole).then_some(from + length as u64);
                return Ok(Lines { bytes: &self.buffer[start..length], rest });
            }
            token.check()?;
            searched = length;
            length = whole.min(body + longest).min(length + (length / 4).max(overhang));
            self.fill(from, searched, length)?;
        }
    }

    /// Passes on the rest of a line, from `from` up to its delimiter or the end of the file, in pieces, until
    /// `push` returns false.
    ///
    /// # Errors
    ///
    /// As [`BlockReader::lines`], and those of `push`.
    pub(super) fn rest(
        &mut self,
        mut from: u64,
        token: &CancelToken,
        mut push: impl FnMut(&[u8]) -> Result<bool>,
    ) -> Result<()> {
        while from < self.size {
            token.check()?;
            let length = to_usize(self.size - from).min(self.geometry.longest);
            self.fill(from, 0, length)?;
            let end = memchr::memchr(self.delimiter, &self.buffer[..length]).map(|at| at + 1);
            if !push(&self.buffer[..end.unwrap_or(length)])? || end.is_some() {
                break;
            }
            from += length as u64;
        }
        Ok(())
    }

    /// Reads the bytes `from + start..from + end` of the file into the buffer at `start..end`.
    fn fill(&mut self, from: u64, start: usize, end: usize) -> Result<()> {
        if self.buffer.len() < end {
            self.buffer.resize(end, 0);
        }
        self.source.read_exact_at(&mut self.buffer[start..end], from + start as u64)
    }
}

/// Lengths in memory; a file beyond the address space cannot be held anyway.
fn to_usize(length: u64) -> usize {
    usize::try_from(length).unwrap_or(usize::MAX)
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    #[test]
    fn extents_tile_the_file() {
        let real = Geometry::REAL;
        let (n, b) = (real.first_block, real.block);
        for size in [0, 1, n - 1, n, n + 1, 2 * n, 3 * n + 1, b - 1, b, b + 1, 2 * b, 3 * b + 1, 31 * b + n] {
            let forward: Vec<_> = real.forward(size).collect();
            let mut backward: Vec<_> = real.backward(size).collect();
            backward.reverse();
            for extents in [forward, backward] {
                let mut at = 0;
                for extent in extents {
                    assert_eq!(extent.start, at);
                    assert!(extent.end > at);
                    at = extent.end;
                }
                assert_eq!(at, size);
            }
        }
    }

    #[test]
    fn a_file_that_shrinks_is_an_error() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        file.write_all(&b"line\n".repeat(10_000)).unwrap();
        let source = Source::open(file.path(), crate::Progress::default()).unwrap();
        let mut reader = BlockReader::new(&source, 50_000, b'\n', Geometry::REAL);
        let extent = Extent { start: 0, end: 50_000 };
        assert_eq!(reader.lines(extent, &CancelToken::default()).unwrap().bytes.len(), 50_000);
        file.as_file().set_len(49_999).unwrap();
        match reader.lines(extent, &CancelToken::default()) {
            Err(crate::Error::Io { source, .. }) => {
                assert_eq!(source.kind(), std::io::ErrorKind::UnexpectedEof)
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn every_line_is_in_exactly_one_block() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        // Lines shorter and longer than the extents and the overhang, empty ones, and an open last line.
        let mut data = Vec::new();
        for length in [0, 1, 3, 0, 9_000, 2, 7, 40_000, 0, 0, 5, 4_095, 4_096, 4_097, 1] {
            data.extend(std::iter::repeat_n(b'x', length));
            data.push(b'\n');
        }
        for tail in [&b""[..], b"open", b"\n"] {
            let data = [&data, tail].concat();
            file.as_file_mut().set_len(0).unwrap();
            std::io::Seek::rewind(file.as_file_mut()).unwrap();
            file.write_all(&data).unwrap();
            let source = Source::open(file.path(), crate::Progress::default()).unwrap();
            let size = data.len() as u64;
            for step in [1, 2, 3, 5, 4_095, 4_096, 10_000, size - 1, size, size + 1] {
                let geometry = Geometry { longest: 20_000, ..Geometry::REAL };
                let mut reader = BlockReader::new(&source, size, b'\n', geometry);
                let mut joined = Vec::new();
                let mut start = 0;
                while start < size && joined.len() < 4 * data.len() {
                    let end = size.min(start + step);
                    let token = CancelToken::default();
                    let Lines { bytes, rest } = reader.lines(Extent { start, end }, &token).unwrap();
                    assert!(bytes.len() as u64 <= step + geometry.longest as u64);
                    joined.extend_from_slice(bytes);
                    if let Some(rest) = rest {
                        let mut push = |piece: &[u8]| {
                            joined.extend_from_slice(piece);
                            Ok(true)
                        };
                        reader.rest(rest, &token, &mut push).unwrap();
                    }
                    assert!(joined.is_empty() || joined.ends_with(b"\n") || joined == data);
                    start = end;
                }
                assert!(joined == data, "step {step}");
            }
        }
    }
}
