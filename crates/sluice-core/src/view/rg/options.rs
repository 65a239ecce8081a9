//! The command line of `rg`: what ripgrep 13 to 15 agree on.

use super::RgSpec;
use super::pattern::{self, Case};
use crate::Result;
use crate::matcher::Syntax;
use crate::view::getopt::{Item, Options, Value, long, only_stdin, reject, short};
use crate::view::grep::{BinaryFiles, GrepOutput, GrepSpec};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Id {
    After,
    Before,
    Context,
    Case(Case),
    Color,
    Count,
    FilesWith,
    Fixed,
    Invert,
    Line,
    LineNumber,
    MaxCount,
    NoEffect,
    NoLineNumber,
    OnlyMatching,
    Quiet,
    Regexp,
    Text,
    WithFilename,
    NoFilename,
    Word,
}

/// ripgrep does not take abbreviations; see [`check_name`].
const OPTIONS: Options<Id> = Options {
    short: &[
        short(b'A', Value::Required, Id::After),
        short(b'B', Value::Required, Id::Before),
        short(b'C', Value::Required, Id::Context),
        short(b'F', Value::None, Id::Fixed),
        short(b'H', Value::None, Id::WithFilename),
        short(b'I', Value::None, Id::NoFilename),
        short(b'N', Value::None, Id::NoLineNumber),
        short(b'S', Value::None, Id::Case(Case::Smart)),
        short(b'a', Value::None, Id::Text),
        short(b'c', Value::None, Id::Count),
        short(b'e', Value::Required, Id::Regexp),
        short(b'i', Value::None, Id::Case(Case::Ignore)),
        short(b'l', Value::None, Id::FilesWith),
        short(b'm', Value::Required, Id::MaxCount),
        short(b'n', Value::None, Id::LineNumber),
        short(b'o', Value::None, Id::OnlyMatching),
        short(b'q', Value::None, Id::Quiet),
        short(b's', Value::None, Id::Case(Case::Exact)),
        short(b'v', Value::None, Id::Invert),
        short(b'w', Value::None, Id::Word),
        short(b'x', Value::None, Id::Line),
    ],
    long: &[
        long("after-context", Value::Required, Id::After),
        long("before-context", Value::Required, Id::Before),
        long("block-buffered", Value::None, Id::NoEffect),
        long("case-sensitive", Value::None, Id::Case(Case::Exact)),
        long("color", Value::Required, Id::Color),
        long("context", Value::Required, Id::Context),
        long("count", Value::None, Id::Count),
        long("files-with-matches", Value::None, Id::FilesWith),
        long("fixed-strings", Value::None, Id::Fixed),
        long("ignore-case", Value::None, Id::Case(Case::Ignore)),
        long("invert-match", Value::None, Id::Invert),
        long("line-buffered", Value::None, Id::NoEffect),
        long("line-number", Value::None, Id::LineNumber),
        long("line-regexp", Value::None, Id::Line),
        long("max-count", Value::Required, Id::MaxCount),
        long("no-config", Value::None, Id::NoEffect),
        long("no-filename", Value::None, Id::NoFilename),
        long("no-heading", Value::None, Id::NoEffect),
        long("no-line-number", Value::None, Id::NoLineNumber),
        long("only-matching", Value::None, Id::OnlyMatching),
        long("quiet", Value::None, Id::Quiet),
        long("regexp", Value::Required, Id::Regexp),
        long("smart-case", Value::None, Id::Case(Case::Smart)),
        long("text", Value::None, Id::Text),
        long("with-filename", Value::None, Id::WithFilename),
        long("word-regexp", Value::None, Id::Word),
    ],
    numbers: false,
};

