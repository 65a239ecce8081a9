//! Counts as `head` and `tail` read them.

use crate::{Error, Result};

/// Parses a decimal count without sign or suffix.
///
/// # Errors
///
/// [`Error::UnsupportedView`] for anything else.
pub(crate) fn parse_count(word: &[u8]) -> Result<u64> {
    let bad = |reason: &str| Error::unsupported(String::from_utf8_lossy(word), reason);
    if word.is_empty() || !word.iter().all(u8::is_ascii_digit) {
        return Err(bad("not a plain count"));
    }
    std::str::from_utf8(word).ok().and_then(|s| s.parse().ok()).ok_or_else(|| bad("count too large"))
}

/// The spellings `-N`, `-nN`, `-n N`, `--lines=N` and none of them (10 lines).
///
/// # Errors
///
/// [`Error::UnsupportedView`] names the word that was not understood.
pub(crate) fn parse_line_args(args: &[&[u8]]) -> Result<u64> {
    match args {
        [] => Ok(10),
        [flag, count] if *flag == b"-n" => parse_count(count),
        [word] => {
            for prefix in [&b"--lines="[..], b"-n", b"-"] {
                if let Some(count) = word.strip_prefix(prefix).filter(|c| !c.is_empty()) {
                    return parse_count(count)
                        .map_err(|_| Error::unsupported(String::from_utf8_lossy(word), "unknown option"));
                }
            }
            Err(Error::unsupported(String::from_utf8_lossy(word), "file operand"))
        }
        [_, other, ..] => Err(Error::unsupported(String::from_utf8_lossy(other), "too many arguments")),
    }
}
