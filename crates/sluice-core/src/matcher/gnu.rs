//! Patterns of GNU grep, compiled.

use std::ops::Range;
use std::sync::Arc;

use super::ast::{Assertion, Ast};
use super::automaton::Automaton;
use super::ctype::{self, CharSet};
use super::engine::{Engine, Setting};
use super::hir::{Translator, Words};
use super::lines::{Scanner, Strategy};
use super::parse::{self, Notes};
use super::{Locale, MatcherOptions, Syntax, fixed, literal, word};
use crate::{Error, Result};

/// A set of GNU patterns.
#[derive(Debug)]
pub(super) struct GnuMatcher {
    /// Decides about a line. None if the search for words does.
    select: Option<Engine>,
    /// Finds matches in a line. None if `select` does that, too.
    locate: Option<Engine>,
    /// Finds candidates in a buffer.
    scanner: Scanner,
    words: Option<WordSearch>,
    locale: Locale,
    /// The patterns match whatever the line is.
    always: bool,
    /// With `-w`, the patterns can match the empty string.
    empty_words: bool,
    pub(super) notes: Notes,
}

/// Which of grep's matchers searches for whole words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WordSearch {
    Fixed,
    Regex,
}

/// What the patterns mean together.
struct Meaning {
    /// To grep's own matcher.
    dfa: Ast,
    /// To the C library's matcher.
    regex: Ast,
    notes: Notes,
    words: WordSearch,
}

impl GnuMatcher {
    pub(super) fn new(patterns: &[Vec<u8>], options: &MatcherOptions) -> Result<Self> {
        let mut distinct: Vec<Vec<u8>> = Vec::with_capacity(patterns.len());
        let mut seen = std::collections::HashSet::new();
        distinct.extend(patterns.iter().filter(|pattern| seen.insert(pattern.as_slice())).cloned());
        let name = String::from_utf8_lossy(&distinct.join(&b'\n')).into_owned();
        Meaning::new(&distinct, options)?.compile(options, &name)
    }

    fn locate(&self) -> Option<&Engine> {
        self.locate.as_ref().or(self.select.as_ref())
    }

    pub(super) fn is_match(&self, line: &[u8]) -> Result<bool> {
        match &self.select {
            _ if self.always => Ok(true),
            Some(engine) => engine.is_match(line),
            None => Ok(self.find_at(line, 0)?.is_some()),
        }
    }

    pub(super) fn find_at(&self, line: &[u8], start: usize) -> Result<Option<Range<usize>>> {
        let Some(engine) = self.locate() else { return Ok(None) };
        match self.words {
            None => engine.find_at(line, start),
            Some(WordSearch::Regex) => word::find_regex(engine, line, start, self.locale),
            Some(WordSearch::Fixed) => word::find_fixed(engine, line, start, self.locale),
        }
    }

    pub(super) fn next_line(&self, haystack: &[u8], at: usize) -> Result<Option<Range<usize>>> {
        self.scanner.next_line(haystack, at, &|line| self.is_match(line))
    }

    pub(super) fn prev_line(&self, haystack: &[u8], end: usize) -> Result<Option<Range<usize>>> {
        self.scanner.prev_line(haystack, end, &|line| self.is_match(line))
    }

    pub(super) fn scanner(&self) -> &Scanner {
        &self.scanner
    }

    /// See [`super::Matcher::requires_valid_utf8`].
    pub(super) fn requires_valid_utf8(&self) -> bool {
        self.locale == Locale::Utf8 && (self.notes.beyond_dfa || self.notes.any || self.empty_words)
    }
}

