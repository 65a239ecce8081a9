//! Counting newlines and UTF-8 bytes.

use std::ops::AddAssign;

/// Bytes per step: small enough that the second pass over a step is served by the cache.
const BLOCK: usize = 4 * 1024;

/// UTF-16 code units per step: few enough that most steps have no surrogates.
const UNITS: usize = 1024;

/// From this many bytes on, counting uses a second thread.
const PARALLEL: usize = 4 * 1024 * 1024;

/// Newlines and bytes of a text or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct TextCount {
    /// Newlines (`\n`); a last line without one is not counted.
    pub newlines: u64,
    /// Bytes of the text as UTF-8. What is not valid counts as U+FFFD (3 bytes), as decoders replace it.
    pub utf8_bytes: u64,
}

impl AddAssign for TextCount {
    fn add_assign(&mut self, other: Self) {
        self.newlines += other.newlines;
        self.utf8_bytes += other.utf8_bytes;
    }
}

/// Counts a text given as UTF-8 bytes, valid or not: `utf8_bytes` is the length after decoding with
/// replacement. Two threads are used from 4 MiB on.
#[must_use]
pub fn count_utf8(bytes: &[u8]) -> TextCount {
    if bytes.len() < PARALLEL || std::thread::available_parallelism().map_or(1, usize::from) < 2 {
        return count_utf8_serial(bytes);
    }
    let (left, right) = bytes.split_at(char_boundary(bytes, bytes.len() / 2));
    std::thread::scope(|scope| {
        let other = std::thread::Builder::new().spawn_scoped(scope, || count_utf8_serial(right));
        let mut total = count_utf8_serial(left);
        match other.map(std::thread::ScopedJoinHandle::join) {
            Ok(Ok(count)) => total += count,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            // The system has no thread left: this one does it all.
            Err(_) => total += count_utf8_serial(right),
        }
        total
    })
}

fn count_utf8_serial(mut bytes: &[u8]) -> TextCount {
    let mut total = TextCount::default();
    while !bytes.is_empty() {
        let (block, rest) = bytes.split_at(char_boundary(bytes, BLOCK));
        total.newlines += memchr::memchr_iter(b'\n', block).count() as u64;
        total.utf8_bytes += decoded_len(block);
        bytes = rest;
    }
    total
}

/// Length of `bytes` after decoding with replacement.
pub(crate) fn decoded_len(bytes: &[u8]) -> u64 {
    if simdutf8::basic::from_utf8(bytes).is_ok() {
        return bytes.len() as u64;
    }
    bytes
        .utf8_chunks()
        .map(|chunk| chunk.valid().len() as u64 + if chunk.invalid().is_empty() { 0 } else { 3 })
        .sum()
}

/// The first position from `at` on where a decoder is between characters whatever came before, so that
/// both sides can be decoded alone. A character has at most three continuation bytes.
pub(crate) fn char_boundary(bytes: &[u8], at: usize) -> usize {
    let at = at.min(bytes.len());
    (at..bytes.len()).take(3).find(|&i| bytes[i] & 0xC0 != 0x80).unwrap_or((at + 3).min(bytes.len()))
}

/// Counts a text given as Latin-1, one byte a character.
#[must_use]
pub fn count_latin1(bytes: &[u8]) -> TextCount {
    const LANES: usize = 32;
    let mut total = TextCount { newlines: 0, utf8_bytes: bytes.len() as u64 };
    // 8-bit lanes over at most 255 steps cannot overflow; unchecked, the compiler makes them SIMD.
    for block in bytes.chunks(LANES * 255) {
        let (mut newlines, mut high) = ([0_u8; LANES], [0_u8; LANES]);
        let mut steps = block.chunks_exact(LANES);
        for step in &mut steps {
            for ((byte, newlines), high) in step.iter().zip(&mut newlines).zip(&mut high) {
                *newlines = newlines.wrapping_add(u8::from(*byte == b'\n'));
                *high = high.wrapping_add(byte >> 7);
            }
        }
        total.newlines += newlines.iter().map(|&n| u64::from(n)).sum::<u64>();
        total.utf8_bytes += high.iter().map(|&n| u64::from(n)).sum::<u64>();
        for byte in steps.remainder() {
            total.newlines += u64::from(*byte == b'\n');
            total.utf8_bytes += u64::from(byte >> 7);
        }
    }
    total
}

