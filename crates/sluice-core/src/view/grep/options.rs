//! The command line of `grep`.

use super::perl;
use super::table::{Id, OPTIONS};
use super::{BinaryFiles, GrepOutput, GrepSpec, Obsolescent};
use crate::Result;
use crate::matcher::Syntax;
use crate::view::getopt::{Item, only_stdin, reject};

/// Which output was asked for; `-q` overrides `-l` and `-L`, which override `-c`.
#[derive(Default)]
struct Requested {
    quiet: bool,
    files: Option<GrepOutput>,
    count: bool,
}

impl GrepSpec {
    /// Parses the words after `grep`, `egrep` or `fgrep`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] names the first word that is not understood: a file operand, an option that
    /// needs files or another engine (`-r`, `-f`), and every command line that grep rejects.
    pub fn parse(name: &[u8], words: &[&[u8]]) -> Result<Self> {
        let mut spec = GrepSpec::default();
        let mut syntax = None;
        match name {
            b"egrep" => {
                syntax = Some(Syntax::Extended);
                spec.obsolescent = Some(Obsolescent::Egrep);
            }
            b"fgrep" => {
                syntax = Some(Syntax::Fixed);
                spec.obsolescent = Some(Obsolescent::Fgrep);
            }
            _ => {}
        }
        let mut requested = Requested::default();
        let mut patterns: Option<Vec<u8>> = None;
        let mut context = None;
        let mut max_count = None;
        let mut operands = Vec::new();
        for item in OPTIONS.scan(words)? {
            let (id, value, word) = match item {
                Item::Operand(word) => {
                    operands.push(word);
                    continue;
                }
                Item::Number(digits) => {
                    context = Some(parse_digits(digits)?);
                    continue;
                }
                Item::Option { id, value, word } => (id, value.unwrap_or_default(), word),
            };
            match id {
                Id::After => spec.after = Some(parse_context(value)?),
                Id::Before => spec.before = Some(parse_context(value)?),
                Id::Context => context = Some(parse_context(value)?),
                Id::Extended => set_syntax(&mut syntax, Syntax::Extended, word)?,
                Id::Fixed => set_syntax(&mut syntax, Syntax::Fixed, word)?,
                Id::Basic => set_syntax(&mut syntax, Syntax::Basic, word)?,
                Id::Perl => set_syntax(&mut syntax, Syntax::Perl, word)?,
                Id::Regexp => {
                    let patterns = patterns.get_or_insert_default();
                    patterns.extend_from_slice(value);
                    patterns.push(b'\n');
                }
                Id::IgnoreCase => spec.ignore_case = true,
                Id::NoIgnoreCase => spec.ignore_case = false,
                Id::Word => spec.word = true,
                Id::Line => spec.line = true,
                Id::NullData => spec.null_data = true,
                Id::NoEffect => {}
                Id::Invert => spec.invert = true,
                Id::MaxCount => max_count = parse_max_count(value, word)?,
                Id::ByteOffset => spec.byte_offsets = true,
                Id::LineNumber => spec.line_numbers = true,
                Id::WithFilename => spec.with_filename = true,
                Id::NoFilename => spec.with_filename = false,
                Id::Label => spec.label = value.to_vec(),
                Id::OnlyMatching => spec.only_matching = true,
                Id::Quiet => requested.quiet = true,
                Id::BinaryFiles => {
                    spec.binary_files = match value {
                        b"binary" => BinaryFiles::Binary,
                        b"text" => BinaryFiles::Text,
                        b"without-match" => BinaryFiles::WithoutMatch,
                        _ => return Err(reject(word, "unknown binary-files type")),
                    }
                }
                Id::Text => spec.binary_files = BinaryFiles::Text,
                Id::WithoutMatch => spec.binary_files = BinaryFiles::WithoutMatch,
                Id::Directories | Id::Devices if matches!(value, b"read" | b"skip") => {}
                Id::FilesWithout => requested.files = Some(GrepOutput::FilesWithoutMatch),
                Id::FilesWith => requested.files = Some(GrepOutput::FilesWithMatches),
                Id::Count => requested.count = true,
                Id::InitialTab => spec.initial_tab = true,
                Id::NullName => spec.null_after_name = true,
                Id::GroupSeparator => spec.group_separator = Some(value.to_vec()),
                Id::NoGroupSeparator => spec.group_separator = None,
                Id::Color => spec.color = parse_color(value, word)?,
                Id::Directories | Id::Devices | Id::Other(_) => {
                    return Err(reject(word, "this option is left to the real tool"));
                }
            }
        }
        spec.syntax = syntax.unwrap_or_default();
        spec.before = spec.before.or(context);
        spec.after = spec.after.or(context);
        spec.output = if requested.quiet {
            GrepOutput::Quiet
        } else if let Some(files) = requested.files {
            files
        } else if requested.count {
            GrepOutput::Count
        } else {
            GrepOutput::Lines
        };
        let mut operands = operands.into_iter();
        let patterns = match patterns {
            Some(patterns) => patterns,
            None => {
                let word = operands.next().ok_or_else(|| reject(name, "no pattern"))?;
                // grep takes `\-x` as an operand for `-x`, so that it does not look like an option.
                let text =
                    if spec.syntax == Syntax::Fixed || !word.starts_with(br"\-") { word } else { &word[1..] };
                [text, b"\n"].concat()
            }
        };
        spec.patterns = split_patterns(&patterns);
        only_stdin(operands)?;
        if spec.word && spec.line && (spec.only_matching || spec.color) {
            return Err(reject(b"-w", "with -x the matches of some greps include the end of the line"));
        }
        spec.max_count = match max_count.map(u64::try_from) {
            Some(Ok(count)) => Some(count),
            Some(Err(_)) if spec.invert => {
                return Err(reject(b"-m", "a negative count with -v differs between versions of grep"));
            }
            _ => None,
        };
        if spec.syntax == Syntax::Perl {
            perl::check(&spec)?;
        }
        Ok(spec)
    }
}

