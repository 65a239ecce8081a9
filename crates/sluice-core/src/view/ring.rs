//! The end of a stream, kept in chunks: what `tail -n 5`, `tail -c 5`, `head -n -5` and `head -c -5` hold back.

use std::collections::VecDeque;

/// Chunks grow up to this many bytes by appending, so that small pushes share an allocation.
pub(crate) const CHUNK_BYTES: usize = 64 * 1024;

/// One piece of the kept end. `bytes[start..]` is still held.
#[derive(Clone)]
struct Chunk {
    bytes: Vec<u8>,
    start: usize,
    /// Delimiters in `bytes[start..]`; 0 if the ring does not count.
    delimiters: u64,
}

/// A queue of chunks with totals. Nothing is allocated per line.
#[derive(Clone)]
pub(super) struct Ring {
    /// The delimiter that is counted; `None` counts bytes only.
    delimiter: Option<u8>,
    chunks: VecDeque<Chunk>,
    bytes: u64,
    delimiters: u64,
    /// The last chunk that was emptied, for reuse.
    spare: Vec<u8>,
}

impl Ring {
    pub(super) fn new(delimiter: Option<u8>) -> Self {
        Ring { delimiter, chunks: VecDeque::new(), bytes: 0, delimiters: 0, spare: Vec::new() }
    }

    /// Bytes held.
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Delimiters held.
    pub(super) fn delimiters(&self) -> u64 {
        self.delimiters
    }

    /// The last byte held.
    pub(super) fn last(&self) -> Option<u8> {
        self.chunks.back().and_then(|chunk| chunk.bytes.last().copied())
    }

    /// Appends `input`, which holds `delimiters` delimiters.
    pub(super) fn append(&mut self, input: &[u8], delimiters: u64) {
        if input.is_empty() {
            return;
        }
        self.bytes += input.len() as u64;
        self.delimiters += delimiters;
        match self.chunks.back_mut() {
            Some(back) if back.bytes.len() + input.len() <= CHUNK_BYTES => {
                back.bytes.extend_from_slice(input);
                back.delimiters += delimiters;
            }
            _ => {
                let mut bytes = std::mem::take(&mut self.spare);
                bytes.extend_from_slice(input);
                self.chunks.push_back(Chunk { bytes, start: 0, delimiters });
            }
        }
    }

    /// Moves everything to `out`, or drops it.
    pub(super) fn take_all(&mut self, mut out: Option<&mut Vec<u8>>) {
        while let Some(chunk) = self.chunks.pop_front() {
            self.release(chunk, out.as_deref_mut());
        }
    }

    /// Moves the bytes up to and with the `count`-th delimiter to `out`, or drops them. `count` is at most [`Ring::delimiters`].
    pub(super) fn take_lines(&mut self, mut count: u64, mut out: Option<&mut Vec<u8>>) {
        let Some(delimiter) = self.delimiter else { return };
        while count > 0 {
            let Some(mut chunk) = self.chunks.pop_front() else { return };
            if chunk.delimiters <= count
                && !(chunk.delimiters == count && chunk.bytes.last() != Some(&delimiter))
            {
                count -= chunk.delimiters;
                self.release(chunk, out.as_deref_mut());
                continue;
            }
            let held = &chunk.bytes[chunk.start..];
            let (end, _) = skip_lines(held, delimiter, count);
            if let Some(out) = out {
                out.extend_from_slice(&held[..end]);
            }
            chunk.start += end;
            chunk.delimiters -= count;
            self.bytes -= end as u64;
            self.delimiters -= count;
            self.chunks.push_front(chunk);
            return;
        }
    }

    /// Drops whole chunks from the front while at least `keep` delimiters stay behind them.
    pub(super) fn drop_chunks_keeping(&mut self, keep: u64) {
        while let Some(front) = self.chunks.front() {
            if self.delimiters - front.delimiters < keep {
                return;
            }
            if let Some(chunk) = self.chunks.pop_front() {
                self.release(chunk, None);
            }
        }
    }

    /// Moves the first `count` bytes to `out`, or drops them. `count` is at most [`Ring::bytes`].
    pub(super) fn take_bytes(&mut self, mut count: u64, mut out: Option<&mut Vec<u8>>) {
        while count > 0 {
            let Some(mut chunk) = self.chunks.pop_front() else { return };
            let held = (chunk.bytes.len() - chunk.start) as u64;
            if held <= count {
                count -= held;
                self.release(chunk, out.as_deref_mut());
                continue;
            }
            // `count` is below `held`, a length in memory.
            let part = usize::try_from(count).unwrap_or(usize::MAX);
            if let Some(out) = out {
                out.extend_from_slice(&chunk.bytes[chunk.start..chunk.start + part]);
            }
            chunk.start += part;
            self.bytes -= count;
            self.chunks.push_front(chunk);
            return;
        }
    }

    fn release(&mut self, chunk: Chunk, out: Option<&mut Vec<u8>>) {
        let held = &chunk.bytes[chunk.start..];
        self.bytes -= held.len() as u64;
        self.delimiters -= chunk.delimiters;
        if let Some(out) = out {
            out.extend_from_slice(held);
        }
        if chunk.bytes.capacity() > self.spare.capacity() && chunk.bytes.capacity() <= 2 * CHUNK_BYTES {
            self.spare = chunk.bytes;
            self.spare.clear();
        }
    }
}

