//! Patterns of ripgrep: the syntax of Rust's `regex` crate, leftmost-first.
//!
//! Accepted is what means the same in ripgrep 13 and all later releases.

use std::ops::Range;
use std::sync::Arc;

use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::{Input, meta};
use regex_syntax::ast::{self, Visitor};
use regex_syntax::hir::{
    Class, ClassBytes, ClassBytesRange, ClassUnicode, ClassUnicodeRange, Hir, HirKind, Look,
};

use super::automaton::{Automaton, SIZE_LIMIT};
use super::lines::{Scanner, Strategy};
use super::{MatcherOptions, Syntax, literal};
use crate::{Error, Result};

/// A set of ripgrep's patterns.
#[derive(Debug)]
pub(super) struct RustMatcher {
    regex: meta::Regex,
    scanner: Scanner,
}

impl RustMatcher {
    pub(super) fn new(patterns: &[Vec<u8>], options: &MatcherOptions) -> Result<Self> {
        let alone = patterns.len() == 1;
        let branches = patterns.iter().map(|pattern| translate(pattern, alone, options));
        let branches = branches.collect::<Result<Vec<_>>>()?;
        let name = String::from_utf8_lossy(&patterns.join(&b'\n')).into_owned();
        let hir = surround(Hir::alternation(branches), options);
        let terminator = options.terminator;
        let config = meta::Config::new()
            .utf8_empty(false)
            .line_terminator(terminator)
            .which_captures(WhichCaptures::Implicit)
            .nfa_size_limit(Some(SIZE_LIMIT));
        let regex = meta::Builder::new()
            .configure(config)
            .build_from_hir(&hir)
            .map_err(|_| Error::unsupported(&name, "pattern too large"))?;
        let strategy = match literal::exact(&hir) {
            Some(literals) => Strategy::Literals(literals),
            None => {
                // Automata give up at Unicode word boundaries: buffers are searched without.
                let words = hir.properties().look_set().contains_word();
                let superset = if words { without_words(&hir) } else { hir };
                let literals = literal::required(&superset);
                let automaton = Arc::new(Automaton::new(&superset, terminator, &name)?);
                Strategy::Automaton { literals, automaton, exact: !words }
            }
        };
        Ok(RustMatcher { regex, scanner: Scanner { terminator, strategy } })
    }

    pub(super) fn is_match(&self, line: &[u8]) -> bool {
        self.regex.is_match(line)
    }

    pub(super) fn find_at(&self, line: &[u8], start: usize) -> Option<Range<usize>> {
        if start > line.len() {
            return None;
        }
        self.regex.search(&Input::new(line).range(start..)).map(|found| found.range())
    }

    pub(super) fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    pub(super) fn next_line(&self, haystack: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        self.scanner.next_line(haystack, at, &|line| Ok(self.is_match(line)))
    }

    pub(super) fn prev_line(&self, haystack: &[u8], end: usize) -> Result<Option<Range<usize>>> {
        self.scanner.prev_line(haystack, end, &|line| Ok(self.is_match(line)))
    }
}

/// `-x` and `-w`.
fn surround(hir: Hir, options: &MatcherOptions) -> Hir {
    if options.line {
        Hir::concat(vec![Hir::look(Look::StartLF), hir, Hir::look(Look::EndLF)])
    } else if options.word {
        Hir::concat(vec![Hir::look(Look::WordStartHalfUnicode), hir, Hir::look(Look::WordEndHalfUnicode)])
    } else {
        hir
    }
}

