//! Splits the text of a pipeline of literal words, as a POSIX shell would.

use crate::{Error, Result};

/// The words of each stage. Single quotes, double quotes without expansions, and backslashes are decoded.
///
/// # Errors
///
/// [`Error::UnsupportedView`] for an expansion, a redirection, any other operator, or an open quote.
pub(super) fn split(text: &str) -> Result<Vec<Vec<Vec<u8>>>> {
    let mut stages = vec![Vec::new()];
    let mut word: Option<Vec<u8>> = None;
    let mut chars = text.chars().peekable();
    let mut utf8 = [0; 4];
    let mut put = |word: &mut Option<Vec<u8>>, c: char| {
        word.get_or_insert_default().extend_from_slice(c.encode_utf8(&mut utf8).as_bytes());
    };
    while let Some(c) = chars.next() {
        match c {
            ' ' | '\t' => {
                if let (Some(done), Some(stage)) = (word.take(), stages.last_mut()) {
                    stage.push(done);
                }
            }
            '|' => {
                if let (Some(done), Some(stage)) = (word.take(), stages.last_mut()) {
                    stage.push(done);
                }
                if chars.peek().is_some_and(|next| matches!(next, '|' | '&')) {
                    return Err(Error::unsupported("|", "not a plain pipeline"));
                }
                stages.push(Vec::new());
            }
            '\'' => {
                word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('\'') => break,
                        Some(inner) => put(&mut word, inner),
                        None => return Err(Error::unsupported("'", "unterminated quote")),
                    }
                }
            }
            '"' => {
                word.get_or_insert_default();
                loop {
                    match chars.next() {
                        Some('"') => break,
                        Some('\\') => match chars.next() {
                            Some(inner @ ('$' | '`' | '"' | '\\')) => put(&mut word, inner),
                            Some('\n') => {}
                            Some(inner) => {
                                put(&mut word, '\\');
                                put(&mut word, inner);
                            }
                            None => return Err(Error::unsupported("\"", "unterminated quote")),
                        },
                        Some(inner @ ('$' | '`')) => {
                            return Err(Error::unsupported(inner, "expansions are the shell's"));
                        }
                        Some(inner) => put(&mut word, inner),
                        None => return Err(Error::unsupported("\"", "unterminated quote")),
                    }
                }
            }
            '\\' => match chars.next() {
                Some('\n') => {}
                Some(inner) => put(&mut word, inner),
                None => return Err(Error::unsupported("\\", "trailing backslash")),
            },
            '$' | '`' | '*' | '?' | '[' | '~' | '{' | '}' | '#' | '!'
                if word.is_none() || !matches!(c, '~' | '#' | '!' | '}') =>
            {
                return Err(Error::unsupported(c, "expansions are the shell's"));
            }
            '<' | '>' | '&' | ';' | '(' | ')' | '\n' => {
                return Err(Error::unsupported(c, "not a plain pipeline"));
            }
            other => put(&mut word, other),
        }
    }
    if let (Some(done), Some(stage)) = (word.take(), stages.last_mut()) {
        stage.push(done);
    }
    Ok(stages)
}
