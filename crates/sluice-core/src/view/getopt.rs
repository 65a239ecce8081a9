//! Reads option words as GNU `getopt_long` does: clusters, abbreviations, `--`, permutation.
//!
//! A view lists its options in a [`Options`] table with an identifier of its own type per option;
//! [`Options::scan`] turns the words into [`Item`]s in the order in which the tool meets them.
//! Every command line that `getopt_long` rejects is an error that names the word.

use crate::{Error, Result};

/// Whether an option takes a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Value {
    /// Never: `--name=value` is an error.
    None,
    /// Always: in the same word or in the next one.
    Required,
    /// Only in the same word: `--color=auto`.
    Optional,
}

/// One short option: `-n`.
pub(crate) struct Short<T> {
    /// The letter.
    pub letter: u8,
    /// Whether it takes a value.
    pub value: Value,
    /// What it means to the view.
    pub id: T,
}

/// One long option: `--lines`.
pub(crate) struct Long<T> {
    /// The full name without the dashes.
    pub name: &'static str,
    /// Whether it takes a value.
    pub value: Value,
    /// What it means to the view. Names with equal `id` and `value` are spellings of one option.
    pub id: T,
}

/// A [`Short`], short to write.
pub(crate) const fn short<T: Copy>(letter: u8, value: Value, id: T) -> Short<T> {
    Short { letter, value, id }
}

/// A [`Long`], short to write.
pub(crate) const fn long<T: Copy>(name: &'static str, value: Value, id: T) -> Long<T> {
    Long { name, value, id }
}

/// The options of one tool.
pub(crate) struct Options<T: 'static> {
    /// All short options that the view understands.
    pub short: &'static [Short<T>],
    /// **All** long options of the tool: a missing name would turn an ambiguous abbreviation into a valid one.
    pub long: &'static [Long<T>],
    /// Whether a run of digits in a cluster is a number of its own (`grep -5`, `grep -n12i`).
    pub numbers: bool,
}

/// What a word, or a part of it, stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Item<'a, T> {
    /// An option.
    Option {
        /// The identifier from the table.
        id: T,
        /// Its value.
        value: Option<&'a [u8]>,
        /// The word it was found in, for error messages.
        word: &'a [u8],
    },
    /// A run of digits, only with [`Options::numbers`].
    Number(&'a [u8]),
    /// Neither an option nor an option's value.
    Operand(&'a [u8]),
}

impl<T: Copy + PartialEq> Options<T> {
    /// The items of the words after the tool's name. Options may follow operands, up to `--`; a lone `-` is an operand.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] for an unknown or ambiguous option, and for a missing or unexpected value.
    pub(crate) fn scan<'a>(&self, words: &[&'a [u8]]) -> Result<Vec<Item<'a, T>>> {
        let mut items = Vec::with_capacity(words.len());
        let mut rest = words.iter().copied();
        while let Some(word) = rest.next() {
            if word == b"--" {
                items.extend(rest.by_ref().map(Item::Operand));
            } else if let Some(name) = word.strip_prefix(b"--") {
                items.push(self.long(word, name, &mut rest)?);
            } else if word.len() > 1 && word[0] == b'-' {
                self.cluster(word, &mut rest, &mut items)?;
            } else {
                items.push(Item::Operand(word));
            }
        }
        Ok(items)
    }

    fn long<'a>(
        &self,
        word: &'a [u8],
        name: &'a [u8],
        rest: &mut impl Iterator<Item = &'a [u8]>,
    ) -> Result<Item<'a, T>> {
        let (name, mut value) = match memchr::memchr(b'=', name) {
            Some(at) => (&name[..at], Some(&name[at + 1..])),
            None => (name, None),
        };
        let option = match self.long.iter().find(|long| long.name.as_bytes() == name) {
            Some(exact) => exact,
            None => {
                let mut candidates = self.long.iter().filter(|long| long.name.as_bytes().starts_with(name));
                let first = candidates.next().ok_or_else(|| reject(word, "unknown option"))?;
                if candidates.any(|other| other.id != first.id || other.value != first.value) {
                    return Err(reject(word, "ambiguous option"));
                }
                first
            }
        };
        match option.value {
            Value::None if value.is_some() => return Err(reject(word, "this option takes no value")),
            Value::Required if value.is_none() => {
                value = Some(rest.next().ok_or_else(|| reject(word, "this option needs a value"))?);
            }
            _ => {}
        }
        Ok(Item::Option { id: option.id, value, word })
    }

    fn cluster<'a>(
        &self,
        word: &'a [u8],
        rest: &mut impl Iterator<Item = &'a [u8]>,
        items: &mut Vec<Item<'a, T>>,
    ) -> Result<()> {
        let mut at = 1;
        while at < word.len() {
            if self.numbers && word[at].is_ascii_digit() {
                let start = at;
                while at < word.len() && word[at].is_ascii_digit() {
                    at += 1;
                }
                items.push(Item::Number(&word[start..at]));
                continue;
            }
            let option = self
                .short
                .iter()
                .find(|short| short.letter == word[at])
                .ok_or_else(|| reject(word, "unknown option"))?;
            at += 1;
            let attached = if at < word.len() { Some(&word[at..]) } else { None };
            let value = match option.value {
                Value::None => None,
                Value::Optional => attached,
                Value::Required => match attached {
                    Some(value) => Some(value),
                    None => Some(rest.next().ok_or_else(|| reject(word, "this option needs a value"))?),
                },
            };
            items.push(Item::Option { id: option.id, value, word });
            if option.value != Value::None {
                break;
            }
        }
        Ok(())
    }
}