fn translate(pattern: &[u8], alone: bool, options: &MatcherOptions) -> Result<Hir> {
    let refuse = |why: String| Error::unsupported(String::from_utf8_lossy(pattern), why);
    let text = std::str::from_utf8(pattern).map_err(|_| refuse("invalid UTF-8".into()))?;
    let text = match options.syntax {
        Syntax::RustFixed => regex_syntax::escape(text),
        _ => text.to_owned(),
    };
    let parsed = ast::parse::Parser::new().parse(&text).map_err(|e| refuse(e.kind().to_string()))?;
    if options.syntax != Syntax::RustFixed {
        let escapes = options.syntax == Syntax::Perl;
        ast::visit(&parsed, Portable { alone, escapes }).map_err(|why| refuse(why.into()))?;
        if text.contains("{,") {
            return Err(refuse("{,n}, which only later releases accept".into()));
        }
    }
    let hir = regex_syntax::hir::translate::TranslatorBuilder::new()
        .utf8(false)
        .multi_line(true)
        .case_insensitive(options.ignore_case)
        .line_terminator(options.terminator)
        .build()
        .translate(&text, &parsed)
        .map_err(|e| refuse(e.kind().to_string()))?;
    let looks = hir.properties().look_set();
    if looks.contains(Look::Start) || looks.contains(Look::End) || looks.contains_anchor_crlf() {
        return Err(refuse("an anchor that looks beyond its line".into()));
    }
    within_line(&hir, options.terminator).ok_or_else(|| refuse("the line terminator".into()))
}

/// Refuses syntax that ripgrep 13 rejects, or reads differently, and later releases accept.
struct Portable {
    /// There is no other pattern, into which ripgrep 13 lets flags leak.
    alone: bool,
    /// Needless escapes are accepted: PCRE always knew them.
    escapes: bool,
}

/// Why `(?-u)` is refused.
const BYTES: &str = "(?-u), which old releases accept in fewer places";

impl Visitor for Portable {
    type Output = ();
    type Err = &'static str;

    fn finish(self) -> std::result::Result<(), Self::Err> {
        Ok(())
    }

