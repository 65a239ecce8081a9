//! `grep`, `egrep` and `fgrep` on standard input, as GNU grep 3.8 has them.
//!
//! ```
//! use sluice_core::view::{ViewEnv, ViewSpec};
//!
//! let spec = ViewSpec::parse(&["grep", "-n", "-A1", "FAIL"])?;
//! let mut view = spec.build(&ViewEnv::default())?;
//! let mut out = Vec::new();
//! view.push(b"ok\nFAIL a\nat x\nok\n", &mut out)?;
//! assert_eq!(view.finish(&mut out)?, 0);
//! assert_eq!(out, b"2:FAIL a\n3-at x\n");
//! # Ok::<(), sluice_core::Error>(())
//! ```

mod binary;
mod colors;
mod compiled;
mod kept;
mod limits;
mod lines;
mod options;
mod perl;
mod printer;
mod table;
mod text;
mod view;

pub use colors::GrepColors;
pub(super) use limits::{Bytes, Limits};

use super::locale::{Ranges, ViewLocale};
use super::{View, ViewEnv};
use crate::matcher::{Locale, Matcher, MatcherOptions, Syntax};
use crate::{Error, Result};

/// What grep writes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GrepOutput {
    /// Lines, or with `-o` parts of lines. The default.
    #[default]
    Lines,
    /// `-c`: the number of selected lines.
    Count,
    /// `-q`: nothing.
    Quiet,
    /// `-l`: the name of the input if a line is selected.
    FilesWithMatches,
    /// `-L`: the name of the input if no line is selected.
    FilesWithoutMatch,
}

/// What happens when the input has NUL bytes or, in a UTF-8 locale, an output line has invalid bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BinaryFiles {
    /// Lines are withheld and a message on standard error says so. The default.
    #[default]
    Binary,
    /// `-a`: every byte is text.
    Text,
    /// `-I`: an input with NUL bytes has no selected lines.
    WithoutMatch,
}

/// The names that upstream's grep warns about since version 3.8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obsolescent {
    /// `egrep`
    Egrep,
    /// `fgrep`
    Fgrep,
}

/// A parsed `grep`, `egrep` or `fgrep` that reads standard input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GrepSpec {
    /// The syntax of the patterns. Default: [`Syntax::Basic`].
    pub syntax: Syntax,
    /// The patterns, of which any may match; at least one, without newlines and repetitions.
    pub patterns: Vec<Vec<u8>>,
    /// `-i`
    pub ignore_case: bool,
    /// `-w`
    pub word: bool,
    /// `-x`
    pub line: bool,
    /// `-v`: lines that do not match are selected.
    pub invert: bool,
    /// What is written.
    pub output: GrepOutput,
    /// `-o`: with [`GrepOutput::Lines`], each match on a line of its own instead of the line.
    pub only_matching: bool,
    /// `-m`: how many lines are selected at most. None is no limit.
    pub max_count: Option<u64>,
    /// `-B`, `-C`: lines of leading context. None if no such option was given, which differs from 0 in
    /// that no separator is written between groups (unless `after` is given).
    pub before: Option<u64>,
    /// `-A`, `-C`: lines of trailing context. None as with `before`.
    pub after: Option<u64>,
    /// What stands between two groups of lines if context was asked for; None with `--no-group-separator`.
    pub group_separator: Option<Vec<u8>>,
    /// `-n`
    pub line_numbers: bool,
    /// `-b`
    pub byte_offsets: bool,
    /// `-H`: the name of the input in front of each line.
    pub with_filename: bool,
    /// `--label`: the name of the input. Default: `(standard input)`.
    pub label: Vec<u8>,
    /// `-Z`: a NUL byte after the name of the input instead of the separator.
    pub null_after_name: bool,
    /// `-T`: numbers padded and a tab before the line.
    pub initial_tab: bool,
    /// `-z`: lines end in NUL bytes.
    pub null_data: bool,
    /// `--binary-files`, `-a`, `-I`.
    pub binary_files: BinaryFiles,
    /// `--color=always`
    pub color: bool,
    /// Whether the name was `egrep` or `fgrep`.
    pub obsolescent: Option<Obsolescent>,
    /// The patterns as they were compiled last.
    pub(super) compiled: compiled::Compiled,
}

impl Default for GrepSpec {
    /// `grep ''`
    fn default() -> Self {
        GrepSpec {
            syntax: Syntax::Basic,
            patterns: vec![Vec::new()],
            ignore_case: false,
            word: false,
            line: false,
            invert: false,
            output: GrepOutput::Lines,
            only_matching: false,
            max_count: None,
            before: None,
            after: None,
            group_separator: Some(b"--".to_vec()),
            line_numbers: false,
            byte_offsets: false,
            with_filename: false,
            label: b"(standard input)".to_vec(),
            null_after_name: false,
            initial_tab: false,
            null_data: false,
            binary_files: BinaryFiles::Binary,
            color: false,
            obsolescent: None,
            compiled: compiled::Compiled::default(),
        }
    }
}

impl GrepSpec {
    /// The byte that ends a line: NUL with `-z`, or else a newline.
    #[must_use]
    pub fn terminator(&self) -> u8 {
        if self.null_data { 0 } else { b'\n' }
    }

    /// Whether some input, NUL bytes apart, has no certain answer, so that the view has to see all of it.
    ///
    /// # Errors
    ///
    /// As [`GrepSpec::matcher`].
    pub fn must_see_all(&self, env: &ViewEnv) -> Result<bool> {
        let locale = ViewLocale::resolve(env)?;
        Ok(!self.limits(locale, &self.matcher_in(locale)?)?.none())
    }

