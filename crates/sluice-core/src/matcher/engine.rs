//! One compiled pattern: does it match a line, and where.

use std::ops::Range;

use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::nfa::thompson::WhichCaptures;
use regex_automata::util::pool::Pool;
use regex_automata::{Input, MatchKind, hybrid, meta};
use regex_syntax::hir::Hir;

use super::ast::{Assertion, Ast};
use super::hir::{Translator, Words};
use super::literal::{self, LiteralSet};
use super::nfa::{self, LineNfa, Region};
use super::{Locale, ctype};
use crate::{Error, Result};

/// Largest automaton that is built, in bytes. A pattern beyond it is refused.
pub(super) const SIZE_LIMIT: usize = 24 << 20;

/// Memory that lazily built automata may use, in bytes.
const CACHE_SIZE: usize = 8 << 20;

/// A compiled pattern of [`Ast`] semantics: leftmost, then longest.
#[derive(Debug)]
pub(super) struct Engine {
    steps: Steps,
    kind: Kind,
    /// Decides about lines with characters beyond ASCII if the pattern looks at words.
    words: Option<LineNfa>,
}

#[derive(Debug)]
enum Kind {
    /// A set of literals and nothing else.
    Literals(LiteralSet),
    Regex(Box<Automata>),
}

#[derive(Debug)]
struct Automata {
    /// Finds where the leftmost match starts.
    regex: meta::Regex,
    /// Finds where the longest match from there ends.
    longest: Option<Longest>,
}

/// An anchored automaton that reports the longest match.
struct Longest {
    dfa: DFA,
    caches: CachePool,
    /// For lines that are cut off: knows which assertions hold at the cut. None if the pattern
    /// has no assertion that matters there.
    cut: Option<LineNfa>,
}

impl std::fmt::Debug for Longest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Longest").field("cut", &self.cut.is_some()).finish_non_exhaustive()
    }
}

type CachePool =
    Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>>;

/// Where a match may start or be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Steps {
    /// At any byte, as in the `C` locale and wherever the C library finds it safe in UTF-8.
    Bytes,
    /// Not inside a character of UTF-8.
    Chars,
}

/// What all engines of a matcher have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) locale: Locale,
    pub(super) steps: Steps,
    /// The byte that ends a line.
    pub(super) terminator: u8,
}

/// What an [`Engine`] is built for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Purpose {
    /// Whether a line matches.
    Select,
    /// Where it matches, too.
    Locate,
}

impl Engine {
    /// Compiles `ast`.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] about `word` if an automaton would be too large.
    pub(super) fn new(ast: &Ast, setting: Setting, purpose: Purpose, word: &str) -> Result<Self> {
        let Setting { locale, steps, terminator } = setting;
        let translate = |words| Translator { locale, terminator, words }.translate(ast);
        let hir = translate(Words::Ascii);
        let compile_exact = || -> Result<LineNfa> {
            let nfa = nfa::compile(&translate(Words::Exact), terminator).map_err(|e| too_large(word, e))?;
            Ok(LineNfa::new(nfa, locale))
        };
        let looks_at_words = ast.any_assertion(&Assertion::is_word);
        let words = (looks_at_words && locale == Locale::Utf8).then(compile_exact).transpose()?;
        if let Some(literals) = literal::exact(&hir) {
            return Ok(Engine { steps, kind: Kind::Literals(literals), words });
        }
        let regex = build_regex(&hir, setting, word)?;
        let longest = match purpose {
            Purpose::Select => None,
            Purpose::Locate => {
                let ends =
                    |a: Assertion| a.is_word() || matches!(a, Assertion::LineEnd | Assertion::BufferEnd);
                let cut = ast.any_assertion(&ends).then(compile_exact).transpose()?;
                Some(Longest::new(&hir, terminator, cut, word)?)
            }
        };
        Ok(Engine { steps, kind: Kind::Regex(Box::new(Automata { regex, longest })), words })
    }

    /// The set of literals that the pattern is equal to, if it is that simple.
    pub(super) fn literals(&self) -> Option<&LiteralSet> {
        match &self.kind {
            Kind::Literals(literals) => Some(literals),
            Kind::Regex(_) => None,
        }
    }

    /// The exact simulation, if this line needs it.
    fn slow(&self, line: &[u8]) -> Option<&LineNfa> {
        self.words.as_ref().filter(|_| !line.is_ascii())
    }