    fn visit_pre(&mut self, ast: &ast::Ast) -> std::result::Result<(), Self::Err> {
        use ast::AssertionKind::{EndText, NotWordBoundary, StartText, WordBoundary};
        match ast {
            ast::Ast::Literal(literal) if !self.escapes && literal.kind == ast::LiteralKind::Superfluous => {
                Err("an escape that only later releases accept")
            }
            ast::Ast::Assertion(assertion) => match assertion.kind {
                ast::AssertionKind::StartLine | ast::AssertionKind::EndLine => Ok(()),
                StartText | EndText | WordBoundary | NotWordBoundary => Ok(()),
                _ => Err("a word boundary that only later releases accept"),
            },
            ast::Ast::Flags(_) if !self.alone => {
                Err("flags, which leak into the next pattern in old releases")
            }
            ast::Ast::Flags(set) if set.flags.flag_state(ast::Flag::Unicode) == Some(false) => Err(BYTES),
            ast::Ast::Repetition(outer)
                if matches!(*outer.ast, ast::Ast::Repetition(_) | ast::Ast::Assertion(_)) =>
            {
                Err("a repeated repetition or assertion, which releases match differently")
            }
            ast::Ast::Group(group) => match &group.kind {
                ast::GroupKind::NonCapturing(flags)
                    if flags.flag_state(ast::Flag::Unicode) == Some(false) =>
                {
                    Err(BYTES)
                }
                ast::GroupKind::CaptureName { starts_with_p: false, .. } => {
                    Err("a group name that only later releases accept")
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn visit_class_set_item_pre(&mut self, item: &ast::ClassSetItem) -> std::result::Result<(), Self::Err> {
        match item {
            ast::ClassSetItem::Literal(literal)
                if !self.escapes && literal.kind == ast::LiteralKind::Superfluous =>
            {
                Err("an escape that only later releases accept")
            }
            _ => Ok(()),
        }
    }
}

/// `hir` without the terminator in its classes; None if it has it as a literal.
fn within_line(hir: &Hir, terminator: u8) -> Option<Hir> {
    rewrite(hir, &|node| match node.kind() {
        HirKind::Literal(literal) if literal.0.contains(&terminator) => None,
        HirKind::Class(Class::Unicode(class)) => {
            let c = char::from(terminator);
            let mut class = class.clone();
            let was_empty = class.ranges().is_empty();
            class.difference(&ClassUnicode::new([ClassUnicodeRange::new(c, c)]));
            (was_empty || !class.ranges().is_empty()).then(|| Hir::class(Class::Unicode(class)))
        }
        HirKind::Class(Class::Bytes(class)) => {
            let mut class = class.clone();
            let was_empty = class.ranges().is_empty();
            class.difference(&ClassBytes::new([ClassBytesRange::new(terminator, terminator)]));
            (was_empty || !class.ranges().is_empty()).then(|| Hir::class(Class::Bytes(class)))
        }
        _ => Some(node.clone()),
    })
}

/// `hir` without its word boundaries: it matches wherever `hir` does.
fn without_words(hir: &Hir) -> Hir {
    let dropped = rewrite(hir, &|node| match node.kind() {
        HirKind::Look(_) if node.properties().look_set().contains_word() => Some(Hir::empty()),
        _ => Some(node.clone()),
    });
    dropped.unwrap_or_else(|| hir.clone())
}

/// Rebuilds a tree from its changed leaves; None if a leaf was refused.
fn rewrite(hir: &Hir, leaf: &impl Fn(&Hir) -> Option<Hir>) -> Option<Hir> {
    let all = |nodes: &[Hir]| nodes.iter().map(|node| rewrite(node, leaf)).collect::<Option<Vec<_>>>();
    Some(match hir.kind() {
        HirKind::Capture(capture) => rewrite(&capture.sub, leaf)?,
        HirKind::Repetition(repetition) => {
            let mut repetition = repetition.clone();
            repetition.sub = Box::new(rewrite(&repetition.sub, leaf)?);
            Hir::repetition(repetition)
        }
        HirKind::Concat(parts) => Hir::concat(all(parts)?),
        HirKind::Alternation(branches) => Hir::alternation(all(branches)?),
        _ => leaf(hir)?,
    })
}

#[cfg(test)]
mod tests {
    use crate::matcher::{Matcher, MatcherOptions, Syntax};

    fn options() -> MatcherOptions {
        MatcherOptions { syntax: Syntax::Rust, ..MatcherOptions::default() }
    }

    fn build(pattern: &str) -> crate::Result<Matcher> {
        Matcher::new(&[pattern.as_bytes().to_vec()], &options())
    }

    #[test]
    fn alternation_is_leftmost_first() {
        let matcher = build("sam|samwise").unwrap();
        assert_eq!(matcher.find_at(b"x samwise", 0).unwrap(), Some(2..5));
    }

    #[test]
    fn words_are_unicode() {
        let matcher = build(r"\bfoo\b").unwrap();
        assert!(matcher.is_match("✗ foo".as_bytes()).unwrap());
        assert!(!matcher.is_match("éfoo".as_bytes()).unwrap());
        let haystack = "éfoo\n✗ foo\nfoo\n".as_bytes();
        let line = matcher.next_line(haystack, 0).unwrap().unwrap();
        assert_eq!(&haystack[line], "✗ foo".as_bytes());
    }

    #[test]
    fn no_match_crosses_a_line() {
        let matcher = build(r"a\s+b|[^x]c").unwrap();
        assert_eq!(matcher.next_line(b"a\nb\nc\n", 0).unwrap(), None);
    }

    #[test]
    fn word_and_line() {
        let word = MatcherOptions { word: true, ..options() };
        let matcher = Matcher::new(&[b"a|ab".to_vec()], &word).unwrap();
        assert_eq!(matcher.find_at(b"xa ab", 0).unwrap(), Some(3..5));
        let line = MatcherOptions { line: true, ..options() };
        let matcher = Matcher::new(&[b"a|ab".to_vec()], &line).unwrap();
        assert_eq!(matcher.next_line(b"xab\nab\n", 0).unwrap(), Some(4..6));
    }

    #[test]
    fn what_releases_read_differently_is_declined() {
        for pattern in
            [r"\A", r"a\z", r"a\nb", r"\<a", r"a{,2}", r"\/", r"(?-u)\w", r"a**", "(", r"^+", "(?<n>a)"]
        {
            assert!(build(pattern).is_err(), "{pattern}");
        }
        let two = [b"(?i)a".to_vec(), b"b".to_vec()];
        assert!(Matcher::new(&two, &options()).is_err());
    }
}