    /// Compiles the patterns for the locale of `env`. Costs up to some milliseconds; clones share the result.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] with the pattern or the locale that cannot be reproduced exactly.
    pub fn matcher(&self, env: &ViewEnv) -> Result<Matcher> {
        self.matcher_in(ViewLocale::resolve(env)?)
    }

    /// Whether `env` asks for a UTF-8 locale, in which lines with invalid bytes are not written unless
    /// [`BinaryFiles::Text`] is chosen.
    ///
    /// # Errors
    ///
    /// As [`GrepSpec::matcher`].
    pub fn is_utf8(&self, env: &ViewEnv) -> Result<bool> {
        Ok(ViewLocale::resolve(env)?.locale == Locale::Utf8)
    }

    /// True if what is written for a line depends on that line only, so that any part of the input can be
    /// searched by itself: no context, numbers, counts, `-m` or `-q`.
    ///
    /// The input as a whole still decides whether it is binary: this holds for input without NUL bytes only,
    /// and a line with invalid bytes is not written in a UTF-8 locale but reported on standard error.
    #[must_use]
    pub fn is_line_local(&self) -> bool {
        self.output == GrepOutput::Lines
            && !(self.line_numbers || self.byte_offsets)
            && self.before.is_none()
            && self.after.is_none()
            && self.max_count.is_none()
    }

    /// True if only the number of selected lines is written, and nothing limits it: the numbers of the parts
    /// of an input add up.
    #[must_use]
    pub fn is_plain_count(&self) -> bool {
        self.output == GrepOutput::Count
            && self.max_count.is_none()
            && !self.with_filename
            && !self.selects_nothing()
    }

    /// True if NUL bytes in the input change how it is searched: neither `-a` nor `-z`.
    #[must_use]
    pub fn detects_nul(&self) -> bool {
        self.binary_files != BinaryFiles::Text && !self.null_data
    }

    /// True if grep ends without reading its input: `-m 0`, and `-v` with the empty pattern.
    #[must_use]
    pub fn selects_nothing(&self) -> bool {
        let gnu = !matches!(self.syntax, Syntax::Rust | Syntax::RustFixed);
        let everything = gnu && self.invert && !self.word && !self.line && self.patterns == [b""];
        (self.max_count == Some(0) || everything) && self.output != GrepOutput::FilesWithoutMatch
    }

    /// Whether grep may end before its input does.
    #[must_use]
    pub fn may_end_early(&self) -> bool {
        !matches!(self.output, GrepOutput::Lines | GrepOutput::Count)
            || self.max_count.is_some()
            || self.selects_nothing()
    }

    fn matcher_in(&self, locale: ViewLocale) -> Result<Matcher> {
        self.compile(locale.locale)
    }

    /// Compiles the patterns, or takes what was compiled before.
    pub(super) fn compile(&self, locale: Locale) -> Result<Matcher> {
        self.compiled.matcher(
            &self.patterns,
            &MatcherOptions {
                syntax: self.syntax,
                ignore_case: self.ignore_case,
                word: self.word,
                line: self.line,
                locale,
                terminator: self.terminator(),
            },
        )
    }

    /// Which input has a certain answer, if not all has.
    fn limits(&self, locale: ViewLocale, matcher: &Matcher) -> Result<Limits> {
        let utf8 = locale.locale == Locale::Utf8;
        let mut bytes = if utf8 && matcher.requires_valid_utf8() { Bytes::Utf8 } else { Bytes::Any };
        if self.syntax == Syntax::Perl {
            let perl = perl::check(self)?;
            if let Some(pattern) = self.patterns.iter().find(|pattern| !utf8 && !pattern.is_ascii()) {
                let word = String::from_utf8_lossy(pattern);
                return Err(Error::unsupported(word, "-P with bytes beyond ASCII in the C locale"));
            }
            bytes = if perl.ascii || !utf8 { Bytes::Ascii } else { Bytes::Utf8 };
            return Ok(Limits { bytes, longest_line: perl.longest_line });
        }
        if locale.by_code_point || self.syntax == Syntax::Fixed {
            return Ok(Limits::of(bytes));
        }
        for pattern in &self.patterns {
            match Ranges::of(pattern) {
                Ranges::None => {}
                Ranges::Digits if self.decides_only() && !pattern.contains(&b'\\') => {}
                Ranges::Digits | Ranges::Plain => bytes = Bytes::Ascii,
                Ranges::Other => {
                    let word = String::from_utf8_lossy(pattern);
                    return Err(Error::unsupported(word, "a range in a locale with its own order"));
                }
            }
        }
        Ok(Limits::of(bytes))
    }

    /// Whether grep only has to know which lines match, not where.
    fn decides_only(&self) -> bool {
        !(self.only_matching || self.color || self.word || self.line || self.ignore_case)
    }

    pub(super) fn build(&self, env: &ViewEnv) -> Result<Box<dyn View>> {
        let locale = ViewLocale::resolve(env)?;
        let matcher = self.matcher_in(locale)?;
        let limits = self.limits(locale, &matcher)?;
        self.build_with(matcher, locale.locale, limits, env)
    }

    pub(super) fn build_with(
        &self,
        matcher: Matcher,
        locale: Locale,
        limits: Limits,
        env: &ViewEnv,
    ) -> Result<Box<dyn View>> {
        Ok(Box::new(view::Grep::new(self, matcher, locale, limits, env)?))
    }
}