/// The patterns between the newlines, without those that occur twice.
fn split_patterns(text: &[u8]) -> Vec<Vec<u8>> {
    let mut seen = std::collections::HashSet::new();
    let lines = text.strip_suffix(b"\n").unwrap_or(text).split(|&byte| byte == b'\n');
    lines.filter(|line| seen.insert(*line)).map(<[u8]>::to_vec).collect()
}

fn set_syntax(current: &mut Option<Syntax>, syntax: Syntax, word: &[u8]) -> Result<()> {
    if current.is_some_and(|other| other != syntax) {
        return Err(reject(word, "conflicting matchers"));
    }
    *current = Some(syntax);
    Ok(())
}

/// A decimal number with an optional sign and leading blanks, as `strtoimax` reads it, cut off at the largest one.
fn parse_number(value: &[u8]) -> Option<i64> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    let rest = &value[value.iter().take_while(|byte| blank(byte)).count()..];
    let (negative, digits) = match rest {
        [b'-', digits @ ..] => (true, digits),
        [b'+', digits @ ..] => (false, digits),
        digits => (false, digits),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    let magnitude =
        digits.iter().fold(0i64, |sum, digit| sum.saturating_mul(10).saturating_add((digit - b'0').into()));
    Some(if negative { -magnitude } else { magnitude })
}

fn parse_context(value: &[u8]) -> Result<u64> {
    parse_number(value)
        .and_then(|number| u64::try_from(number).ok())
        .ok_or_else(|| reject(value, "invalid context length argument"))
}

/// `-NUM`: grep gathers at most 21 digits after leading zeros.
fn parse_digits(digits: &[u8]) -> Result<u64> {
    let zeros = digits.iter().take_while(|&&digit| digit == b'0').count();
    if digits.len() - zeros > 21 {
        return Err(reject(digits, "invalid context length argument"));
    }
    parse_context(digits)
}

fn parse_max_count(value: &[u8], word: &[u8]) -> Result<Option<i64>> {
    match parse_number(value) {
        Some(i64::MAX) => Ok(None),
        Some(number) => Ok(Some(number)),
        None => Err(reject(word, "invalid max count")),
    }
}

