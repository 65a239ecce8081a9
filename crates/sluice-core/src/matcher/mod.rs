//! Which lines a set of `grep` patterns selects, and where in a line they match.
//!
//! A [`Matcher`] reproduces GNU grep 3.8 (or ripgrep, with [`Syntax::Rust`]) exactly, or refuses
//! to be built. It knows patterns and lines only: options such as `-v`, `-o` or `-m`, context
//! and output belong to the view.
//!
//! ```
//! use sluice_core::matcher::{Matcher, MatcherOptions, Syntax};
//!
//! let options = MatcherOptions { syntax: Syntax::Fixed, ..MatcherOptions::default() };
//! let matcher = Matcher::new(&[b"FAIL".to_vec(), b"FAILED".to_vec()], &options)?;
//! assert!(matcher.is_match(b"1 FAILED"));
//! assert_eq!(matcher.find_at(b"1 FAILED", 0), Some(2..8));
//! assert_eq!(matcher.next_line(b"ok\nFAIL\nok\n", 0), Some(3..7));
//! # Ok::<(), sluice_core::Error>(())
//! ```

use std::ops::Range;
use std::sync::Arc;

use regex_automata::{Input, meta};
use regex_syntax::hir::Hir;

use crate::{Error, Result};

/// How patterns are written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Syntax {
    /// POSIX basic regular expressions with GNU's extensions: `grep`, `grep -G`. The default.
    #[default]
    Basic,
    /// POSIX extended regular expressions with GNU's extensions: `grep -E`, `egrep`.
    Extended,
    /// Plain strings: `grep -F`, `fgrep`.
    Fixed,
    /// The syntax of Rust's `regex` crate, leftmost-first: `rg`.
    Rust,
    /// Plain strings as `rg -F` takes them.
    RustFixed,
}

/// What a character is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Locale {
    /// UTF-8: characters are code points, and invalid bytes match neither `.` nor a bracket
    /// expression. The default.
    #[default]
    Utf8,
    /// The `C` locale: every byte is a character, only ASCII letters have case.
    C,
}

/// How a [`Matcher`] is built.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatcherOptions {
    /// The syntax of the patterns. Default: [`Syntax::Basic`].
    pub syntax: Syntax,
    /// `-i`: case does not count. Default: false.
    pub ignore_case: bool,
    /// `-w`: the match is a whole word. Default: false.
    pub word: bool,
    /// `-x`: the match is the whole line; wins over `word`. Default: false.
    pub line: bool,
    /// The locale, as the caller reads it from the environment. Default: [`Locale::Utf8`].
    pub locale: Locale,
    /// The byte that ends a line: `\n`, or NUL with `-z`. Default: `\n`.
    pub terminator: u8,
}

impl Default for MatcherOptions {
    fn default() -> Self {
        MatcherOptions {
            syntax: Syntax::default(),
            ignore_case: false,
            word: false,
            line: false,
            locale: Locale::default(),
            terminator: b'\n',
        }
    }
}

/// Compiled patterns. Cheap to clone; clones share the compiled automata.
#[derive(Clone, Debug)]
pub struct Matcher {
    inner: Arc<Inner>,
}

#[derive(Debug)]
struct Inner {
    regex: meta::Regex,
    terminator: u8,
    warnings: Vec<String>,
}

impl Matcher {
    /// Compiles `patterns`, of which any may match. They are already split at newlines; an empty
    /// list matches nothing, an empty pattern matches every line.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] with the pattern as its word, for everything that cannot be
    /// reproduced exactly: back-references, collating symbols, patterns that grep itself rejects,
    /// and patterns beyond the size limits.
    pub fn new(patterns: &[Vec<u8>], options: &MatcherOptions) -> Result<Self> {
        let unsupported =
            |pattern: &[u8], why: &str| Error::unsupported(String::from_utf8_lossy(pattern), why);
        let mut literals = patterns.to_vec();
        for pattern in patterns {
            let plain = pattern.iter().all(|b| b.is_ascii() && !br"\.[]*^$+?{}|()".contains(b));
            if !plain || options.ignore_case || options.word || options.line {
                return Err(unsupported(pattern, "not a plain string"));
            }
        }
        literals.sort_by_key(|literal| std::cmp::Reverse(literal.len()));
        let hir = Hir::alternation(literals.into_iter().map(Hir::literal).collect());
        let regex = meta::Builder::new()
            .configure(meta::Config::new().utf8_empty(false))
            .build_from_hir(&hir)
            .map_err(|e| Error::unsupported("", e.to_string()))?;
        Ok(Matcher { inner: Arc::new(Inner { regex, terminator: options.terminator, warnings: Vec::new() }) })
    }

    /// Whether `line`, given without its terminator, is selected.
    #[must_use]
    pub fn is_match(&self, line: &[u8]) -> bool {
        self.inner.regex.is_match(line)
    }

    /// The leftmost match at or after byte `start` of `line`, and of those that start there the
    /// longest: what `-o` prints and `--color` marks. May be empty.
    ///
    /// With [`Syntax::Rust`] it is the one that leftmost-first alternation prefers.
    /// None if `start` is beyond the end of `line`.
    #[must_use]
    pub fn find_at(&self, line: &[u8], start: usize) -> Option<Range<usize>> {
        if start > line.len() {
            return None;
        }
        self.inner.regex.search(&Input::new(line).range(start..)).map(|m| m.range())
    }

    /// The first selected line that starts at or after byte `at` of `haystack`, without its
    /// terminator. `at` must be the start of a line; the last line need not be terminated.
    #[must_use]
    pub fn next_line(&self, haystack: &[u8], at: usize) -> Option<Range<usize>> {
        let mut start = at;
        while start < haystack.len() {
            let rest = &haystack[start..];
            let end = start + memchr::memchr(self.inner.terminator, rest).unwrap_or(rest.len());
            if self.is_match(&haystack[start..end]) {
                return Some(start..end);
            }
            start = end + 1;
        }
        None
    }

    /// The last selected line that ends at or before byte `end` of `haystack`, without its
    /// terminator. `end` is the end of a line: just after a terminator, on one, or the end of
    /// `haystack`.
    #[must_use]
    pub fn prev_line(&self, haystack: &[u8], end: usize) -> Option<Range<usize>> {
        let mut end = end.min(haystack.len());
        if end > 0
            && haystack[end - 1] == self.inner.terminator
            && haystack.get(end) != Some(&self.inner.terminator)
        {
            end -= 1;
        }
        loop {
            let start = memchr::memrchr(self.inner.terminator, &haystack[..end]).map_or(0, |i| i + 1);
            if self.is_match(&haystack[start..end]) {
                return Some(start..end);
            }
            end = start.checked_sub(1)?;
        }
    }

    /// Whether lines that are not valid UTF-8 have to go to the real tool: true if grep's own
    /// matchers disagree with each other about them for these patterns.
    #[must_use]
    pub fn requires_valid_utf8(&self) -> bool {
        false
    }

    /// What grep writes to standard error about these patterns before it reads anything, one
    /// message per entry, without the `grep: ` in front and the newline at the end:
    /// `warning: stray \ before d`.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.inner.warnings
    }
}