impl Meaning {
    fn new(patterns: &[Vec<u8>], options: &MatcherOptions) -> Result<Self> {
        let fixed = fixed::fixed_strings(patterns, options);
        let words = if fixed.is_some() { WordSearch::Fixed } else { WordSearch::Regex };
        let literals = match &fixed {
            Some(strings) => Some(strings.as_slice()),
            None => (options.syntax == Syntax::Fixed).then_some(patterns),
        };
        let mut notes = Notes::default();
        if let Some(literals) = literals {
            let branches = literals.iter().map(|string| parse::literal(string, options));
            let ast = Ast::alternate(branches.collect::<Result<_>>()?);
            return Ok(Meaning { dfa: ast.clone(), regex: ast, notes, words });
        }
        let (mut dfa, mut regex) = (Vec::new(), Vec::new());
        for (index, pattern) in patterns.iter().enumerate() {
            let parsed = parse::parse(pattern, index + 1 < patterns.len(), options)?;
            if parsed.notes.stray_close && (options.word || options.line) {
                return Err(Error::unsupported(
                    String::from_utf8_lossy(pattern),
                    "unmatched ) with -w or -x",
                ));
            }
            if parsed.regex.repeats_assertion() {
                return Err(Error::unsupported(String::from_utf8_lossy(pattern), "a repeated assertion"));
            }
            dfa.push(parsed.dfa);
            regex.push(parsed.regex);
            notes.beyond_dfa |= parsed.notes.beyond_dfa;
            notes.any |= parsed.notes.any;
            notes.warnings.extend(parsed.notes.warnings);
            notes.all_warnings.extend(parsed.notes.all_warnings);
        }
        Ok(Meaning { dfa: Ast::alternate(dfa), regex: Ast::alternate(regex), notes, words })
    }

    fn compile(self, options: &MatcherOptions, name: &str) -> Result<GnuMatcher> {
        let Meaning { dfa, regex, notes, words } = self;
        let (locale, terminator) = (options.locale, options.terminator);
        let word = options.word && !options.line;
        if word && regex.any_assertion(&|assertion| assertion == Assertion::BufferEnd) {
            return Err(Error::unsupported(name, "\\' with -w"));
        }
        let empty_words = word && matches_empty(&regex, &|_| true);
        // The C library steps through the line by bytes or by characters; here it is by bytes.
        let bytewise = regex == Ast::Empty && !options.ignore_case;
        if empty_words && locale == Locale::Utf8 && words == WordSearch::Regex && !bytewise {
            return Err(Error::unsupported(name, "-w with a pattern that can match the empty string"));
        }
        // Grep's own matcher answers alone unless the pattern is beyond it; `-w` is, in UTF-8.
        let beyond = notes.beyond_dfa || (word && locale == Locale::Utf8);
        if beyond && dfa != regex {
            return Err(Error::unsupported(name, "GNU grep's two matchers read this pattern differently"));
        }
        let words = word.then_some(words);
        let selected = match (beyond, words) {
            (true, Some(_)) => None,
            (false, Some(_)) => Some(whole_words(dfa, locale)),
            (_, None) if options.line => Some(whole_line(dfa)),
            (_, None) => Some(dfa),
        };
        let setting = Setting { locale, terminator };
        let engine = |ast: &Ast| Engine::new(ast, setting, name);
        let (select, locate) = match &selected {
            None => (None, Some(engine(&regex)?)),
            Some(ast) if *ast == regex => (Some(engine(ast)?), None),
            Some(ast) => (Some(engine(ast)?), Some(engine(&regex)?)),
        };
        let always = selected.as_ref().is_some_and(|ast| matches_empty(ast, &|_| false));
        let candidates = selected.as_ref().unwrap_or(&regex);
        let strategy = if always {
            Strategy::Always
        } else {
            let engine = select.as_ref().or(locate.as_ref());
            strategy(candidates, engine, select.is_some(), setting, name)?
        };
        let scanner = Scanner { terminator, strategy };
        Ok(GnuMatcher { select, locate, scanner, words, locale, always, empty_words, notes })
    }
}

/// How to find the lines in which `ast` matches, which `engine` was built from. They are the
/// selected ones if `decides`.
fn strategy(
    ast: &Ast,
    engine: Option<&Engine>,
    decides: bool,
    setting: Setting,
    name: &str,
) -> Result<Strategy> {
    let Setting { locale, terminator } = setting;
    if let (true, Some(literals)) = (decides, engine.and_then(Engine::literals)) {
        return Ok(Strategy::Literals(literals.clone()));
    }
    let drop_words = locale == Locale::Utf8 && ast.any_assertion(&Assertion::is_word);
    let words = if drop_words { Words::Dropped } else { Words::Kept };
    let hir = Translator { locale, terminator, words }.translate(ast);
    let automaton = match engine.and_then(Engine::automaton) {
        Some(automaton) if !drop_words => Arc::clone(automaton),
        _ => Arc::new(Automaton::new(&hir, terminator, name)?),
    };
    Ok(Strategy::Automaton { literals: literal::required(&hir), automaton, exact: decides && !drop_words })
}

