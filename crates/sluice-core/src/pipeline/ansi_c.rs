//! `$'…'`: a quoted string with escapes as in C, which bash and POSIX shells of today have.

use std::iter::Peekable;
use std::str::Chars;

use crate::{Error, Result};

/// Reads up to the closing quote and appends what the string stands for.
///
/// # Errors
///
/// [`Error::UnsupportedView`] if the quote is open, and for escapes whose meaning depends on the locale
/// or on the shell: control characters, code points beyond ASCII, NUL.
pub(super) fn decode(chars: &mut Peekable<Chars<'_>>, word: &mut Vec<u8>) -> Result<()> {
    let mut utf8 = [0; 4];
    loop {
        let c = match chars.next() {
            Some('\'') => return Ok(()),
            Some('\\') => match chars.next() {
                Some(escape) => match decode_escape(escape, chars)? {
                    Some(byte) => {
                        word.push(byte);
                        continue;
                    }
                    None => {
                        word.push(b'\\');
                        escape
                    }
                },
                None => return Err(Error::unsupported("$'", "unterminated quote")),
            },
            Some(c) => c,
            None => return Err(Error::unsupported("$'", "unterminated quote")),
        };
        word.extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
    }
}

/// The byte of an escape; `None` if the backslash stands for itself.
fn decode_escape(escape: char, chars: &mut Peekable<Chars<'_>>) -> Result<Option<u8>> {
    let unsupported = || Error::unsupported(format!("\\{escape}"), "this escape is the shell's");
    let byte = match escape {
        'a' => 7,
        'b' => 8,
        'e' | 'E' => 27,
        'f' => 12,
        'n' => b'\n',
        'r' => b'\r',
        't' => b'\t',
        'v' => 11,
        '\\' | '\'' | '"' | '?' => escape as u8,
        '0'..='7' => {
            let mut value = escape.to_digit(8).unwrap_or(0);
            for _ in 0..2 {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(8)) else { break };
                value = value * 8 + digit;
                chars.next();
            }
            u8::try_from(value).map_err(|_| unsupported())?
        }
        'x' | 'u' | 'U' => {
            let longest = match escape {
                'x' => 2,
                'u' => 4,
                _ => 8,
            };
            let mut value: Option<u32> = None;
            for _ in 0..longest {
                let Some(digit) = chars.peek().and_then(|c| c.to_digit(16)) else { break };
                value = Some(value.unwrap_or(0) * 16 + digit);
                chars.next();
            }
            match value {
                Some(value) if escape == 'x' || value < 0x80 => {
                    u8::try_from(value).map_err(|_| unsupported())?
                }
                _ => return Err(unsupported()),
            }
        }
        'c' => return Err(unsupported()),
        _ => return Ok(None),
    };
    if byte == 0 { Err(unsupported()) } else { Ok(Some(byte)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decoded(text: &str) -> Option<Vec<u8>> {
        let mut word = Vec::new();
        let mut chars = text.chars().peekable();
        decode(&mut chars, &mut word).ok()?;
        Some(word)
    }

    #[test]
    fn escapes() {
        for (text, want) in [
            (r"a'", &b"a"[..]),
            (r"\t\n\r\e\E\a\b\f\v'", b"\t\n\r\x1b\x1b\x07\x08\x0c\x0b"),
            (r"\x1b[31m'", b"\x1b[31m"),
            (r"\x412'", b"A2"),
            (r"\1012\11'", b"A2\t"),
            (r"\xff'", b"\xff"),
            (r"\\\'\q\d'", b"\\'\\q\\d"),
            (r"\u0041\U42'", b"AB"),
            ("é✓'", "é✓".as_bytes()),
        ] {
            assert_eq!(decoded(text).as_deref(), Some(want), "{text}");
        }
    }

    #[test]
    fn refused() {
        for text in [r"a", r"a\", r"\0'", r"\x00'", r"\cA'", r"\u00e9'", r"\xg'", r"\777'"] {
            assert_eq!(decoded(text), None, "{text}");
        }
    }
}
