//! `less` and `more`: into a pipe they copy their input.

use super::View;
use super::getopt::reject;
use crate::Result;

/// Options of `less` that only change how a screen looks. Those with a value, and `-o`, are not among them.
const SCREEN_OPTIONS: &[u8] = b"EFIJKMNQRSWXceimnqrsuw~";

/// A parsed `less` or `more`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PassSpec {
    /// `less`
    Less,
    /// `more`
    More,
}

impl PassSpec {
    /// Parses the words after `less`: nothing, options about the screen, or a lone `-`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] for every other word.
    pub fn parse_less(args: &[&[u8]]) -> Result<Self> {
        for (index, word) in args.iter().enumerate() {
            let known = match word {
                [b'-'] => index + 1 == args.len(),
                [b'-', letters @ ..] => letters.iter().all(|letter| SCREEN_OPTIONS.contains(letter)),
                _ => false,
            };
            if !known {
                return Err(reject(word, "this word of less is left to the real tool"));
            }
        }
        Ok(PassSpec::Less)
    }

    /// Parses the words after `more`: nothing.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] for every word.
    pub fn parse_more(args: &[&[u8]]) -> Result<Self> {
        match args.first() {
            Some(word) => Err(reject(word, "this word of more is left to the real tool")),
            None => Ok(PassSpec::More),
        }
    }

    pub(super) fn build(self) -> Box<dyn View> {
        Box::new(Pass)
    }
}

struct Pass;

impl View for Pass {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.extend_from_slice(input);
        Ok(())
    }

    fn finish(&mut self, _out: &mut Vec<u8>) -> Result<i32> {
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words() {
        assert_eq!(PassSpec::parse_less(&[]).unwrap(), PassSpec::Less);
        assert_eq!(PassSpec::parse_less(&[b"-RS", b"-"]).unwrap(), PassSpec::Less);
        assert_eq!(PassSpec::parse_more(&[]).unwrap(), PassSpec::More);
        for word in [&b"-o"[..], b"-px", b"+G", b"file", b"--help", b"-RV", b""] {
            assert!(PassSpec::parse_less(&[word]).is_err(), "{word:?}");
        }
        assert!(PassSpec::parse_less(&[b"-", b"-"]).is_err());
        assert!(PassSpec::parse_more(&[b"-d"]).is_err());
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