/// The pattern of `-x`.
fn whole_line(ast: Ast) -> Ast {
    Ast::Concat(vec![Ast::Assert(Assertion::LineStart), ast, Ast::Assert(Assertion::LineEnd)])
}

/// The pattern by which grep's own matcher selects for `-w`.
fn whole_words(ast: Ast, locale: Locale) -> Ast {
    let mut other = ctype::word_class(locale);
    other.negate(locale);
    let edge = |anchor, other: CharSet| Ast::Alternate(vec![Ast::Assert(anchor), Ast::Set(other)]);
    Ast::Concat(vec![edge(Assertion::LineStart, other.clone()), ast, edge(Assertion::LineEnd, other)])
}

/// Whether `ast` can match the empty string, given which assertions hold.
fn matches_empty(ast: &Ast, holds: &impl Fn(Assertion) -> bool) -> bool {
    match ast {
        Ast::Empty => true,
        Ast::Set(_) => false,
        Ast::Assert(assertion) => holds(*assertion),
        Ast::Concat(parts) => parts.iter().all(|part| matches_empty(part, holds)),
        Ast::Alternate(branches) => branches.iter().any(|branch| matches_empty(branch, holds)),
        Ast::Repeat { node, min, .. } => *min == 0 || matches_empty(node, holds),
    }
}

#[cfg(test)]
mod tests {
    use crate::Error;
    use crate::matcher::{Locale, Matcher, MatcherOptions, Syntax};

    fn options(flags: &str) -> MatcherOptions {
        MatcherOptions {
            syntax: match flags {
                _ if flags.contains('E') => Syntax::Extended,
                _ if flags.contains('F') => Syntax::Fixed,
                _ => Syntax::Basic,
            },
            ignore_case: flags.contains('i'),
            word: flags.contains('w'),
            line: flags.contains('x'),
            locale: if flags.contains('C') { Locale::C } else { Locale::Utf8 },
            terminator: if flags.contains('z') { 0 } else { b'\n' },
        }
    }

    fn build(flags: &str, patterns: &[&str]) -> crate::Result<Matcher> {
        let patterns: Vec<Vec<u8>> = patterns.iter().map(|pattern| pattern.as_bytes().to_vec()).collect();
        Matcher::new(&patterns, &options(flags))
    }

    /// What `grep -o` prints for a line: None if it is not selected.
    fn parts(flags: &str, patterns: &[&str], line: &str) -> Option<Vec<String>> {
        let matcher = build(flags, patterns).unwrap();
        let mut parts = Vec::new();
        let mut at = 0;
        while let Some(found) = matcher.find_at(line.as_bytes(), at).unwrap() {
            at = found.end.max(found.start + 1);
            if !found.is_empty() {
                parts.push(String::from_utf8_lossy(&line.as_bytes()[found]).into_owned());
            }
        }
        matcher.is_match(line.as_bytes()).unwrap().then_some(parts)
    }

    #[track_caller]
    fn check(flags: &str, pattern: &str, line: &str, expected: Option<&[&str]>) {
        let found = parts(flags, &[pattern], line);
        let expected = expected.map(|parts| parts.iter().map(|&part| part.to_owned()).collect::<Vec<_>>());
        assert_eq!(found, expected, "grep -{flags} {pattern:?} on {line:?}");
    }

