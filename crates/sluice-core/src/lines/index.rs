//! The sparse line index.

use std::sync::{Arc, Mutex, PoisonError};

use super::cache;
use super::source::Source;
use crate::truncate::{char_boundary, decoded_len};
use crate::{CancelToken, Result};

/// Bytes per index entry. A line is found by reading one block.
const BLOCK: usize = 256 * 1024;
const BLOCK_U64: u64 = BLOCK as u64;

/// From this size on, the first scan uses two threads, and the index is kept for later reads.
const LARGE: u64 = 4 * 1024 * 1024;

/// Counts before each block of a file, and at its end.
#[derive(Debug)]
pub struct LineIndex {
    /// Newlines before block `i`; the last entry is the total.
    newlines: Vec<u64>,
    /// UTF-8 bytes (after decoding with replacement) before the first character boundary in block `i`; the
    /// last entry is the total. Empty if not counted.
    decoded: Vec<u64>,
}

/// Counts of one block.
#[derive(Clone, Copy, Default)]
struct Block {
    newlines: u64,
    decoded: u64,
}

impl LineIndex {
    /// The index of `source`, from the cache if the file has not changed. `decoded` also counts decoded
    /// bytes, which costs up to as much again.
    ///
    /// # Errors
    ///
    /// [`crate::Error::Io`], also if the file shrinks during the scan; [`crate::Error::Aborted`].
    pub fn of(source: &Source, decoded: bool, cancel: &CancelToken) -> Result<Arc<LineIndex>> {
        if let Some(state) = source.state()
            && let Some(index) = cache::get(state)
            && (!decoded || index.has_decoded())
        {
            return Ok(index);
        }
        let index = Arc::new(scan(source, decoded, cancel)?);
        if let Some(state) = source.state()
            && source.len() >= LARGE
        {
            cache::put(state, Arc::clone(&index));
        }
        Ok(index)
    }

    /// Newlines in the file.
    #[must_use]
    pub fn newlines(&self) -> u64 {
        self.newlines.last().copied().unwrap_or(0)
    }

    fn has_decoded(&self) -> bool {
        !self.decoded.is_empty()
    }

    /// Byte offset of the line that `newlines` newlines precede; the file's length if there are fewer.
    ///
    /// # Errors
    ///
    /// As [`Source::read_exact_at`].
    pub fn line_start(&self, source: &Source, newlines: u64) -> Result<u64> {
        if newlines == 0 {
            return Ok(0);
        }
        if newlines > self.newlines() {
            return Ok(source.len());
        }
        // The last block that begins before the wanted newline.
        let block = self.newlines.partition_point(|&before| before < newlines) - 1;
        let start = block as u64 * BLOCK_U64;
        let bytes = source.read_range(start, (start + BLOCK_U64).min(source.len()))?;
        let nth = usize::try_from(newlines - self.newlines[block] - 1).unwrap_or(usize::MAX);
        let at = memchr::memchr_iter(b'\n', &bytes).nth(nth);
        // Only a file whose content changed without its time stamps lacks the newline.
        Ok(at.map_or(source.len(), |at| start + at as u64 + 1))
    }

    /// Decoded bytes from `start` to `end`, both at line starts, line ends or the file's end. The index must
    /// have been made with `decoded`.
    ///
    /// # Errors
    ///
    /// As [`Source::read_exact_at`].
    pub fn decoded_between(&self, source: &Source, start: u64, end: u64) -> Result<u64> {
        if end.saturating_sub(start) <= BLOCK_U64 {
            return Ok(decoded_len(&source.read_range(start, end.max(start))?));
        }
        let before = |at: u64| -> Result<u64> {
            let block = usize::try_from(at / BLOCK_U64).unwrap_or(usize::MAX);
            let Some(&base) = self.decoded.get(block) else { return Ok(0) };
            if at >= source.len() {
                return Ok(self.decoded.last().copied().unwrap_or(0));
            }
            let nominal = block as u64 * BLOCK_U64;
            let bytes = source.read_range(nominal, (at + 3).min(source.len()))?;
            let boundary = if block == 0 { 0 } else { char_boundary(&bytes, 0) };
            let at = usize::try_from(at - nominal).unwrap_or(usize::MAX);
            Ok(match bytes.get(boundary..at) {
                Some(part) => base + decoded_len(part),
                None => base - decoded_len(&bytes[at..boundary]),
            })
        };
        Ok(before(end)? - before(start)?)
    }
}

