//! The glob that paths are matched against.

use std::path::Path;

use bstr::ByteSlice;
use globset::GlobBuilder;
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_syntax::hir::{Class, Hir, HirKind};

use crate::{Error, Result};

/// A compiled glob.
pub(super) struct PathGlob {
    regex: Regex,
    /// For `*TEXT`, which needs no regular expression: the text.
    ending: Option<String>,
    sensitive: bool,
    /// The root with a final `/`, if whole paths are matched.
    prefix: Option<Vec<u8>>,
}

impl PathGlob {
    /// A glob for paths under `root`.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidPattern`] if it is no glob.
    pub(super) fn new(pattern: &str, root: &Path) -> Result<Self> {
        let pattern = pattern.trim_start_matches("./");
        let whole_path = pattern.contains('/');
        let mut prefix = root.as_os_str().as_encoded_bytes().to_vec();
        while prefix.last() == Some(&b'/') {
            prefix.pop();
        }
        prefix.push(b'/');
        let full = if whole_path && !Path::new(pattern).is_absolute() {
            escape(&prefix.to_str_lossy()) + pattern
        } else {
            pattern.to_owned()
        };
        let invalid = |error: &dyn std::fmt::Display| Error::InvalidPattern(error.to_string());
        let glob =
            GlobBuilder::new(&full).literal_separator(true).build().map_err(|error| invalid(&error))?;
        // The root's own letters do not make a pattern case-sensitive.
        let sensitive = if full == pattern {
            has_upper_case(glob.regex())
        } else {
            pattern.chars().any(|c| c.to_lowercase().ne(std::iter::once(c)))
        };
        let regex = Regex::builder()
            .syntax(syntax::Config::new().utf8(false).case_insensitive(!sensitive).dot_matches_new_line(true))
            .build(glob.regex())
            .map_err(|error| invalid(&error))?;
        let ending = pattern.strip_prefix('*').filter(|_| !whole_path).filter(|text| is_plain(text));
        Ok(PathGlob {
            regex,
            ending: ending.map(str::to_owned),
            sensitive,
            prefix: whole_path.then_some(prefix),
        })
    }

    /// Whether the entry `name` of the directory `directory` (relative to the root, with a final `/`) matches.
    pub(super) fn matches(&self, directory: &[u8], name: &[u8]) -> bool {
        if let Some(ending) = &self.ending {
            let Some(start) = name.len().checked_sub(ending.len()) else { return false };
            let end = &name[start..];
            return if self.sensitive {
                end == ending.as_bytes()
            } else {
                end.eq_ignore_ascii_case(ending.as_bytes())
            };
        }
        match &self.prefix {
            None => self.regex.is_match(name),
            Some(prefix) => self.regex.is_match(&[prefix.as_slice(), directory, name].concat()),
        }
    }
}

/// What a glob gives a meaning.
fn is_special(c: char) -> bool {
    matches!(c, '\\' | '*' | '?' | '[' | ']' | '{' | '}')
}

/// Whether a glob is its own text, and its letters have no other forms than the two of ASCII.
fn is_plain(glob: &str) -> bool {
    glob.is_ascii() && !glob.contains(is_special)
}

/// Escapes what a glob gives a meaning.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if is_special(c) {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}

/// Whether a regular expression names an upper-case letter, which makes smart case sensitive.
fn has_upper_case(regex: &str) -> bool {
    fn in_hir(hir: &Hir) -> bool {
        match hir.kind() {
            HirKind::Literal(literal) => match std::str::from_utf8(&literal.0) {
                Ok(text) => text.chars().any(char::is_uppercase),
                Err(_) => literal.0.iter().any(|&b| char::from(b).is_uppercase()),
            },
            HirKind::Class(Class::Unicode(ranges)) => {
                ranges.iter().any(|range| range.start().is_uppercase() || range.end().is_uppercase())
            }
            HirKind::Class(Class::Bytes(ranges)) => ranges.iter().any(|range| {
                char::from(range.start()).is_uppercase() || char::from(range.end()).is_uppercase()
            }),
            HirKind::Capture(capture) => in_hir(&capture.sub),
            HirKind::Repetition(repetition) => in_hir(&repetition.sub),
            HirKind::Concat(parts) | HirKind::Alternation(parts) => parts.iter().any(in_hir),
            HirKind::Empty | HirKind::Look(_) => false,
        }
    }
    regex_syntax::ParserBuilder::new().utf8(false).build().parse(regex).is_ok_and(|hir| in_hir(&hir))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn an_ending_matches_as_the_regular_expression_does(
            pattern in "\\*[aBk.\n\u{212A}]{0,3}", name in "[abABkK.\n\u{212A}é]{0,5}",
        ) {
            let glob = PathGlob::new(&pattern, Path::new("/")).unwrap();
            prop_assert_eq!(glob.matches(b"", name.as_bytes()), glob.regex.is_match(name.as_bytes()));
        }
    }
}