/// Standard output of a view is never a terminal, so `auto` means `never`.
fn parse_color(value: &[u8], word: &[u8]) -> Result<bool> {
    match value.to_ascii_lowercase().as_slice() {
        b"always" | b"yes" | b"force" => Ok(true),
        b"never" | b"no" | b"none" | b"auto" | b"tty" | b"if-tty" => Ok(false),
        // `--color=` is an empty word, which grep does not know; `--color` alone is `auto`.
        b"" if !word.ends_with(b"=") => Ok(false),
        _ => Err(reject(word, "unknown colour mode")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn parse(words: &[&str]) -> Result<GrepSpec> {
        let words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        GrepSpec::parse(words[0], &words[1..])
    }

    fn rejected(words: &[&str]) -> String {
        match parse(words) {
            Err(Error::UnsupportedView { word, .. }) => word,
            other => format!("{other:?}"),
        }
    }

    #[test]
    fn agents_write_clusters_and_numbers() {
        let spec = parse(&["grep", "-inE", "-A", "3", "a|b"]).unwrap();
        assert_eq!((spec.syntax, spec.ignore_case, spec.line_numbers), (Syntax::Extended, true, true));
        assert_eq!((spec.before, spec.after), (None, Some(3)));
        assert_eq!(spec.patterns, [b"a|b"]);
        let spec = parse(&["grep", "x", "-5", "-B2"]).unwrap();
        assert_eq!((spec.before, spec.after), (Some(2), Some(5)));
        let spec = parse(&["grep", "-1n2", "x"]).unwrap();
        assert_eq!((spec.before, spec.line_numbers), (Some(2), true));
    }

    #[test]
    fn patterns_are_split_and_unique() {
        let spec = parse(&["grep", "-e", "a\nb", "-ea", "--regexp=c", "-"]).unwrap();
        assert_eq!(spec.patterns, [b"a", b"b", b"c"]);
        assert_eq!(parse(&["grep", ""]).unwrap().patterns, [b""]);
        assert_eq!(parse(&["grep", "a\n"]).unwrap().patterns, [&b"a"[..], b""]);
        assert_eq!(parse(&["grep", r"\-x"]).unwrap().patterns, [b"-x"]);
        assert_eq!(parse(&["fgrep", r"\-x"]).unwrap().patterns, [br"\-x"]);
        assert_eq!(parse(&["grep", "-e", r"\-x"]).unwrap().patterns, [br"\-x"]);
        assert_eq!(parse(&["grep", "--", "-x"]).unwrap().patterns, [b"-x"]);
    }

    #[test]
    fn quiet_beats_list_beats_count() {
        let output = |words: &[&str]| parse(words).unwrap().output;
        assert_eq!(output(&["grep", "-cl", "x"]), GrepOutput::FilesWithMatches);
        assert_eq!(output(&["grep", "-lL", "x"]), GrepOutput::FilesWithoutMatch);
        assert_eq!(output(&["grep", "-Lqc", "x"]), GrepOutput::Quiet);
        assert_eq!(output(&["grep", "--count", "x"]), GrepOutput::Count);
    }

    #[test]
    fn numbers() {
        assert_eq!(parse(&["grep", "-m", " +2", "x"]).unwrap().max_count, Some(2));
        assert_eq!(parse(&["grep", "-m-1", "x"]).unwrap().max_count, None);
        assert_eq!(parse(&["grep", "-m99999999999999999999", "x"]).unwrap().max_count, None);
        assert_eq!(parse(&["grep", "-000000000000000000000000000007", "x"]).unwrap().after, Some(7));
        assert_eq!(parse(&["grep", "-A99999999999999999999999", "x"]).unwrap().after, Some(i64::MAX as u64));
    }

    #[test]
    fn what_is_left_to_the_tool() {
        assert_eq!(rejected(&["grep"]), "grep");
        assert_eq!(rejected(&["grep", "x", "file"]), "file");
        assert_eq!(rejected(&["grep", "x", "-", "-"]), "-");
        assert_eq!(rejected(&["grep", "-e", "x", "file", "-"]), "file");
        assert_eq!(rejected(&["grep", "-r", "x"]), "-r");
        assert_eq!(rejected(&["grep", "-nP", "x(?=y)"]), "x(?=y)");
        assert_eq!(rejected(&["grep", "--perl-regexp", "-w", "x"]), "-P");
        assert_eq!(rejected(&["grep", "-PE", "x"]), "-PE");
        assert_eq!(rejected(&["grep", "-f-", "x"]), "-f-");
        assert_eq!(rejected(&["grep", "--include=*.c", "x"]), "--include=*.c");
        assert_eq!(rejected(&["grep", "-A", "x", "x"]), "x");
        assert_eq!(rejected(&["grep", "-A-1", "x"]), "-1");
        assert_eq!(rejected(&["grep", "-m", "1k", "x"]), "-m");
        assert_eq!(rejected(&["grep", "-EF", "x"]), "-EF");
        assert_eq!(rejected(&["egrep", "-F", "x"]), "-F");
        assert_eq!(rejected(&["grep", "--color=maybe", "x"]), "--color=maybe");
        assert_eq!(rejected(&["grep", "--binary-files=x", "x"]), "--binary-files=x");
        assert_eq!(rejected(&["grep", "-d", "recurse", "x"]), "-d");
        assert_eq!(rejected(&["grep", "-vm-1", "x"]), "-m");
        assert_eq!(rejected(&["grep", "-xwo", "x"]), "-w");
        assert_eq!(rejected(&["grep", "--colo", "-1234567890123456789012", "x"]), "1234567890123456789012");
    }
}