/// Refuses operands that are files; one `-` is standard input.
///
/// # Errors
///
/// [`Error::UnsupportedView`] names the file.
pub(crate) fn only_stdin<'a>(operands: impl IntoIterator<Item = &'a [u8]>) -> Result<()> {
    let mut operands = operands.into_iter();
    match operands.next().filter(|&word| word != b"-").or(operands.next()) {
        Some(word) => Err(reject(word, "file operand")),
        None => Ok(()),
    }
}

/// An [`Error::UnsupportedView`] about a word of the command line.
pub(crate) fn reject(word: &[u8], reason: &str) -> Error {
    Error::unsupported(String::from_utf8_lossy(word), reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    enum Id {
        Lines,
        Quiet,
        Color,
        Null,
        NullData,
    }

    const OPTIONS: Options<Id> = Options {
        short: &[short(b'n', Value::Required, Id::Lines), short(b'q', Value::None, Id::Quiet)],
        long: &[
            long("lines", Value::Required, Id::Lines),
            long("quiet", Value::None, Id::Quiet),
            long("color", Value::Optional, Id::Color),
            long("colour", Value::Optional, Id::Color),
            long("null", Value::None, Id::Null),
            long("null-data", Value::None, Id::NullData),
        ],
        numbers: true,
    };

    fn scan(words: &[&'static str]) -> std::result::Result<Vec<String>, String> {
        let words: Vec<&[u8]> = words.iter().map(|w| w.as_bytes()).collect();
        let show = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        match OPTIONS.scan(&words) {
            Ok(items) => Ok(items
                .iter()
                .map(|item| match item {
                    Item::Option { id, value: None, .. } => format!("{id:?}"),
                    Item::Option { id, value: Some(value), .. } => format!("{id:?}={}", show(value)),
                    Item::Number(digits) => format!("#{}", show(digits)),
                    Item::Operand(word) => format!("<{}>", show(word)),
                })
                .collect()),
            Err(Error::UnsupportedView { word, reason }) => Err(format!("{word}: {reason}")),
            Err(other) => Err(other.to_string()),
        }
    }

    fn ok(words: &[&'static str], want: &[&str]) {
        assert_eq!(scan(words), Ok(want.iter().map(ToString::to_string).collect()), "{words:?}");
    }

    #[test]
    fn clusters_and_values() {
        ok(&["-qn5"], &["Quiet", "Lines=5"]);
        ok(&["-qn", "5", "-q"], &["Quiet", "Lines=5", "Quiet"]);
        ok(&["-n", "--"], &["Lines=--"]);
        ok(&["-n", "-q"], &["Lines=-q"]);
        ok(&["--lines", "-q"], &["Lines=-q"]);
        ok(&["--lines="], &["Lines="]);
        ok(&["-5"], &["#5"]);
        ok(&["-q12q3"], &["Quiet", "#12", "Quiet", "#3"]);
        ok(&["-1", "-2"], &["#1", "#2"]);
    }

    #[test]
    fn operands_permute_until_two_dashes() {
        ok(&["a", "-q", "-", "--", "-q", "--"], &["<a>", "Quiet", "<->", "<-q>", "<-->"]);
        ok(&[], &[]);
        ok(&[""], &["<>"]);
    }

    #[test]
    fn abbreviations() {
        ok(&["--li=3", "--q"], &["Lines=3", "Quiet"]);
        ok(&["--col", "--colou=x"], &["Color", "Color=x"]);
        ok(&["--color", "x"], &["Color", "<x>"]);
        ok(&["--null", "--null-"], &["Null", "NullData"]);
    }

    #[test]
    fn rejected_words_are_named() {
        for (words, want) in [
            (&["-x"][..], "-x: unknown option"),
            (&["-qx"], "-qx: unknown option"),
            (&["--nul"], "--nul: ambiguous option"),
            (&["--x=1"], "--x=1: unknown option"),
            (&["--=1"], "--=1: ambiguous option"),
            (&["--quiet=1"], "--quiet=1: this option takes no value"),
            (&["--lines"], "--lines: this option needs a value"),
            (&["-n"], "-n: this option needs a value"),
        ] {
            assert_eq!(scan(words), Err(want.to_owned()));
        }
    }
}