fn scan(source: &Source, decoded: bool, cancel: &CancelToken) -> Result<LineIndex> {
    let count = source.len().div_ceil(BLOCK_U64);
    let mut blocks = vec![Block::default(); usize::try_from(count).unwrap_or(usize::MAX)];
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(2);
    if source.len() < LARGE || threads < 2 {
        scan_blocks(source, 0, &mut blocks, decoded, cancel)?;
    } else {
        let half = blocks.len() / 2;
        let (left, right) = blocks.split_at_mut(half);
        let right = Mutex::new(right);
        let scan_right = || {
            let right = &mut *right.lock().unwrap_or_else(PoisonError::into_inner);
            scan_blocks(source, half as u64, right, decoded, cancel)
        };
        std::thread::scope(|scope| {
            let other = std::thread::Builder::new().spawn_scoped(scope, scan_right);
            let outcome = scan_blocks(source, 0, left, decoded, cancel);
            match other.map(std::thread::ScopedJoinHandle::join) {
                Ok(Ok(other)) => outcome.and(other),
                Ok(Err(panic)) => std::panic::resume_unwind(panic),
                // The system has no thread left: this one does it all.
                Err(_) => outcome.and_then(|()| scan_right()),
            }
        })?;
    }
    let prefix_sums = |value: fn(&Block) -> u64| {
        let mut sum = 0;
        std::iter::once(0)
            .chain(blocks.iter().map(|block| {
                sum += value(block);
                sum
            }))
            .collect()
    };
    Ok(LineIndex {
        newlines: prefix_sums(|block| block.newlines),
        decoded: if decoded { prefix_sums(|block| block.decoded) } else { Vec::new() },
    })
}

fn scan_blocks(
    source: &Source,
    first: u64,
    blocks: &mut [Block],
    decoded: bool,
    cancel: &CancelToken,
) -> Result<()> {
    // Three bytes more than a block show where the next block's first character begins.
    let mut buffer = vec![0; BLOCK + 3];
    for (number, block) in (first..).zip(blocks) {
        cancel.check()?;
        let start = number * BLOCK_U64;
        let len = usize::try_from((source.len() - start).min(BLOCK_U64 + 3)).unwrap_or(BLOCK);
        let bytes = &mut buffer[..len];
        source.read_exact_at(bytes, start)?;
        let own = &bytes[..len.min(BLOCK)];
        block.newlines = memchr::memchr_iter(b'\n', own).count() as u64;
        if decoded {
            let from = if number == 0 { 0 } else { char_boundary(bytes, 0) };
            block.decoded = decoded_len(&bytes[from..char_boundary(bytes, BLOCK)]);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bytes: &[u8]) {
        let source = Source::from_bytes("test", bytes.to_vec());
        let index = LineIndex::of(&source, true, &CancelToken::default()).unwrap();
        let starts: Vec<u64> =
            std::iter::once(0).chain(memchr::memchr_iter(b'\n', bytes).map(|at| at as u64 + 1)).collect();
        assert_eq!(index.newlines(), starts.len() as u64 - 1);
        let step = (starts.len() / 97).max(1);
        for (line, &start) in starts.iter().enumerate().step_by(step) {
            assert_eq!(index.line_start(&source, line as u64).unwrap(), start);
            let rest = &bytes[usize::try_from(start).unwrap()..];
            assert_eq!(
                index.decoded_between(&source, start, source.len()).unwrap(),
                String::from_utf8_lossy(rest).len() as u64,
                "from line {line}"
            );
        }
        assert_eq!(index.line_start(&source, starts.len() as u64).unwrap(), source.len());
    }

    #[test]
    fn finds_lines_and_sizes_in_any_content() {
        check(b"");
        check(b"\n");
        check(b"one\ntwo");
        let mixed = ["aé\n漢\u{1F600}x".as_bytes(), &[0x80, b'\n', 0xF0, 0x9F, b'\n', 0xE2, 0x82]].concat();
        for extra in 0..9 {
            let len = 3 * BLOCK + extra;
            check(&mixed.iter().copied().cycle().skip(extra).take(len).collect::<Vec<_>>());
        }
        check(&vec![b'x'; 2 * BLOCK + 1]);
        check(&vec![0x80; 2 * BLOCK + 1]);
        check(&vec![b'\n'; BLOCK + 1]);
    }
}
