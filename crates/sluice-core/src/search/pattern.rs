//! Compiling the pattern.

use grep_regex::{RegexMatcher, RegexMatcherBuilder};

use crate::{Error, Result};

/// The pattern and how it is read.
#[derive(Clone, Debug, Default)]
pub struct PatternOptions {
    /// A regular expression in the syntax of Rust's `regex` crate, matched within lines.
    pub pattern: String,
    /// Whether letters match in either case.
    pub ignore_case: bool,
    /// Whether the pattern is plain text.
    pub literal: bool,
}

/// Compiles a pattern with ripgrep's settings.
///
/// # Errors
///
/// [`Error::InvalidPattern`]
pub(super) fn compile(options: &PatternOptions) -> Result<RegexMatcher> {
    RegexMatcherBuilder::new()
        .multi_line(true)
        .case_insensitive(options.ignore_case)
        .fixed_strings(options.literal)
        .line_terminator(Some(b'\n'))
        .ban_byte(Some(b'\0'))
        .build(&options.pattern)
        .map_err(|error| Error::InvalidPattern(error.to_string()))
}
