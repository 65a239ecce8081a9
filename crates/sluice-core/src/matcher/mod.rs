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
//! assert!(matcher.is_match(b"1 FAILED")?);
//! assert_eq!(matcher.find_at(b"1 FAILED", 0)?, Some(2..8));
//! assert_eq!(matcher.next_line(b"ok\nFAIL\nok\n", 0)?, Some(3..7));
//! # Ok::<(), sluice_core::Error>(())
//! ```

mod ast;
mod automaton;
mod ctype;
mod engine;
mod fixed;
mod gnu;
mod hir;
mod lines;
mod literal;
mod nfa;
mod parse;
mod rust;
mod word;

use std::ops::Range;
use std::sync::Arc;

use crate::Result;

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
    /// What means the same to PCRE and to Rust's `regex` crate: `grep -P`. The caller has to see to that.
    Perl,
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
enum Inner {
    /// No pattern, no match.
    Never,
    Gnu(gnu::GnuMatcher),
    Rust(rust::RustMatcher),
}

impl Matcher {
    /// Compiles `patterns`, of which any may match. They are already split at newlines; an empty
    /// list matches nothing, an empty pattern matches every line.
    ///
    /// Costs microseconds for plain strings, tens of them for most expressions, and up to some
    /// milliseconds for large ones with many Unicode classes.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] with the pattern as its word, for everything that cannot be
    /// reproduced exactly: back-references, collating symbols, patterns that grep itself rejects,
    /// and patterns beyond the size limits.
    pub fn new(patterns: &[Vec<u8>], options: &MatcherOptions) -> Result<Self> {
        let inner = match options.syntax {
            _ if patterns.is_empty() => Inner::Never,
            Syntax::Basic | Syntax::Extended | Syntax::Fixed => {
                Inner::Gnu(gnu::GnuMatcher::new(patterns, options)?)
            }
            Syntax::Rust | Syntax::RustFixed | Syntax::Perl => {
                Inner::Rust(rust::RustMatcher::new(patterns, options)?)
            }
        };
        Ok(Matcher { inner: Arc::new(inner) })
    }

    /// Whether `line`, given without its terminator, is selected.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NeedsRealTool`] for a pattern made so that each byte of this input needs work in
    /// proportion to the size of the pattern, once half a second was spent on it: `^[ab]*a[ab]{900}$`
    /// on a long line of `a` and `b`. Not with [`Syntax::Rust`], where ripgrep works as hard.
    pub fn is_match(&self, line: &[u8]) -> Result<bool> {
        match &*self.inner {
            Inner::Never => Ok(false),
            Inner::Gnu(gnu) => gnu.is_match(line),
            Inner::Rust(rust) => Ok(rust.is_match(line)),
        }
    }

    /// The leftmost match at or after byte `start` of `line`, and of those that start there the
    /// longest: what `-o` prints and `--color` marks. May be empty. None if `start` is beyond the
    /// end of `line`.
    ///
    /// With [`Syntax::Rust`] it is the one that leftmost-first alternation prefers. With `line`
    /// (`-x`) the match need not be the whole line: ask only about selected lines, as grep does.
    /// With `line` and `word` at once GNU grep prints the terminator twice; that is not modelled.
    ///
    /// # Errors
    ///
    /// As [`Matcher::is_match`].
    pub fn find_at(&self, line: &[u8], start: usize) -> Result<Option<Range<usize>>> {
        match &*self.inner {
            Inner::Never => Ok(None),
            Inner::Gnu(gnu) => gnu.find_at(line, start),
            Inner::Rust(rust) => Ok(rust.find_at(line, start)),
        }
    }

    /// The first selected line that starts at or after byte `at` of `haystack`, without its
    /// terminator. `at` must be the start of a line; the last line need not be terminated.
    ///
    /// # Errors
    ///
    /// As [`Matcher::is_match`].
    pub fn next_line(&self, haystack: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        match &*self.inner {
            Inner::Never => Ok(None),
            Inner::Gnu(gnu) => gnu.next_line(haystack, at),
            Inner::Rust(rust) => rust.next_line(haystack, at),
        }
    }

    /// Takes the start of a line that may be long down to the few bytes that decide, with what follows, whether
    /// the line is selected. Nothing happens to patterns that are more than literals. `line` is not empty.
    pub fn cut(&self, line: &mut Vec<u8>) {
        if let Some(scanner) = match &*self.inner {
            Inner::Never => None,
            Inner::Gnu(gnu) => Some(gnu.scanner()),
            Inner::Rust(rust) => Some(rust.scanner()),
        } {
            scanner.cut(line);
        }
    }

    /// The last selected line of `haystack[..end]`, without its terminator. `end` is the start of
    /// a line or the end of `haystack`: to go on backwards, pass the start of the line returned.
    ///
    /// Reads backwards in growing stretches, so that a search for the last few matches reads
    /// about twice the bytes behind them, whatever the size of `haystack`.
    ///
    /// # Errors
    ///
    /// As [`Matcher::is_match`].
    pub fn prev_line(&self, haystack: &[u8], end: usize) -> Result<Option<Range<usize>>> {
        match &*self.inner {
            Inner::Never => Ok(None),
            Inner::Gnu(gnu) => gnu.prev_line(haystack, end),
            Inner::Rust(rust) => rust.prev_line(haystack, end),
        }
    }

    /// Whether answers are exact for lines in valid UTF-8 only. If so, and the data is not valid,
    /// the real tool has to answer. Always false in the `C` locale, and false for patterns of
    /// plain characters, which match the same bytes wherever they are.
    ///
    /// In general `.` and bracket expressions do not match an invalid byte, but GNU grep's two
    /// matchers differ about surrogates and overlong sequences.
    #[must_use]
    pub fn requires_valid_utf8(&self) -> bool {
        match &*self.inner {
            Inner::Never | Inner::Rust(_) => false,
            Inner::Gnu(gnu) => gnu.requires_valid_utf8(),
        }
    }

    /// What grep writes to standard error about these patterns before it reads anything, one
    /// message per entry, without the `grep: ` in front and the newline at the end:
    /// `warning: * at start of expression`.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        match &*self.inner {
            Inner::Never | Inner::Rust(_) => &[],
            Inner::Gnu(gnu) => &gnu.notes.warnings,
        }
    }

    /// [`Matcher::warnings`] of a grep that also warns of needless backslashes, as GNU grep 3.8
    /// and later do unless they come from Debian or a descendant: `warning: stray \\ before d`.
    #[must_use]
    pub fn warnings_with_backslashes(&self) -> &[String] {
        match &*self.inner {
            Inner::Never | Inner::Rust(_) => &[],
            Inner::Gnu(gnu) => &gnu.notes.all_warnings,
        }
    }
}
