//! The one error type of the engine.

use std::fmt;

/// What every fallible function of this crate returns.
pub type Result<T> = std::result::Result<T, Error>;

/// Why the engine could not do what was asked. Each variant carries the caller's own input,
/// and [`Error::code`] is stable across releases.
#[non_exhaustive]
#[derive(Debug)]
pub enum Error {
    /// A view, an option or a pattern that the engine cannot reproduce exactly.
    UnsupportedView {
        /// The word that was not understood, as the caller wrote it.
        word: String,
        /// Why, in a few words.
        reason: String,
    },
    /// The data, not the options, showed that only the real tool gives the exact answer, or gives it without
    /// unbounded work or memory here.
    NeedsRealTool {
        /// What was met, for example `NUL byte after the first buffer`.
        reason: String,
    },
    /// A regular expression or a glob that cannot be compiled; the text says where and why.
    InvalidPattern(String),
    /// An argument outside its documented range or shape.
    InvalidArgument(String),
    /// The caller's cancel token was set.
    Aborted,
    /// The operating system refused; `what` names the path or the object.
    Io {
        /// The path or object the call was about.
        what: String,
        /// The system's own error.
        source: std::io::Error,
    },
}

impl Error {
    /// The stable code of this error, as JavaScript sees it.
    #[must_use]
    pub fn code(&self) -> &'static str {
        match self {
            Error::UnsupportedView { .. } => "UNSUPPORTED_VIEW",
            Error::NeedsRealTool { .. } => "NEEDS_REAL_TOOL",
            Error::InvalidPattern(_) => "INVALID_PATTERN",
            Error::InvalidArgument(_) => "INVALID_ARGUMENT",
            Error::Aborted => "ABORTED",
            Error::Io { .. } => "IO",
        }
    }

    /// An [`Error::Io`] about `what`.
    pub fn io(what: impl Into<String>, source: std::io::Error) -> Self {
        Error::Io { what: what.into(), source }
    }

    /// An [`Error::UnsupportedView`] about `word`.
    pub fn unsupported(word: impl Into<String>, reason: impl Into<String>) -> Self {
        Error::UnsupportedView { word: word.into(), reason: reason.into() }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::UnsupportedView { word, reason } => write!(f, "unsupported view: `{word}`: {reason}"),
            Error::NeedsRealTool { reason } => write!(f, "only the real tool can answer: {reason}"),
            Error::InvalidPattern(message) => f.write_str(message),
            Error::InvalidArgument(what) => write!(f, "invalid argument: {what}"),
            Error::Aborted => f.write_str("aborted"),
            Error::Io { what, source } => write!(f, "{what}: {}", words(source)),
        }
    }
}

impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Error::Io { source, .. } => Some(source),
            _ => None,
        }
    }
}

/// The system's words for an error, without the number that Rust puts behind them.
pub(crate) fn words(error: &std::io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        text.truncate(text.strip_suffix(&number).map_or(text.len(), str::len));
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn says_what_the_system_says() {
        let missing =
            std::fs::read("/no/such/file").map_err(|error| Error::io("/no/such/file", error).to_string());
        assert_eq!(missing, Err("/no/such/file: No such file or directory".to_owned()));
        assert_eq!(words(&std::io::Error::other("its (os error 2)")), "its (os error 2)");
    }
}
