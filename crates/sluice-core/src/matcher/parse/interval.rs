//! The counts of `{m,n}`.

use super::Refusal;

/// Largest count that grep accepts.
const MAX_COUNT: u32 = 0x7fff;

/// What follows a `{`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Interval {
    /// A repetition, from a least to a greatest count; None is unbounded.
    Counts(u32, Option<u32>),
    /// No interval: the brace is a literal character (extended syntax only).
    Literal,
}

/// Reads what follows a `{` and returns it with the number of characters consumed.
pub(super) fn parse(rest: &[char], extended: bool) -> Result<(Interval, usize), Refusal> {
    let (min, mut pos) = number(rest, 0);
    let mut max = min;
    let comma = rest.get(pos) == Some(&',');
    if comma {
        (max, pos) = number(rest, pos + 1);
    }
    let close: &[char] = if extended { &['}'] } else { &['\\', '}'] };
    if rest[pos..].starts_with(close) {
        if min.is_none() && !comma {
            return Err("an interval without a count");
        }
        let min = min.unwrap_or(0);
        if max.is_some_and(|max| max < min) {
            return Err("an interval whose counts are reversed");
        }
        if max.unwrap_or(min) > MAX_COUNT {
            return Err("an interval beyond 32767");
        }
        return Ok((Interval::Counts(min, max), pos + close.len()));
    }
    match rest.get(pos) {
        _ if !extended => Err("an unfinished interval"),
        Some(',') => Err("an interval with a second comma"),
        Some('\\') => Err("an interval with a backslash, which grep's two matchers read differently"),
        _ => Ok((Interval::Literal, 0)),
    }
}

/// The decimal number at `pos`, if any digit is there, and where it ends.
fn number(rest: &[char], mut pos: usize) -> (Option<u32>, usize) {
    let mut value = None;
    while let Some(digit) = rest.get(pos).and_then(|c| c.to_digit(10)) {
        value = Some((value.unwrap_or(0) * 10 + digit).min(MAX_COUNT + 1));
        pos += 1;
    }
    (value, pos)
}