impl RgSpec {
    /// Parses the words after `rg`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] names the first word that is not understood, or that versions of
    /// ripgrep understand differently.
    pub fn parse(words: &[&[u8]]) -> Result<Self> {
        let mut grep = GrepSpec {
            syntax: Syntax::Rust,
            binary_files: BinaryFiles::Text,
            label: b"<stdin>".to_vec(),
            ..GrepSpec::default()
        };
        let mut case = Case::Exact;
        let mut patterns = Vec::new();
        let mut operands = Vec::new();
        let (mut before, mut after, mut context) = (None, None, None);
        let (mut count, mut quiet, mut text, mut files) = (false, false, false, false);
        for item in OPTIONS.scan(words)? {
            let (id, value, word) = match item {
                Item::Option { id, value, word } => (id, value.unwrap_or_default(), word),
                Item::Operand(word) => {
                    operands.push(word);
                    continue;
                }
                Item::Number(word) => return Err(reject(word, "unknown option")),
            };
            check_name(word)?;
            match id {
                Id::After => after = Some(parse_number(value, word)?),
                Id::Before => before = Some(parse_number(value, word)?),
                Id::Context => context = Some(parse_number(value, word)?),
                Id::Case(chosen) => case = chosen,
                Id::Color if matches!(value, b"never" | b"auto") => {}
                Id::Color => return Err(reject(word, "colours are left to the real tool")),
                Id::Count => count = true,
                Id::Fixed => grep.syntax = Syntax::RustFixed,
                Id::Invert => grep.invert = true,
                Id::Line => grep.line = true,
                Id::LineNumber => grep.line_numbers = true,
                Id::MaxCount => grep.max_count = Some(parse_number(value, word)?),
                Id::NoEffect => {}
                Id::NoLineNumber => grep.line_numbers = false,
                Id::OnlyMatching => grep.only_matching = true,
                Id::Quiet => quiet = true,
                Id::Regexp => patterns.push(value),
                Id::Text => text = true,
                Id::Word => grep.word = true,
                Id::WithFilename => grep.with_filename = true,
                Id::NoFilename => grep.with_filename = false,
                Id::FilesWith => files = true,
            }
        }
        let mut operands = operands.into_iter();
        if patterns.is_empty() {
            patterns.push(operands.next().ok_or_else(|| reject(b"rg", "no pattern"))?);
        }
        only_stdin(operands)?;
        let contexts = [before, after].iter().any(Option::is_some);
        if contexts && context.is_some() {
            return Err(reject(b"-C", "versions of rg differ about -C with -A or -B"));
        }
        // Without lines of context there are no separators either.
        grep.before = before.or(context);
        grep.after = after.or(context);
        if grep.before.unwrap_or(0) == 0 && grep.after.unwrap_or(0) == 0 {
            (grep.before, grep.after) = (None, None);
        }
        let has_context = grep.before.is_some() || grep.after.is_some();
        if has_context && grep.max_count.is_some() {
            return Err(reject(b"-m", "versions of rg differ about -m with context"));
        }
        if grep.only_matching && (has_context || grep.invert || count) {
            return Err(reject(b"-o", "-o with context, -v or -c is left to the real tool"));
        }
        if files && (count || grep.invert) {
            return Err(reject(b"-l", "-l with -c or -v is left to the real tool"));
        }
        grep.output = match (quiet, files, count) {
            (true, _, _) => GrepOutput::Quiet,
            (false, true, _) => GrepOutput::FilesWithMatches,
            (false, false, true) => GrepOutput::Count,
            (false, false, false) => GrepOutput::Lines,
        };
        if grep.max_count == Some(0) {
            return Err(reject(b"-m", "versions of rg differ about -m 0"));
        }
        grep.ignore_case = pattern::check(&patterns, &grep, case)?;
        grep.patterns = patterns.iter().map(|pattern| pattern.to_vec()).collect();
        Ok(RgSpec { grep, text })
    }
}

/// Refuses abbreviated long names, which ripgrep does not know, and `-A=3`.
fn check_name(word: &[u8]) -> Result<()> {
    let known = match word.strip_prefix(b"--") {
        Some(name) => {
            let name = name.split(|&byte| byte == b'=').next().unwrap_or_default();
            OPTIONS.long.iter().any(|long| long.name.as_bytes() == name)
        }
        None => !word.contains(&b'='),
    };
    if known { Ok(()) } else { Err(reject(word, "unknown option")) }
}

fn parse_number(value: &[u8], word: &[u8]) -> Result<u64> {
    let digits = !value.is_empty() && value.len() < 19 && value.iter().all(u8::is_ascii_digit);
    let number = std::str::from_utf8(value).ok().filter(|_| digits).and_then(|text| text.parse().ok());
    number.ok_or_else(|| reject(word, "not a plain number"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Error;

    fn parse(words: &[&str]) -> Result<RgSpec> {
        let words: Vec<&[u8]> = words.iter().map(|word| word.as_bytes()).collect();
        RgSpec::parse(&words)
    }

    #[test]
    fn what_agents_write() {
        let spec = parse(&["-n", "-S", "error|warn"]).unwrap();
        assert!(spec.grep.line_numbers && spec.grep.ignore_case && !spec.text);
        assert!(!parse(&["-S", "Error"]).unwrap().grep.ignore_case);
        assert!(!parse(&["-i", "-s", "x"]).unwrap().grep.ignore_case);
        assert!(parse(&["-is", "-S", "x", "-"]).unwrap().grep.ignore_case);
        assert_eq!(parse(&["-A0", "x"]).unwrap().grep.after, None);
        assert_eq!(parse(&["--context=2", "x"]).unwrap().grep.before, Some(2));
        assert_eq!(parse(&["-m1", "-m", "2", "x"]).unwrap().grep.max_count, Some(2));
        assert_eq!(parse(&["-e", "a", "-eb"]).unwrap().grep.patterns, [b"a", b"b"]);
        assert_eq!(parse(&["-e", "-x", "-e", "--"]).unwrap().grep.patterns, [&b"-x"[..], b"--"]);
        assert_eq!(parse(&["-qc", "a"]).unwrap().grep.output, GrepOutput::Quiet);
    }

    #[test]
    fn what_is_left_to_the_tool() {
        for (words, want) in [
            (&["x", "file"][..], "file"),
            (&["-e", "x", "file"], "file"),
            (&[], "rg"),
            (&["--ignore", "x"], "--ignore"),
            (&["-A=1", "x"], "-A=1"),
            (&["-m0", "x"], "-m"),
            (&["-m1", "-A1", "x"], "-m"),
            (&["-C1", "-A1", "x"], "-C"),
            (&["-oc", "x"], "-o"),
            (&["-ov", "x"], "-o"),
            (&["-o", "x*"], "x*"),
            (&["-o", r"\b"], r"\b"),
            (&["-U", "x"], "-U"),
            (&["-P", "x"], "-P"),
            (&["--color=always", "x"], "--color=always"),
            (&["-w", "a.b"], "a.b"),
            (&[r"\<a"], r"\<a"),
            (&["a\nb"], "a\nb"),
            (&[r"a\nb"], r"a\nb"),
            (&["("], "("),
        ] {
            match parse(words) {
                Err(Error::UnsupportedView { word, .. }) => assert_eq!(word, want),
                other => panic!("{words:?}: {other:?}"),
            }
        }
    }
}
