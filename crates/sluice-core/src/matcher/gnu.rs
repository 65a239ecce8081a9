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
            if options.terminator == 0 && parsed.regex.starts_line_inside() {
                let word = String::from_utf8_lossy(pattern);
                return Err(Error::unsupported(word, "^ behind a character, with -z"));
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
mod tests;
