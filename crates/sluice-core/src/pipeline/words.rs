//! Splits the text of a pipeline of literal words, as a POSIX shell would.

use super::ansi_c::decode;
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
    // Once the braces of a word do not expand, further ones in it do not either: their contents are a part of those.
    let mut braces_plain = false;
    while let Some(c) = chars.next() {
        braces_plain &= !matches!(c, ' ' | '\t' | '|');
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
                        Some('$') if is_plain_dollar(chars.peek()) => put(&mut word, '$'),
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
            '$' if chars.peek() == Some(&'\'') => {
                chars.next();
                decode(&mut chars, word.get_or_insert_default())?;
            }
            '$' if chars.peek() != Some(&'"') && is_plain_dollar(chars.peek()) => put(&mut word, '$'),
            '{' if braces_plain || !braces_expand(chars.clone()) => {
                braces_plain = true;
                put(&mut word, '{');
            }
            '$' | '`' | '*' | '?' | '[' | '{' => {
                return Err(Error::unsupported(c, "expansions are the shell's"));
            }
            '~' | '#' if word.is_none() => return Err(Error::unsupported(c, "expansions are the shell's")),
            '!' if word.is_none() && stages.last().is_some_and(Vec::is_empty) => {
                return Err(Error::unsupported(c, "not a plain pipeline"));
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

/// Whether a `$` stands for itself in front of `next`.
fn is_plain_dollar(next: Option<&char>) -> bool {
    match next {
        None => true,
        Some(c) => !(c.is_ascii_alphanumeric() || !c.is_ascii() || "_{(*@#?$!-[".contains(*c)),
    }
}

/// Whether the braces whose contents follow, up to the end of the word, may be an expansion: `{a,b}`, `{1..3}`.
fn braces_expand(contents: impl Iterator<Item = char>) -> bool {
    let mut last = ' ';
    for c in contents.take_while(|c| !matches!(c, ' ' | '\t' | '|')) {
        if matches!(c, ',' | '$' | '`' | '\'' | '"' | '\\') || (c == '.' && last == '.') {
            return true;
        }
        last = c;
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> Option<Vec<String>> {
        let stages = split(text).ok()?;
        Some(stages.concat().into_iter().map(|word| String::from_utf8_lossy(&word).into_owned()).collect())
    }

    fn ok(text: &str, want: &[&str]) {
        assert_eq!(words(text), Some(want.iter().map(ToString::to_string).collect()), "{text}");
    }

    #[test]
    fn a_dollar_in_front_of_nothing_is_itself() {
        ok(r"grep foo$", &["grep", "foo$"]);
        ok(r"grep ^a$ -c", &["grep", "^a$", "-c"]);
        ok(r#"grep "foo$""#, &["grep", "foo$"]);
        ok(r#"grep -E "a$|b$" c"#, &["grep", "-E", "a$|b$", "c"]);
        ok(r#"grep "$'x'" y"#, &["grep", "$'x'", "y"]);
        for text in
            ["grep $x", "grep a$1", "grep \"$x\"", "grep \"a$(b)\"", "grep $\"x\"", "grep $é", "grep a$$"]
        {
            assert_eq!(words(text), None, "{text}");
        }
    }

    #[test]
    fn escapes_in_dollar_quotes() {
        ok(r"grep $'\t'", &["grep", "\t"]);
        ok(r"grep a$'\'b\\n'c", &["grep", "a'b\\nc"]);
        ok(r"grep $''", &["grep", ""]);
    }

    #[test]
    fn quotes_and_stages() {
        ok("grep  a\t-v", &["grep", "a", "-v"]);
        ok("grep 'a b'\"c d\"e\\ f", &["grep", "a bc de f"]);
        ok("grep '' \"\"", &["grep", "", ""]);
        ok(r#"grep "a\\b\"c\$d\e""#, &["grep", r#"a\b"c$d\e"#]);
        ok("grep a\\\nb", &["grep", "ab"]);
        ok("grep '$HOME `x` *'", &["grep", "$HOME `x` *"]);
        assert_eq!(split("a|b | c").unwrap().len(), 3);
    }

    #[test]
    fn characters_that_are_special_only_somewhere() {
        ok("grep a{2} {} x} {x", &["grep", "a{2}", "{}", "x}", "{x"]);
        ok("grep {{a}{ '{b,c}'|head {", &["grep", "{{a}{", "{b,c}", "head", "{"]);
        ok("grep a~ b#c !x =", &["grep", "a~", "b#c", "!x", "="]);
        for text in [
            "grep {a,b}",
            "grep {x {a,b}",
            "grep {{a,b}",
            "grep {x|grep {a,b}",
            "grep {1..3}",
            "grep a{1,2}",
            "grep ~",
            "grep # x",
            "! grep x",
            "grep *.c",
            "grep a?",
            "grep [a]",
            "grep `x`",
            "grep \"`x`\"",
            "a || b",
            "a |& b",
            "a; b",
            "a & b",
            "a > b",
            "a < b",
            "(a)",
            "a\nb",
            "a 'b",
            "a \"b",
            "a \\",
        ] {
            assert_eq!(words(text), None, "{text}");
        }
    }
}
