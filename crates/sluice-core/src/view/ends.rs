//! What the command lines of `head` and `tail` have in common.

use super::getopt::{Item, Options, only_stdin, reject};
use crate::Result;

/// What an option of `head` or `tail` means.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Id {
    Bytes,
    Lines,
    Quiet,
    Verbose,
    Zero,
    /// Something about following a file.
    Follow,
    Other,
}

/// What is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    Lines,
    Bytes,
}

/// Everything but the counts.
pub(super) struct Flags {
    /// What ends a line.
    pub(super) delimiter: u8,
    /// Whether a header comes first.
    pub(super) header: bool,
}

impl Default for Flags {
    fn default() -> Self {
        Flags { delimiter: b'\n', header: false }
    }
}

/// Reads `words` into `flags`; `count` takes what is counted and the value of each `-n` and `-c`, in order.
///
/// # Errors
///
/// [`crate::Error::UnsupportedView`] about a word; those of `count`.
pub(super) fn scan(
    options: &Options<Id>,
    words: &[&[u8]],
    flags: &mut Flags,
    mut count: impl FnMut(Unit, &[u8]) -> Result<()>,
) -> Result<()> {
    let mut operands = Vec::new();
    for item in options.scan(words)? {
        match item {
            Item::Option { id: Id::Lines, value, .. } => count(Unit::Lines, value.unwrap_or_default())?,
            Item::Option { id: Id::Bytes, value, .. } => count(Unit::Bytes, value.unwrap_or_default())?,
            Item::Option { id: Id::Quiet, .. } => flags.header = false,
            Item::Option { id: Id::Verbose, .. } => flags.header = true,
            Item::Option { id: Id::Zero, .. } => flags.delimiter = 0,
            Item::Option { id: Id::Follow, word, .. } => return Err(reject(word, "follows a file")),
            Item::Option { id: Id::Other, word, .. } => {
                return Err(reject(word, "not an output of its input"));
            }
            Item::Operand(word) | Item::Number(word) => operands.push(word),
        }
    }
    only_stdin(operands)
}

#[cfg(test)]
pub(super) mod tests {
    use crate::view::{HeadSpec, TailSpec};

    /// The words of a line without quotes.
    pub(in crate::view) fn words(line: &str) -> Vec<&[u8]> {
        line.split(' ').filter(|word| !word.is_empty()).map(str::as_bytes).collect()
    }

    #[test]
    fn flags() {
        for (line, header, delimiter) in [
            ("", false, b'\n'),
            ("-v", true, b'\n'),
            ("-v -q", false, b'\n'),
            ("-qv", true, b'\n'),
            ("-z -n 2", false, 0),
            ("--verb --zero", true, 0),
        ] {
            let (head, tail) =
                (HeadSpec::parse(&words(line)).unwrap(), TailSpec::parse(&words(line)).unwrap());
            assert_eq!((head.header, head.delimiter), (header, delimiter), "head {line}");
            assert_eq!((tail.header, tail.delimiter), (header, delimiter), "tail {line}");
        }
    }
}