/// Counts a text given as UTF-16 code units; a lone surrogate counts as U+FFFD. A part of a longer text
/// must not begin or end inside a surrogate pair.
#[must_use]
pub fn count_utf16(units: &[u16]) -> TextCount {
    let mut total = TextCount::default();
    // Sums of 16-bit lanes over so few units cannot overflow; unchecked, the compiler makes them SIMD, and the
    // comparisons with zero are the ones that every processor has.
    for (start, chunk) in units.chunks(UNITS).enumerate() {
        let (mut newlines, mut one_byte, mut two_bytes, mut surrogates) = (0_u16, 0_u16, 0_u16, 0_u16);
        for &unit in chunk {
            newlines = newlines.wrapping_add(u16::from(unit == u16::from(b'\n')));
            one_byte = one_byte.wrapping_add(u16::from(unit & 0xFF80 == 0));
            two_bytes = two_bytes.wrapping_add(u16::from(unit & 0xF800 == 0));
            surrogates = surrogates.wrapping_add(u16::from(unit & 0xF800 == 0xD800));
        }
        total.newlines += u64::from(newlines);
        total.utf8_bytes += 3 * chunk.len() as u64 - u64::from(one_byte) - u64::from(two_bytes);
        if surrogates > 0 {
            let from = (start * UNITS).saturating_sub(1);
            let end = (start * UNITS + chunk.len()).min(units.len());
            total.utf8_bytes -= 2 * pairs(&units[from..end]);
        }
    }
    total
}

/// Surrogate pairs: each takes 4 bytes, where its halves alone would take 3 each.
fn pairs(units: &[u16]) -> u64 {
    let rest = units.get(1..).unwrap_or(&[]);
    let count: u16 = units
        .iter()
        .zip(rest)
        .map(|(&high, &low)| u16::from(high & 0xFC00 == 0xD800) & u16::from(low & 0xFC00 == 0xDC00))
        .fold(0, u16::wrapping_add);
    u64::from(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(text: &str) -> TextCount {
        TextCount { newlines: text.matches('\n').count() as u64, utf8_bytes: text.len() as u64 }
    }

    proptest! {
        #[test]
        fn utf8_counts_what_a_decoder_yields(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
            prop_assert_eq!(count_utf8(&bytes), naive(&String::from_utf8_lossy(&bytes)));
        }

        #[test]
        fn utf16_counts_what_a_decoder_yields(
            units in proptest::collection::vec(
                prop_oneof![Just(10_u16), 0..0x900_u16, 0xD700..0xE100_u16], 0..9000),
        ) {
            prop_assert_eq!(count_utf16(&units), naive(&String::from_utf16_lossy(&units)));
        }

        #[test]
        fn latin1_counts_what_a_decoder_yields(
            part in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..600), times in 1..30_usize,
        ) {
            let bytes = part.repeat(times);
            let text: String = bytes.iter().map(|&b| char::from(b)).collect();
            prop_assert_eq!(count_latin1(&bytes), naive(&text));
        }
    }

    #[test]
    fn blocks_and_threads_change_nothing() {
        // A prime-length pattern moves every kind of byte over the block and thread boundaries.
        let pattern = "aé\n漢\u{1F600}x".bytes().chain([0x80, 0xF0, 0x9F, 0xE2, 0x82]).collect::<Vec<_>>();
        let bytes: Vec<u8> = pattern.iter().copied().cycle().take(PARALLEL + 2 * BLOCK + 7).collect();
        assert_eq!(count_utf8(&bytes), naive(&String::from_utf8_lossy(&bytes)));
    }
}
