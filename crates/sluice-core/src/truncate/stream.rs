//! Counting text that arrives in chunks.

use super::count::{TextCount, count_utf8, decoded_len};

/// Totals of a stream of UTF-8 bytes. A character that a chunk ends within is counted with the next chunk.
#[derive(Clone, Debug, Default)]
pub struct StreamCount {
    count: TextCount,
    line_bytes: u64,
    pending: Vec<u8>,
}

impl StreamCount {
    /// Counts a chunk of any length.
    pub fn push(&mut self, chunk: &[u8]) {
        if self.pending.is_empty() {
            let whole = whole_characters(chunk);
            self.add(&chunk[..whole]);
            self.pending.extend_from_slice(&chunk[whole..]);
            return;
        }
        let mut bytes = std::mem::take(&mut self.pending);
        bytes.extend_from_slice(chunk);
        let whole = whole_characters(&bytes);
        self.add(&bytes[..whole]);
        self.pending.extend_from_slice(&bytes[whole..]);
    }

    /// Ends the stream: an incomplete character counts as U+FFFD.
    pub fn finish(&mut self) {
        let rest = std::mem::take(&mut self.pending);
        self.add(&rest);
    }

    /// Newlines and decoded bytes so far, without a character that is not complete.
    #[must_use]
    pub fn count(&self) -> TextCount {
        self.count
    }

    /// Decoded bytes since the last newline.
    #[must_use]
    pub fn line_bytes(&self) -> u64 {
        self.line_bytes
    }

    /// Bytes of a character that is not complete yet.
    #[must_use]
    pub fn pending(&self) -> usize {
        self.pending.len()
    }

    fn add(&mut self, bytes: &[u8]) {
        self.count += count_utf8(bytes);
        match memchr::memrchr(b'\n', bytes) {
            Some(at) => self.line_bytes = decoded_len(&bytes[at + 1..]),
            None => self.line_bytes += decoded_len(bytes),
        }
    }
}

/// Length without an incomplete character at the end.
fn whole_characters(bytes: &[u8]) -> usize {
    for (back, &byte) in bytes.iter().rev().take(3).enumerate() {
        let needed = match byte {
            0x80..=0xBF => continue,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => 1,
        };
        return if needed > back + 1 { bytes.len() - back - 1 } else { bytes.len() };
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn chunking_changes_nothing(
            bytes in proptest::collection::vec(
                prop_oneof![Just(b'\n'), Just(b'a'), 0x80..=0xF8_u8, any::<u8>()], 0..80),
            cuts in proptest::collection::vec(0..80_usize, 0..6),
        ) {
            let mut cuts: Vec<usize> = cuts.into_iter().map(|cut| cut.min(bytes.len())).collect();
            cuts.extend([0, bytes.len()]);
            cuts.sort_unstable();
            let mut stream = StreamCount::default();
            for pair in cuts.windows(2) {
                stream.push(&bytes[pair[0]..pair[1]]);
            }
            stream.finish();
            prop_assert_eq!(stream.count(), count_utf8(&bytes));
            let text = String::from_utf8_lossy(&bytes).into_owned();
            prop_assert_eq!(stream.line_bytes(), text.rsplit('\n').next().unwrap_or("").len() as u64);
        }
    }
}
