//! What a character is: POSIX classes, word characters and case, as glibc answers them.

mod case;
mod classes;

use regex_syntax::hir::{ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange};

use super::Locale;

/// A set of characters (or of bytes, in the `C` locale).
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CharSet(pub(super) ClassUnicode);

/// Largest character of the locale: the `C` locale is modelled as the characters U+0000 to
/// U+00FF, one per byte, until a set is turned into a class of bytes.
pub(super) fn last_char(locale: Locale) -> char {
    match locale {
        Locale::Utf8 => char::MAX,
        Locale::C => '\u{ff}',
    }
}

impl CharSet {
    /// The set of no character.
    pub(super) fn empty() -> Self {
        CharSet(ClassUnicode::empty())
    }

    /// The set of every character of the locale.
    pub(super) fn all(locale: Locale) -> Self {
        let mut set = CharSet::empty();
        set.push('\0', last_char(locale));
        set
    }

    /// Adds the characters from `first` to `last`.
    pub(super) fn push(&mut self, first: char, last: char) {
        self.0.push(ClassUnicodeRange::new(first, last));
    }

    /// Adds every character of `other`.
    pub(super) fn union(&mut self, other: &CharSet) {
        self.0.union(&other.0);
    }

    /// Replaces the set by its complement within the locale.
    pub(super) fn negate(&mut self, locale: Locale) {
        let mut all = CharSet::all(locale);
        all.0.difference(&self.0);
        *self = all;
    }

    /// Removes one character.
    pub(super) fn remove(&mut self, c: char) {
        self.0.difference(&ClassUnicode::new([ClassUnicodeRange::new(c, c)]));
    }

    /// Whether `c` is in the set.
    pub(super) fn contains(&self, c: char) -> bool {
        let ranges = self.0.ranges();
        ranges.binary_search_by(|r| range_order(c, r.start(), r.end())).is_ok()
    }

    /// The only character of the set, if it has just one.
    pub(super) fn single(&self) -> Option<char> {
        match self.0.ranges() {
            [range] if range.start() == range.end() => Some(range.start()),
            _ => None,
        }
    }

    /// Whether all characters are ASCII.
    pub(super) fn is_ascii(&self) -> bool {
        self.0.ranges().last().is_none_or(|range| range.end().is_ascii())
    }

    /// The same set as bytes. Characters beyond U+00FF are dropped; the `C` locale has none.
    pub(super) fn to_bytes(&self) -> ClassBytes {
        ClassBytes::new(self.0.iter().filter_map(|range| {
            let start = u8::try_from(u32::from(range.start())).ok()?;
            let end = u8::try_from(u32::from(range.end())).unwrap_or(u8::MAX);
            Some(ClassBytesRange::new(start, end))
        }))
    }

    /// Every character whose upper case is in the set: what the set means to `-i`, once its
    /// members were given in upper case.
    pub(super) fn fold(&self, locale: Locale) -> CharSet {
        let mut folded = self.clone();
        for (c, upper) in lower_case_pairs(locale) {
            if self.contains(upper) {
                folded.push(c, c);
            } else if self.contains(c) {
                folded.remove(c);
            }
        }
        folded
    }
}

/// Compares a range with `c` for a binary search.
fn range_order<T: PartialOrd>(c: T, first: T, last: T) -> std::cmp::Ordering {
    use std::cmp::Ordering::{Equal, Greater, Less};
    if last < c {
        Less
    } else if first > c {
        Greater
    } else {
        Equal
    }
}

/// All pairs of a character and its upper case in which the two differ.
fn lower_case_pairs(locale: Locale) -> impl Iterator<Item = (char, char)> {
    case::TO_UPPER
        .iter()
        .flat_map(|&(first, last, step, delta)| {
            (first..=last).step_by(step as usize).map(move |c| (c, c.wrapping_add_signed(delta)))
        })
        .filter(move |&(c, _)| locale == Locale::Utf8 || c < 0x80)
        .filter_map(|(c, upper)| Some((char::from_u32(c)?, char::from_u32(upper)?)))
}

/// `towupper`.
pub(super) fn to_upper(c: char, locale: Locale) -> char {
    if c.is_ascii() || locale == Locale::C {
        return c.to_ascii_uppercase();
    }
    let c32 = u32::from(c);
    case::TO_UPPER
        .iter()
        .find(|&&(first, last, step, _)| first <= c32 && c32 <= last && (c32 - first) % step == 0)
        .and_then(|&(.., delta)| char::from_u32(c32.wrapping_add_signed(delta)))
        .unwrap_or(c)
}

/// The characters that are equal to `c` when case is ignored, `c` among them.
///
/// None if GNU grep's two matchers disagree about them: its table of characters that share an
/// upper case without being each other's lower case predates the Cyrillic U+1C80 to U+1C88.
pub(super) fn fold_char(c: char, locale: Locale) -> Option<CharSet> {
    let upper = to_upper(c, locale);
    let mut set = CharSet::empty();
    set.push(upper, upper);
    let target = u32::from(upper);
    for &(first, last, step, delta) in case::TO_UPPER {
        let candidate = target.wrapping_add_signed(-delta);
        if first <= candidate
            && candidate <= last
            && (candidate - first) % step == 0
            && let Some(lower) = char::from_u32(candidate)
            && (locale == Locale::Utf8 || lower.is_ascii())
        {
            if ('\u{1c80}'..='\u{1c88}').contains(&lower) {
                return None;
            }
            set.push(lower, lower);
        }
    }
    Some(set)
}