/// How many delimiters `data` holds; some 30 GB/s.
pub(super) fn count_delimiters(data: &[u8], delimiter: u8) -> u64 {
    memchr::memchr_iter(delimiter, data).count() as u64
}

/// Passes over at most `n` delimiters: the offset behind the last of them (the whole length if there are
/// fewer), and how many are left to pass over in what follows.
pub(super) fn skip_lines(data: &[u8], delimiter: u8, n: u64) -> (usize, u64) {
    /// Counting a piece costs a third of finding its delimiters one by one.
    const PIECE: usize = 16 * 1024;
    let mut left = n;
    let mut offset = 0;
    for piece in data.chunks(PIECE) {
        if left == 0 {
            return (offset, 0);
        }
        // Small counts, the common ones, end within the first piece.
        if left > 64 {
            let count = count_delimiters(piece, delimiter);
            if count < left {
                left -= count;
                offset += piece.len();
                continue;
            }
        }
        for at in memchr::memchr_iter(delimiter, piece) {
            left -= 1;
            if left == 0 {
                return (offset + at + 1, 0);
            }
        }
        offset += piece.len();
    }
    (offset, left)
}

/// The offset behind the `n`-th delimiter from the end, `n` counted from 1; `None` if there are fewer.
pub(super) fn nth_last_line_end(data: &[u8], delimiter: u8, n: u64) -> Option<usize> {
    let index = usize::try_from(n.checked_sub(1)?).ok()?;
    memchr::memrchr_iter(delimiter, data).nth(index).map(|at| at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nth_ends() {
        let data = b"a\nbb\n\nc";
        assert_eq!(skip_lines(data, b'\n', 0), (0, 0));
        assert_eq!(skip_lines(data, b'\n', 1), (2, 0));
        assert_eq!(skip_lines(data, b'\n', 3), (6, 0));
        assert_eq!(skip_lines(data, b'\n', 4), (7, 1));
        assert_eq!(nth_last_line_end(data, b'\n', 1), Some(6));
        assert_eq!(nth_last_line_end(data, b'\n', 3), Some(2));
        assert_eq!(nth_last_line_end(data, b'\n', 4), None);
        let many = b"xy\n".repeat(40_000);
        for n in [1, 63, 64, 65, 5_461, 5_462, 20_000, 40_000] {
            assert_eq!(skip_lines(&many, b'\n', n), (usize::try_from(n).unwrap() * 3, 0), "{n}");
        }
        assert_eq!(skip_lines(&many, b'\n', 40_002), (many.len(), 2));
    }

    #[test]
    fn takes_across_chunks() {
        let mut ring = Ring::new(Some(b'\n'));
        let line = b"0123456789abcde\n";
        for _ in 0..3 * CHUNK_BYTES / line.len() + 1 {
            ring.append(line, 1);
        }
        let all = ring.bytes();
        let mut out = Vec::new();
        ring.take_lines(5_000, Some(&mut out));
        assert_eq!(out.len(), 5_000 * line.len());
        ring.take_bytes(7, Some(&mut out));
        ring.take_all(Some(&mut out));
        assert_eq!(out.len() as u64, all);
        assert_eq!((ring.bytes(), ring.delimiters()), (0, 0));
        assert!(out.chunks(16).all(|chunk| chunk == line));
    }

    /// Sizes around the chunk size, pushed in several ways, for every view that keeps a ring.
    #[test]
    fn sizes_around_the_chunk() {
        use crate::view::{ViewEnv, ViewSpec};
        let n = CHUNK_BYTES;
        for size in [n - 1, n, n + 1, 2 * n, 3 * n + 1] {
            // Lines of 1 to 96 bytes with a multibyte character and a CR now and then; the last one is open for odd sizes.
            let mut data: Vec<u8> = (0u32..)
                .flat_map(|i| format!("{}é\r\n", "x".repeat((i * 7 % 92) as usize)).into_bytes())
                .take(size)
                .collect();
            if size % 2 == 0 {
                data[size - 1] = b'\n';
            }
            let lines: Vec<&[u8]> = data.split_inclusive(|b| *b == b'\n').collect();
            for keep in [1, 2, 700, lines.len() - 1, lines.len(), lines.len() + 1] {
                let cut = lines.len().saturating_sub(keep);
                let byte_cut = size.saturating_sub(keep);
                for (tool, option, want) in [
                    ("tail", "-n", lines[cut..].concat()),
                    ("head", "-n-", lines[..cut].concat()),
                    ("tail", "-c", data[byte_cut..].to_vec()),
                    ("head", "-c-", data[..byte_cut].to_vec()),
                ] {
                    for step in [1021, n - 1, n, n + 1, size] {
                        let words = [tool.to_owned(), format!("{option}{keep}")];
                        let mut view = ViewSpec::parse(&words).unwrap().build(&ViewEnv::default()).unwrap();
                        let mut out = Vec::new();
                        for chunk in data.chunks(step) {
                            view.push(chunk, &mut out).unwrap();
                        }
                        view.finish(&mut out).unwrap();
                        assert!(out == want, "{words:?}, {size} bytes in steps of {step}");
                    }
                }
            }
        }
    }
}