    /// Each was run through GNU grep 3.8.
    #[test]
    fn operators_where_they_are_literal() {
        check("G", "*a", "x*a", Some(&["*a"]));
        check("G", r"\(*a\)", "*a", Some(&["*a"]));
        check("G", "^*a", "*a", Some(&["*a"]));
        check("G", "^*a", "a", None);
        check("G", r"\+a", "+a", Some(&["+a"]));
        check("G", r"\{1\}a", "{1}a", Some(&["{1}a"]));
        check("G", "a^b", "a^b", Some(&["a^b"]));
        check("G", "^^a", "^a", Some(&["^a"]));
        check("G", "a$b", "a$b", Some(&["a$b"]));
        check("G", "a{2}|b", "a{2}|b", Some(&["a{2}|b"]));
        check("E", "a)", "a)", Some(&["a)"]));
        check("E", "a{1", "a{1", Some(&["a{1"]));
        check("E", "a{x", "a{x", Some(&["a{x"]));
        check("E", r"a\{2\}", "a{2}", Some(&["a{2}"]));
    }

    /// Grep's two matchers part: one decides about the line, the other finds what `-o` prints.
    #[test]
    fn operators_at_the_start_of_an_extended_expression() {
        check("E", "{", "a{b", Some(&[]));
        check("E", "{x", "{x", Some(&["x"]));
        check("E", "x|{b", "a{b", Some(&["b"]));
        check("E", "^*b", "ab", Some(&[]));
        check("E", "^*b", "b", Some(&["b"]));
        check("E", "{1}b", "b", Some(&[]));
        check("E", "a|*b", "b", Some(&["b"]));
        check("iG", r"x\a", "xa", Some(&[]));
    }

    #[test]
    fn gnu_extensions() {
        check("G", r"a\|b", "xb", Some(&["b"]));
        check("G", r"ab\+c\?", "abbc ab", Some(&["abbc", "ab"]));
        check("G", r"a\{,2\}", "aaa", Some(&["aa", "a"]));
        check("E", "a{,2}", "aaa", Some(&["aa", "a"]));
        check("E", "a{2}{2}", "aaaa", Some(&["aaaa"]));
        check("E", "a**", "aa", Some(&["aa"]));
        check("E", "()", "a", Some(&[]));
        check("E", "(|a)b", "ab", Some(&["ab"]));
        check("E", r"\bfoo\b", "✗ foo ", Some(&["foo"]));
        check("E", r"\bfoo\b", "éfoo", None);
        check("E", r"\bfoo", "\u{fe0f}foo", Some(&["foo"]));
        check("E", r"\w+", "é_1 ✗", Some(&["é_1"]));
        check("E", r"\<a|b\>", "ba ab", Some(&["a", "b"]));
        check("E", r"\Ba", "aa", Some(&["a"]));
        check("G", r"\`a", "aa", Some(&["a"]));
    }

    #[test]
    fn longest_of_the_leftmost() {
        check("E", "a|ab|abc", "abc", Some(&["abc"]));
        check("E", "a?(ab)?", "ab", Some(&["ab"]));
        check("E", "(a|ab)(c|bcd)", "abcd", Some(&["abcd"]));
        check("E", "x*|xb", "xb", Some(&["xb"]));
    }

    #[test]
    fn brackets() {
        check("G", "[]a]", "]", Some(&["]"]));
        check("G", "[^]a]", "]ab", Some(&["b"]));
        check("G", "[a-]", "-", Some(&["-"]));
        check("G", "[--/]", "-./", Some(&["-", ".", "/"]));
        check("G", r"[\n]", r"\n", Some(&["\\", "n"]));
        check("G", "[[.-.]]", "-", Some(&["-"]));
        check("G", "[[=a=]]", "a", Some(&["a"]));
        check("G", "[[:alpha:][:digit:]_]*", "aé1_", Some(&["aé1_"]));
        check("C", "[[:alpha:]]", "é", None);
        check("G", "[^a]", "é", Some(&["é"]));
    }

    #[test]
    fn case() {
        check("i", "k", "\u{212a}", None);
        check("i", "\u{212a}", "k", None);
        check("i", "s", "ſ", Some(&["ſ"]));
        check("i", "i", "ı", Some(&["ı"]));
        check("i", "σ", "ςΣ", Some(&["ς", "Σ"]));
        check("iC", "é", "É", None);
        check("i", "[a-c]", "B", Some(&["B"]));
        check("i", "[[:upper:]]", "é", Some(&["é"]));
    }

