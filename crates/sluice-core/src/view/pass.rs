//! `less` and `more`: into a pipe they copy their input.

use super::View;
use super::getopt::reject;
use crate::Result;

/// Options of `less` without a value that only change how a screen looks or behaves.
const LESS_FLAGS: &[u8] = b"EFIJKLMNQRSWXaceimnqrsuw~";
/// Options of `less` with a number in the same word.
const LESS_NUMBERS: &[u8] = b"bhjxyz#";
/// The same for `more`.
const MORE_FLAGS: &[u8] = b"cdeflpsu";

/// A parsed `less` or `more`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassSpec {
    /// `less`
    Less,
    /// `more`
    More,
}

impl PassSpec {
    /// Parses the words after `less`: options about the screen, `+COMMAND`, `-p PATTERN`, or a lone `-`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] for every other word.
    pub fn parse_less(args: &[&[u8]]) -> Result<Self> {
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            let known = match word {
                [b'-'] => rest.len() == 0,
                [b'+', ..] => true,
                [b'-', b'p'] => rest.next().is_some(),
                [b'-', b'p', ..] => true,
                [b'-', letter, digits @ ..] if LESS_NUMBERS.contains(letter) => is_number(digits),
                [b'-', letters @ ..] => letters.iter().all(|letter| LESS_FLAGS.contains(letter)),
                _ => false,
            };
            if !known {
                return Err(reject(word, "this word of less is left to the real tool"));
            }
        }
        Ok(PassSpec::Less)
    }

    /// Parses the words after `more`: options about the screen.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] for every other word.
    pub fn parse_more(args: &[&[u8]]) -> Result<Self> {
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            let known = match word {
                [b'-', b'n'] => rest.next().is_some_and(|number| is_number(number)),
                [b'-', b'n', number @ ..] | [b'-', number @ ..] if is_number(number) => true,
                [b'-', letters @ ..] if !letters.is_empty() => {
                    letters.iter().all(|letter| MORE_FLAGS.contains(letter))
                }
                _ => false,
            };
            if !known {
                return Err(reject(word, "this word of more is left to the real tool"));
            }
        }
        Ok(PassSpec::More)
    }

    pub(super) fn build(self) -> Box<dyn View> {
        Box::new(Pass)
    }
}

/// Up to four digits: no screen is larger.
fn is_number(word: &[u8]) -> bool {
    (1..=4).contains(&word.len()) && word.iter().all(u8::is_ascii_digit)
}

struct Pass;

impl View for Pass {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(input);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        for words in [&[][..], &[&b"-RS"[..], b"-"], &[b"-p", b"x"], &[b"-px", b"+G"], &[b"-x4", b"-FRX"]] {
            assert!(PassSpec::parse_less(words).is_ok(), "{words:?}");
        }
        for words in [&[][..], &[&b"-ds"[..]], &[b"-n", b"3"], &[b"-n3", b"-5"]] {
            assert!(PassSpec::parse_more(words).is_ok(), "{words:?}");
        }
        for word in [&b"-o"[..], b"-p", b"file", b"--help", b"-RV", b"", b"-x", b"-x99999", b"-t"] {
            assert!(PassSpec::parse_less(&[word]).is_err(), "{word:?}");
        }
        for word in [&b"-n"[..], b"-", b"+3", b"file", b"-V", b"--silent", b""] {
            assert!(PassSpec::parse_more(&[word]).is_err(), "{word:?}");
        }
        assert!(PassSpec::parse_less(&[b"-", b"-"]).is_err());
    }

    #[test]
    fn bytes_are_copied() {
        let mut out = Vec::new();
        let mut view = PassSpec::Less.build();
        view.push(b"a\r\n\0\xff", &mut out).unwrap();
        assert_eq!(view.finish(&mut out).unwrap(), 0);
        assert_eq!(out, b"a\r\n\0\xff");
    }
}
