//! When GNU grep searches for fixed strings instead of regular expressions.
//!
//! The two matchers differ in details of `-w`, and grep does not warn about the backslashes of
//! patterns that it turned into fixed strings.

use super::{Locale, MatcherOptions, Syntax, ctype, parse};

/// The fixed strings that grep searches for instead of `patterns`, which are distinct. None if
/// it uses regular expressions.
pub(super) fn fixed_strings(patterns: &[Vec<u8>], options: &MatcherOptions) -> Option<Vec<Vec<u8>>> {
    match options.syntax {
        Syntax::Fixed => {
            let regex = match options.locale {
                Locale::C => patterns.len() == 1 && options.word,
                Locale::Utf8 => !patterns.iter().all(|pattern| foldable(pattern, options)),
            };
            (!regex).then(|| patterns.to_vec())
        }
        Syntax::Basic | Syntax::Extended if patterns.len() > 1 => {
            let last = patterns.len() - 1;
            let plain = |(index, pattern): (usize, &Vec<u8>)| plain(pattern, index == last, options);
            let strings: Vec<Vec<u8>> = patterns.iter().enumerate().map(plain).collect::<Option<_>>()?;
            strings.iter().all(|string| foldable(string, options)).then_some(strings)
        }
        _ => None,
    }
}

/// Whether the matcher of fixed strings can handle the string: with `-i`, only if no letter has a
/// counterpart of another length.
fn foldable(string: &[u8], options: &MatcherOptions) -> bool {
    let Some(chars) = parse::decode(string, options.locale) else { return false };
    let fixed = |&c: &char| match ctype::fold_char(c, options.locale) {
        None => false,
        Some(set) if c.is_ascii() => set.is_ascii(),
        Some(set) => options.locale == Locale::C || set.single().is_some(),
    };
    !options.ignore_case || chars.iter().all(fixed)
}

/// The string that a pattern without operators stands for.
fn plain(pattern: &[u8], last: bool, options: &MatcherOptions) -> Option<Vec<u8>> {
    let extended = options.syntax == Syntax::Extended;
    let mut string = Vec::with_capacity(pattern.len());
    let mut bytes = pattern.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match byte {
            b'$' | b'*' | b'.' | b'[' | b'^' => return None,
            b'(' | b'+' | b'?' | b'{' | b'|' if extended => return None,
            b'\\' => match bytes.peek() {
                None if last => {}
                None => return None,
                Some(b'B' | b'S' | b'W' | b'\'' | b'<' | b'b' | b's' | b'w' | b'`' | b'>' | b'1'..=b'9') => {
                    return None;
                }
                Some(b'(' | b'+' | b'?' | b'{' | b'|' | b')') if !extended => return None,
                Some(_) => {
                    string.extend(bytes.next());
                    continue;
                }
            },
            _ => {}
        }
        string.push(byte);
    }
    Some(string)
}