    #[test]
    fn words_and_lines() {
        check("wE", "a|ab", "ab", Some(&["ab"]));
        check("w", "foo", "foobar foo", Some(&["foo"]));
        check("w", "foo.*", "foobar foo x", Some(&["foobar foo x"]));
        check("wE", "ab+|a", "abb_ a", Some(&["a"]));
        check("w", "é", "éa é", Some(&["é"]));
        check("w", "", "a b", None);
        check("w", "", "a  b", Some(&[]));
        check("x", "a.*", "abc", Some(&["abc"]));
        check("x", "b.*", "abc", None);
        check("xE", "a|abc", "abc", Some(&["abc"]));
    }

    /// After a match the search for fixed strings does not see that a word goes on.
    #[test]
    fn fixed_words_after_a_match() {
        assert_eq!(parts("FwC", &[",", "a", "n1"], "aaa1-a,"), Some(vec!["a".into(), ",".into()]));
    }

    #[test]
    fn several_patterns() {
        assert_eq!(parts("G", &["a", "abc"], "abc"), Some(vec!["abc".into()]));
        assert_eq!(parts("F", &["a.c", ""], "abc"), Some(Vec::new()));
        // All of them plain: grep turns them into fixed strings and does not warn.
        assert!(build("G", &[r"a\d", "b"]).unwrap().warnings_with_backslashes().is_empty());
        assert!(!Matcher::new(&[], &options("G")).unwrap().is_match(b"").unwrap());
    }

    #[test]
    fn warnings() {
        let matcher = build("E", &["*a", "b|+c", r"\d"]).unwrap();
        let star = "warning: * at start of expression";
        let plus = "warning: + at start of expression";
        assert_eq!(matcher.warnings(), [star, plus]);
        assert_eq!(matcher.warnings_with_backslashes(), [star, plus, r"warning: stray \ before d"]);
        assert!(build("G", &["*a"]).unwrap().warnings().is_empty());
    }

    #[test]
    fn invalid_utf8_only_matters_beyond_plain_characters() {
        assert!(!build("E", &["FAIL|é+"]).unwrap().requires_valid_utf8());
        assert!(!build("E", &["[0-9]+ms"]).unwrap().requires_valid_utf8());
        assert!(build("E", &["a.b"]).unwrap().requires_valid_utf8());
        assert!(build("E", &["[^a]"]).unwrap().requires_valid_utf8());
        assert!(!build("EC", &["[^a]"]).unwrap().requires_valid_utf8());
        assert!(build("F", &["é"]).unwrap().is_match(b"\xff\xc3\xa9").unwrap());
        assert!(!build("G", &["^.$"]).unwrap().is_match(b"\xff").unwrap());
    }

    #[test]
    fn nul_ends_lines_with_z() {
        let matcher = build("z", &["^a.b$"]).unwrap();
        assert_eq!(matcher.next_line(b"x\na\0a\nb\0", 0).unwrap(), Some(4..7));
    }

    #[test]
    fn declined() {
        let patterns: &[(&str, &str)] = &[
            ("G", r"\(a\)\1"),
            ("G", "["),
            ("G", "[[:foo:]]"),
            ("G", "[:space:]"),
            ("G", "[z-a]"),
            ("G", "[a-c-e]"),
            ("G", "[a-é]"),
            ("G", "[[.space.]]"),
            ("G", r"\(a"),
            ("G", r"a\)"),
            ("G", r"a\{1"),
            ("G", r"a\{1a\}"),
            ("G", "a\\"),
            ("E", "(a"),
            ("E", "(*)"),
            ("E", "a{2,1}"),
            ("E", "a{1,2,3}"),
            ("E", "a{}"),
            ("E", "a{40000}"),
            ("Ew", "a)b"),
            ("E", r"(\ba)+"),
            ("E", "(($b)?|c)+"),
            ("i", "в"),
            ("iC", "[@-z]"),
            ("E", r"\w{9999}"),
        ];
        for (flags, pattern) in patterns {
            match build(flags, &[pattern]) {
                Err(Error::UnsupportedView { word, .. }) => assert_eq!(word, *pattern),
                other => panic!("grep -{flags} {pattern:?}: {other:?}"),
            }
        }
        let invalid = Matcher::new(&[b"\xff".to_vec()], &options("G"));
        assert!(invalid.is_err());
    }
}
