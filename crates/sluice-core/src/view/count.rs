//! Counts as `head` and `tail` read them: `20`, `5k`, `1MB`, `2KiB`.

use super::getopt::reject;
use crate::Result;

/// Decimal units by their letter: how often 1024 (or, with a `B` behind the letter, 1000) is multiplied.
/// `b`, 512, is not among them.
const POWERS: &[(u8, u32)] = &[
    (b'k', 1),
    (b'K', 1),
    (b'm', 2),
    (b'M', 2),
    (b'G', 3),
    (b'T', 4),
    (b'P', 5),
    (b'E', 6),
    (b'Z', 7),
    (b'Y', 8),
];

/// Parses the number of `-n` and `-c` once its own sign (`-`, or the `+` of `tail`) has been dealt with.
///
/// As in GNU, blanks and one `+` may come first, a unit without a number is one of that unit, and a
/// number that does not fit 64 bits is an error, not "everything".
///
/// # Errors
///
/// [`crate::Error::UnsupportedView`] naming `word`.
pub(super) fn parse_count(text: &[u8], word: &[u8]) -> Result<u64> {
    let blanks = text.iter().take_while(|b| b.is_ascii_whitespace() || **b == 0x0b).count();
    let unsigned = &text[blanks..];
    let digits = unsigned.strip_prefix(b"+").unwrap_or(unsigned);
    let length = digits.iter().take_while(|b| b.is_ascii_digit()).count();
    let invalid = || reject(word, "not a count");
    let (number, suffix) = match length {
        // Only a unit, with nothing before it: `-n k`.
        0 if text.len() == digits.len() && !text.is_empty() => (1, text),
        0 => return Err(invalid()),
        _ => (decimal(&digits[..length], word)?, &digits[length..]),
    };
    let factor = match suffix {
        [] => Some(1),
        [b'b'] => Some(512),
        [letter, rest @ ..] => {
            let power = POWERS.iter().find(|(known, _)| known == letter).ok_or_else(invalid)?.1;
            let base: u64 = match rest {
                [] | [b'i', b'B'] => 1024,
                [b'B' | b'D'] => 1000,
                _ => return Err(invalid()),
            };
            base.checked_pow(power)
        }
    };
    match factor {
        _ if number == 0 => Ok(0),
        Some(factor) => number.checked_mul(factor).ok_or_else(|| reject(word, "count too large")),
        None => Err(reject(word, "count too large")),
    }
}

/// Parses digits alone; there is at least one.
///
/// # Errors
///
/// [`crate::Error::UnsupportedView`] naming `word` if the number does not fit 64 bits.
pub(super) fn decimal(digits: &[u8], word: &[u8]) -> Result<u64> {
    digits
        .iter()
        .try_fold(0u64, |sum, digit| sum.checked_mul(10)?.checked_add(u64::from(digit - b'0')))
        .ok_or_else(|| reject(word, "count too large"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> Option<u64> {
        parse_count(text.as_bytes(), text.as_bytes()).ok()
    }

    #[test]
    fn plain_numbers() {
        assert_eq!(count("0"), Some(0));
        assert_eq!(count("007"), Some(7));
        assert_eq!(count("+5"), Some(5));
        assert_eq!(count(" \t\n\u{b}\u{c}\r5"), Some(5));
        assert_eq!(count("18446744073709551615"), Some(u64::MAX));
    }

    #[test]
    fn units() {
        for (text, want) in [
            ("1b", 512),
            ("k", 1024),
            ("2k", 2048),
            ("2K", 2048),
            ("2kB", 2000),
            ("2KB", 2000),
            ("2kD", 2000),
            ("2KiB", 2048),
            ("1m", 1 << 20),
            ("1MB", 1_000_000),
            ("1G", 1 << 30),
            ("1T", 1 << 40),
            ("1PB", 1_000_000_000_000_000),
            ("15E", 15 << 60),
            ("0Y", 0),
        ] {
            assert_eq!(count(text), Some(want), "{text}");
        }
    }

    #[test]
    fn rejected() {
        for text in [
            "", " ", "x", "5x", "-5", "++5", "+k", " k", "1g", "1t", "1B", "1w", "1c", "1ki", "1kib", "1bB",
            "5 ", "0x10",
        ] {
            assert_eq!(count(text), None, "{text}");
        }
        for text in
            ["18446744073709551616", "99999999999999999999999", "16E", "1Z", "1Y", "36028797018963968b"]
        {
            assert_eq!(count(text), None, "{text}");
        }
    }
}