/// The class `[:name:]`; None if there is no such class.
pub(super) fn class(name: &str, locale: Locale) -> Option<CharSet> {
    let mut set = match name {
        "alpha" => from_table(classes::ALPHA),
        "upper" => from_table(classes::UPPER),
        "lower" => from_table(classes::LOWER),
        "space" => from_table(classes::SPACE),
        "blank" => from_table(classes::BLANK),
        "cntrl" => from_table(classes::CNTRL),
        "print" => from_table(classes::PRINT),
        "digit" => from_table(&[(0x30, 0x39)]),
        "xdigit" => from_table(&[(0x30, 0x39), (0x41, 0x46), (0x61, 0x66)]),
        "alnum" => {
            let mut alnum = from_table(classes::ALPHA);
            alnum.push('0', '9');
            alnum
        }
        "graph" => {
            let mut graph = from_table(classes::PRINT);
            graph.0.difference(&from_table(classes::SPACE).0);
            graph
        }
        "punct" => {
            let mut punct = class("graph", Locale::Utf8)?;
            punct.0.difference(&class("alnum", Locale::Utf8)?.0);
            punct
        }
        _ => return None,
    };
    if locale == Locale::C {
        set.0.intersect(&ClassUnicode::new([ClassUnicodeRange::new('\0', '\x7f')]));
    }
    Some(set)
}

/// Whether `c` is in the class `[:name:]`.
pub(super) fn is_class(name: &str, c: char, locale: Locale) -> bool {
    class(name, locale).is_some_and(|set| set.contains(c))
}

/// `[[:alnum:]_]`: the characters that `\w`, `\b` and `-w` take for parts of a word.
pub(super) fn word_class(locale: Locale) -> CharSet {
    let mut set = from_table(classes::ALPHA);
    set.push('0', '9');
    set.push('_', '_');
    if locale == Locale::C {
        set.0.intersect(&ClassUnicode::new([ClassUnicodeRange::new('\0', '\x7f')]));
    }
    set
}

fn from_table(table: &[(u32, u32)]) -> CharSet {
    CharSet(ClassUnicode::new(table.iter().filter_map(|&(first, last)| {
        Some(ClassUnicodeRange::new(char::from_u32(first)?, char::from_u32(last)?))
    })))
}

/// Whether `c` is part of a word.
fn is_word_char(c: char) -> bool {
    if c.is_ascii() {
        return is_word_byte(c as u8);
    }
    let c = u32::from(c);
    classes::ALPHA.binary_search_by(|&(first, last)| range_order(c, first, last)).is_ok()
}

fn is_word_byte(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_'
}

/// As [`word_starts_at`], but invalid bytes are characters of Latin-1, as to the C library.
pub(super) fn word_starts_at_latin(line: &[u8], at: usize, locale: Locale) -> bool {
    match line.get(at..).map(bstr::decode_utf8) {
        Some((None, 1..)) if locale == Locale::Utf8 => is_word_char(char::from(line[at])),
        _ => word_starts_at(line, at, locale),
    }
}

/// As [`word_ends_at`], but invalid bytes are characters of Latin-1, as to the C library.
pub(super) fn word_ends_at_latin(line: &[u8], at: usize, locale: Locale) -> bool {
    at > 0 && word_starts_at_latin(line, char_start(line, at - 1), locale)
}

/// Whether the character that starts at byte `at` of `line` is part of a word. False at the end
/// and for invalid bytes.
pub(super) fn word_starts_at(line: &[u8], at: usize, locale: Locale) -> bool {
    match line.get(at) {
        None => false,
        Some(&b) if b.is_ascii() => is_word_byte(b),
        Some(_) if locale == Locale::C => false,
        Some(_) => {
            let (c, _) = bstr::decode_utf8(&line[at..]);
            c.is_some_and(is_word_char)
        }
    }
}

/// Whether the character that holds the byte before `at` is part of a word. False at the start of
/// the line and for invalid bytes.
pub(super) fn word_ends_at(line: &[u8], at: usize, locale: Locale) -> bool {
    match at.checked_sub(1).and_then(|last| line.get(last)) {
        None => false,
        Some(&b) if b.is_ascii() => is_word_byte(b),
        Some(_) if locale == Locale::C => false,
        Some(_) => word_starts_at(line, char_start(line, at - 1), locale),
    }
}

fn is_continuation(line: &[u8], at: usize) -> bool {
    line.get(at).is_some_and(|b| b & 0xc0 == 0x80)
}

/// The start of the valid UTF-8 character that holds byte `at`, or `at` if there is none.
fn char_start(line: &[u8], at: usize) -> usize {
    if !is_continuation(line, at) {
        return at;
    }
    for back in 1..=3.min(at) {
        if !is_continuation(line, at - back) {
            let (c, len) = bstr::decode_utf8(&line[at - back..]);
            return if c.is_some() && len > back { at - back } else { at };
        }
    }
    at
}

/// The first byte at or after `at` that does not lie inside a valid character.
pub(super) fn char_boundary(line: &[u8], at: usize, locale: Locale) -> usize {
    if locale == Locale::C || !is_continuation(line, at) {
        return at;
    }
    match char_start(line, at) {
        start if start == at => at,
        start => start + bstr::decode_utf8(&line[start..]).1,
    }
}
