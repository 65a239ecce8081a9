//! One compiled pattern: does it match a line, and where.

use std::ops::Range;
use std::sync::{Arc, OnceLock};

use regex_syntax::hir::Hir;

use super::Locale;
use super::ast::{Assertion, Ast};
use super::automaton::{Automaton, Locator};
use super::hir::{Translator, Words};
use super::literal::{self, LiteralSet};
use super::nfa::{LineNfa, Region};
use crate::Result;

/// A compiled pattern of [`Ast`] semantics: leftmost, then longest.
#[derive(Debug)]
pub(super) struct Engine {
    setting: Setting,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    /// A set of literals and nothing else.
    Literals(LiteralSet),
    Regex(Box<Regex>),
}

#[derive(Debug)]
struct Regex {
    automaton: Arc<Automaton>,
    /// Decides where the automaton cannot.
    simulation: LineNfa,
    /// The pattern looks at words, of which the automaton knows ASCII only.
    words: bool,
    /// An assertion depends on where the line ends.
    ends: bool,
    hir: Hir,
    /// Finds where the leftmost match starts. Built when it is first asked.
    locator: OnceLock<Option<Locator>>,
}

/// What all engines of a matcher have in common.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    pub(super) locale: Locale,
    /// The byte that ends a line.
    pub(super) terminator: u8,
}

impl Engine {
    /// Compiles `ast`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] about `word` if the automaton would be too large.
    pub(super) fn new(ast: &Ast, setting: Setting, word: &str) -> Result<Self> {
        let Setting { locale, terminator } = setting;
        let hir = Translator { locale, terminator, words: Words::Kept }.translate(ast);
        if let Some(literals) = literal::exact(&hir) {
            return Ok(Engine { setting, kind: Kind::Literals(literals) });
        }
        let automaton = Arc::new(Automaton::new(&hir, terminator, word)?);
        let simulation = LineNfa::new(automaton.nfa().clone(), locale);
        let words = ast.any_assertion(&Assertion::is_word);
        let ends = words || ast.any_assertion(&|assertion| assertion == Assertion::LineEnd);
        let words = words && locale == Locale::Utf8;
        let locator = OnceLock::new();
        Ok(Engine {
            setting,
            kind: Kind::Regex(Box::new(Regex { automaton, simulation, words, ends, hir, locator })),
        })
    }

    /// The set of literals that the pattern is equal to, if it is that simple.
    pub(super) fn literals(&self) -> Option<&LiteralSet> {
        match &self.kind {
            Kind::Literals(literals) => Some(literals),
            Kind::Regex(_) => None,
        }
    }

    /// The automaton of the pattern, which ignores words beyond ASCII, unless literals do.
    pub(super) fn automaton(&self) -> Option<&Arc<Automaton>> {
        match &self.kind {
            Kind::Literals(_) => None,
            Kind::Regex(regex) => Some(&regex.automaton),
        }
    }

    /// Whether the pattern matches anywhere in `line`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NeedsRealTool`] if the search takes too long.
    pub(super) fn is_match(&self, line: &[u8]) -> Result<bool> {
        match &self.kind {
            Kind::Literals(literals) => Ok(literals.find(line, 0, line.len()).is_some()),
            Kind::Regex(regex) if regex.is_slow(line) => regex.simulation.is_match(line),
            Kind::Regex(regex) => Ok(regex.automaton.first_end(line, 0)?.is_some()),
        }
    }

    /// The leftmost match that starts at or after `from`, and of those the longest.
    ///
    /// # Errors
    ///
    /// As [`Engine::is_match`].
    pub(super) fn find_at(&self, line: &[u8], from: usize) -> Result<Option<Range<usize>>> {
        if from > line.len() {
            return Ok(None);
        }
        match &self.kind {
            Kind::Literals(literals) => Ok(literals.find(line, from, line.len())),
            Kind::Regex(regex) => regex.find(line, from, self.setting.terminator),
        }
    }

    /// The end of the longest match that starts at `start`, if the line is cut off at `limit`
    /// without ending there.
    ///
    /// # Errors
    ///
    /// As [`Engine::is_match`].
    pub(super) fn longest_within(&self, line: &[u8], start: usize, limit: usize) -> Result<Option<usize>> {
        if start > limit || limit > line.len() {
            return Ok(None);
        }
        match &self.kind {
            Kind::Literals(literals) => Ok(literals.longest_at(line, start, limit)),
            Kind::Regex(regex) if regex.ends => {
                let region = Region { from: start, anchored: true, limit, not_eol: true };
                Ok(regex.simulation.search(line, region)?.map(|found| found.end))
            }
            Kind::Regex(regex) => regex.automaton.longest_end(line, start, limit),
        }
    }
}

impl Regex {
    /// Whether only the simulation is exact about this line.
    fn is_slow(&self, line: &[u8]) -> bool {
        self.words && !line.is_ascii()
    }

    fn find(&self, line: &[u8], from: usize, terminator: u8) -> Result<Option<Range<usize>>> {
        let locator = self.locator.get_or_init(|| Locator::new(&self.hir, terminator));
        match locator {
            Some(locator) if !self.is_slow(line) => {
                let Some(start) = locator.start(line, from)? else { return Ok(None) };
                Ok(self.automaton.longest_end(line, start, line.len())?.map(|end| start..end))
            }
            _ => {
                let region = Region { from, anchored: false, limit: line.len(), not_eol: false };
                self.simulation.search(line, region)
            }
        }
    }
}
