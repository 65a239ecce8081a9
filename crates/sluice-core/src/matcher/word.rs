//! `-w` as GNU grep searches for it: if a match is no word, a shorter one at the same place is
//! tried, then later places.

use std::ops::Range;

use super::engine::Engine;
use super::{Locale, ctype};
use crate::Result;

/// The first whole-word match at or after `from`, as the regular expression matcher finds it.
///
/// A second search in a line cuts its shorter matches off `from` bytes too early. Grep does that,
/// and it shows in what `-ow` prints.
///
/// # Errors
///
/// As [`Engine::is_match`].
pub(super) fn find_regex(
    engine: &Engine,
    line: &[u8],
    from: usize,
    locale: Locale,
) -> Result<Option<Range<usize>>> {
    let Some(mut found) = engine.find_at(line, from)? else { return Ok(None) };
    loop {
        if is_word(line, &found, locale) {
            return Ok(Some(found));
        }
        let shorter = match found.end.checked_sub(1 + from) {
            Some(limit) if !found.is_empty() => engine.longest_within(line, found.start, limit)?,
            _ => None,
        };
        match shorter {
            Some(end) if end > found.start => found.end = end,
            _ if found.start == line.len() => return Ok(None),
            _ => match engine.find_at(line, found.start + 1)? {
                Some(next) => found = next,
                None => return Ok(None),
            },
        }
    }
}

/// The first whole-word match at or after `from`, as the matcher of fixed strings finds it.
///
/// It does not look at what stands before `from`: the rest of a word may match.
///
/// # Errors
///
/// As [`Engine::is_match`].
pub(super) fn find_fixed(
    engine: &Engine,
    line: &[u8],
    from: usize,
    locale: Locale,
) -> Result<Option<Range<usize>>> {
    let mut at = from;
    loop {
        let Some(mut found) = engine.find_at(line, at)? else { return Ok(None) };
        if found.start == from || !ctype::word_ends_at(line, found.start, locale) {
            loop {
                if !ctype::word_starts_at(line, found.end, locale) {
                    return Ok(Some(found));
                }
                let Some(limit) = found.end.checked_sub(1).filter(|&limit| limit >= found.start) else {
                    break;
                };
                let Some(end) = engine.longest_within(line, found.start, limit)? else { break };
                found.end = end;
            }
        }
        at = found.start;
        while ctype::word_starts_at(line, at, locale) {
            at = ctype::char_boundary(line, at + 1, locale);
        }
        at += 1;
    }
}

/// Whether no word character stands beside the match.
fn is_word(line: &[u8], found: &Range<usize>, locale: Locale) -> bool {
    !ctype::word_starts_at(line, found.end, locale) && !ctype::word_ends_at(line, found.start, locale)
}
