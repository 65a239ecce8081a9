//! Keeps the last bytes of a stream of any length.

use std::collections::VecDeque;

/// The last `limit` bytes of a stream. Memory: at most `limit` plus one chunk.
#[derive(Debug)]
pub(super) struct LastBytes {
    limit: usize,
    held: usize,
    chunks: VecDeque<Vec<u8>>,
    dropped: bool,
}

/// Small writes are gathered into chunks of at least this size.
const CHUNK: usize = 64 * 1024;

impl LastBytes {
    pub(super) fn new(limit: usize) -> Self {
        LastBytes { limit, held: 0, chunks: VecDeque::new(), dropped: false }
    }

    pub(super) fn append(&mut self, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        self.held += bytes.len();
        match self.chunks.back_mut() {
            Some(last) if last.len() < CHUNK => last.extend_from_slice(bytes),
            _ => self.chunks.push_back(bytes.to_vec()),
        }
        while let Some(first) = self.chunks.front() {
            if self.held - first.len() < self.limit {
                break;
            }
            self.held -= first.len();
            self.dropped = true;
            self.chunks.pop_front();
        }
    }

    /// The kept bytes, and whether any were dropped.
    pub(super) fn into_bytes(self) -> (Vec<u8>, bool) {
        let skip = self.held.saturating_sub(self.limit);
        let mut bytes = Vec::with_capacity(self.held);
        for chunk in self.chunks {
            bytes.extend_from_slice(&chunk);
        }
        bytes.drain(..skip);
        (bytes, self.dropped || skip > 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_exactly_the_last_bytes() {
        for limit in [0, 1, 5, CHUNK, CHUNK + 1] {
            for step in [1, 7, CHUNK - 1, CHUNK, 3 * CHUNK] {
                let data: Vec<u8> = (0..4 * CHUNK).map(|i| i as u8).collect();
                let mut last = LastBytes::new(limit);
                data.chunks(step).for_each(|c| last.append(c));
                assert!(last.held <= limit + CHUNK.max(step) + CHUNK);
                let (bytes, truncated) = last.into_bytes();
                assert_eq!(bytes, data[data.len() - limit..]);
                assert!(truncated);
            }
        }
        let mut whole = LastBytes::new(3);
        whole.append(b"abc");
        assert_eq!(whole.into_bytes(), (b"abc".to_vec(), false));
    }
}