    /// The first place at or after `at` where a match may start.
    fn boundary(&self, line: &[u8], at: usize) -> usize {
        match self.steps {
            Steps::Bytes => at,
            Steps::Chars => ctype::char_boundary(line, at, Locale::Utf8),
        }
    }

    /// Whether the pattern matches anywhere in `line`.
    pub(super) fn is_match(&self, line: &[u8]) -> bool {
        if let Some(nfa) = self.slow(line) {
            return nfa.is_match(line);
        }
        match &self.kind {
            Kind::Literals(literals) => literals.find(line, 0, line.len()).is_some(),
            Kind::Regex(automata) => automata.regex.is_match(line),
        }
    }

    /// The leftmost match that starts at or after `from`, and of those the longest.
    pub(super) fn find_at(&self, line: &[u8], from: usize) -> Option<Range<usize>> {
        if from > line.len() {
            return None;
        }
        let from = self.boundary(line, from);
        if let Some(nfa) = self.slow(line) {
            let region = Region { from, anchored: false, limit: line.len(), not_eol: false };
            return nfa.search(line, region);
        }
        match &self.kind {
            Kind::Literals(literals) => literals.find(line, from, line.len()).map(|span| span.range()),
            Kind::Regex(automata) => {
                let found = automata.regex.search(&Input::new(line).range(from..))?;
                if found.is_empty() && self.boundary(line, found.start()) != found.start() {
                    return self.find_at(line, found.start());
                }
                let end = automata.longest.as_ref().and_then(|l| l.end(line, found.start(), line.len()));
                Some(found.start()..end.unwrap_or(found.end()))
            }
        }
    }

    /// The end of the longest match that starts at `start`, if the line is cut off at `limit`
    /// without ending there.
    pub(super) fn longest_within(&self, line: &[u8], start: usize, limit: usize) -> Option<usize> {
        if start > limit || limit > line.len() {
            return None;
        }
        let region = Region { from: start, anchored: true, limit, not_eol: true };
        if let Some(nfa) = self.slow(line) {
            return nfa.search(line, region).map(|found| found.end);
        }
        match &self.kind {
            Kind::Literals(literals) => literals.longest_at(line, start, limit),
            Kind::Regex(automata) => {
                let longest = automata.longest.as_ref()?;
                match &longest.cut {
                    Some(nfa) => nfa.search(line, region).map(|found| found.end),
                    None => longest.end(line, start, limit),
                }
            }
        }
    }
}

impl Longest {
    fn new(hir: &Hir, terminator: u8, cut: Option<LineNfa>, word: &str) -> Result<Self> {
        let nfa = nfa::compile(hir, terminator).map_err(|e| too_large(word, e))?;
        let config = hybrid::dfa::Config::new()
            .match_kind(MatchKind::All)
            .cache_capacity(CACHE_SIZE)
            .skip_cache_capacity_check(true);
        let dfa = hybrid::dfa::Builder::new()
            .configure(config)
            .build_from_nfa(nfa)
            .map_err(|e| too_large(word, e))?;
        let create = dfa.clone();
        let caches: CachePool = Pool::new(Box::new(move || create.create_cache()));
        Ok(Longest { dfa, caches, cut })
    }

    /// The end of the longest match that starts at `start` and ends at or before `limit`.
    fn end(&self, line: &[u8], start: usize, limit: usize) -> Option<usize> {
        let input = Input::new(line).range(start..limit).anchored(nfa::ANCHORED);
        let mut cache = self.caches.get();
        // The automaton neither quits nor gives up: it has no quit bytes and clears its cache as
        // often as it must.
        self.dfa.try_search_fwd(&mut cache, &input).ok().flatten().map(|half| half.offset())
    }
}

/// The automata that search whole buffers and lines.
pub(super) fn build_regex(hir: &Hir, setting: Setting, word: &str) -> Result<meta::Regex> {
    let config = meta::Config::new()
        // `find_at` sees to empty matches itself: lines need not be valid.
        .utf8_empty(false)
        .line_terminator(setting.terminator)
        .which_captures(WhichCaptures::Implicit)
        .nfa_size_limit(Some(SIZE_LIMIT))
        .hybrid_cache_capacity(CACHE_SIZE);
    meta::Builder::new().configure(config).build_from_hir(hir).map_err(|e| too_large(word, e))
}

fn too_large(word: &str, why: impl std::fmt::Display) -> Error {
    Error::unsupported(word, format!("pattern too large: {why}"))
}
