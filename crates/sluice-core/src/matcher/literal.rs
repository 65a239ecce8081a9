//! Literals that every match contains, for finding candidates at the speed of memory.

use std::ops::Range;
use std::sync::Arc;

use memchr::memmem::Finder;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};
use regex_syntax::hir::literal::{ExtractKind, Extractor};
use regex_syntax::hir::{Hir, HirKind};

/// More literals than this are no faster than an automaton.
const MAX_LITERALS: usize = 64;

/// Length to which a set of many literals is cut for the vectorized search, in bytes: three-byte
/// fingerprints are twice as fast as those of four.
const FINGERPRINT: usize = 3;

/// First and largest stretch that two searches share, in bytes.
const FIRST_STRETCH: usize = 1 << 10;
const LAST_STRETCH: usize = 1 << 18;

/// Finds occurrences of any of a set of literals.
#[derive(Clone, Debug)]
pub(super) struct LiteralSet {
    search: Search,
    /// The longest first, so that of those that start at one place the longest is reported.
    literals: Arc<[Vec<u8>]>,
}

#[derive(Clone, Debug)]
enum Search {
    /// One search for each of two literals. Together they are faster than one for both.
    Pair(Box<[Finder<'static>; 2]>),
    /// Finds beginnings of the literals.
    Beginnings(Prefilter),
}

impl LiteralSet {
    /// None if there is no fast search for this set.
    fn new(mut literals: Vec<Vec<u8>>) -> Option<Self> {
        literals.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        literals.dedup();
        let search = match literals.as_slice() {
            [first, second] if second.len() > 1 => {
                Search::Pair(Box::new([first, second].map(|literal| Finder::new(literal).into_owned())))
            }
            [only] => Search::Beginnings(Prefilter::new(MatchKind::LeftmostFirst, &[only])?),
            all => {
                let beginnings: Vec<&[u8]> =
                    all.iter().map(|literal| &literal[..literal.len().min(FINGERPRINT)]).collect();
                Search::Beginnings(Prefilter::new(MatchKind::LeftmostFirst, &beginnings)?)
            }
        };
        Some(LiteralSet { search, literals: literals.into() })
    }

    /// The length of the longest, in bytes.
    pub(super) fn longest(&self) -> usize {
        self.literals.first().map_or(0, Vec::len)
    }

    /// The leftmost occurrence in `haystack[from..to]`, and of those the longest.
    pub(super) fn find(&self, haystack: &[u8], mut from: usize, to: usize) -> Option<Range<usize>> {
        let haystack = haystack.get(..to)?;
        loop {
            let start = match &self.search {
                Search::Pair(pair) => find_either(pair, haystack, from)?,
                Search::Beginnings(prefilter) => prefilter.find(haystack, Span::from(from..to))?.start,
            };
            if let Some(end) = self.longest_at(haystack, start, to) {
                return Some(start..end);
            }
            from = start + 1;
        }
    }

    /// The end of the longest literal that starts at `from` and ends at or before `to`.
    pub(super) fn longest_at(&self, haystack: &[u8], from: usize, to: usize) -> Option<usize> {
        let rest = haystack.get(from..to)?;
        self.literals.iter().find(|literal| rest.starts_with(literal)).map(|literal| from + literal.len())
    }
}

/// Where the first of the two occurs, at or after `from`.
///
/// They are sought in one stretch after the other, so that a frequent literal does not make the
/// search for a rare one run through the whole haystack each time.
fn find_either(pair: &[Finder<'static>; 2], haystack: &[u8], mut from: usize) -> Option<usize> {
    let [first, second] = pair;
    let overlap = first.needle().len().max(second.needle().len()) - 1;
    let mut stretch = FIRST_STRETCH;
    loop {
        let end = haystack.len().min(from + stretch + overlap);
        let part = haystack.get(from..end)?;
        let found = first.find(part);
        // Only an earlier occurrence of the second is of interest.
        let limit = found.map_or(part.len(), |at| part.len().min(at + second.needle().len()));
        match (found, second.find(&part[..limit])) {
            (Some(a), Some(b)) => return Some(from + a.min(b)),
            (Some(a), None) => return Some(from + a),
            (None, Some(b)) => return Some(from + b),
            (None, None) if end == haystack.len() => return None,
            (None, None) => from += stretch,
        }
        stretch = (stretch * 2).min(LAST_STRETCH);
    }
}

/// The literals that `hir` matches, if it matches nothing else and they are few.
pub(super) fn exact(hir: &Hir) -> Option<LiteralSet> {
    if let HirKind::Literal(literal) = hir.kind() {
        return LiteralSet::new(vec![literal.0.to_vec()]);
    }
    let properties = hir.properties();
    if !properties.look_set().is_empty() || properties.minimum_len() == Some(0) {
        return None;
    }
    let mut extractor = Extractor::new();
    extractor.limit_total(MAX_LITERALS);
    let seq = extractor.extract(hir);
    if !seq.is_exact() {
        return None;
    }
    let literals = seq.literals()?;
    if literals.is_empty() || literals.len() > MAX_LITERALS {
        return None;
    }
    LiteralSet::new(literals.iter().map(|literal| literal.as_bytes().to_vec()).collect())
}

/// The cheapest set of literals of which every match of `hir` contains at least one. None if
/// searching for them would not be faster than running an automaton.
pub(super) fn required(hir: &Hir) -> Option<LiteralSet> {
    let best = best_required(hir, 0)?;
    if best.cost > AUTOMATON_COST {
        return None;
    }
    LiteralSet::new(best.literals)
}

/// Longest literal that is cut from the start or the end of a match, in bytes.
const MAX_AFFIX: usize = 16;

/// Parts of a sequence that are looked at together.
const NEIGHBOURS: usize = 16;

/// How many places of a sequence are looked at: one literal is as good as another.
const MAX_PLACES: usize = 64;

struct Candidate {
    literals: Vec<Vec<u8>>,
    cost: f32,
}

/// Time of an automaton over a byte; the unit is about half a nanosecond.
const AUTOMATON_COST: f32 = 1.8;

/// Time to check a line in which a literal was found, in the same unit.
const CHECK_COST: f32 = 200.0;

impl Candidate {
    fn new(mut literals: Vec<Vec<u8>>) -> Option<Self> {
        literals.sort();
        literals.dedup();
        if literals.is_empty() || literals.len() > MAX_LITERALS || literals.iter().any(Vec::is_empty) {
            return None;
        }
        let rate: f32 = literals.iter().map(|literal| probability(literal)).sum();
        let single_bytes = literals.iter().all(|literal| literal.len() == 1);
        let scan = match literals.len() {
            1 => 0.1,
            2 | 3 if single_bytes => 0.12,
            2 => 0.16,
            3..=16 => 0.2,
            _ => 0.4,
        };
        Some(Candidate { cost: scan + rate * CHECK_COST, literals })
    }
}

/// How often a literal starts at a byte of a usual log, roughly.
fn probability(literal: &[u8]) -> f32 {
    literal.iter().take(6).map(|&b| frequency(b)).product()
}

/// The share of a byte in usual logs, roughly.
fn frequency(b: u8) -> f32 {
    match b {
        b' ' => 0.14,
        b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 0.05,
        b'a'..=b'z' => 0.02,
        b'0'..=b'9' => 0.03,
        b'.' | b'/' | b'-' | b'_' | b':' => 0.02,
        b'A'..=b'Z' | b'(' | b')' | b'"' | b'\'' | b',' | b'=' | b'[' | b']' => 0.01,
        0xe2 | 0xc3 | 0x80..=0x9f => 0.004,
        _ => 0.002,
    }
}

fn best_required(hir: &Hir, depth: u32) -> Option<Candidate> {
    if depth > 50 {
        return None;
    }
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) => None,
        HirKind::Literal(_) | HirKind::Class(_) => affixes(hir, ExtractKind::Prefix),
        HirKind::Capture(capture) => best_required(&capture.sub, depth + 1),
        HirKind::Repetition(repetition) if repetition.min > 0 => {
            cheaper(affixes(hir, ExtractKind::Prefix), best_required(&repetition.sub, depth + 1))
        }
        HirKind::Repetition(_) => None,
        HirKind::Concat(parts) => {
            let mut best = None;
            for (index, part) in parts.iter().enumerate().step_by(parts.len().div_ceil(MAX_PLACES)) {
                best = cheaper(best, best_required(part, depth + 1));
                // The rest of a long sequence is reached by later starts anyway.
                let rest = &parts[index..parts.len().min(index + NEIGHBOURS)];
                best = cheaper(best, affixes(&Hir::concat(rest.to_vec()), ExtractKind::Prefix));
                let rest = &parts[(index + 1).saturating_sub(NEIGHBOURS)..=index];
                best = cheaper(best, affixes(&Hir::concat(rest.to_vec()), ExtractKind::Suffix));
            }
            best
        }
        HirKind::Alternation(branches) => {
            let mut literals = Vec::new();
            for branch in branches {
                literals.extend(best_required(branch, depth + 1)?.literals);
                if literals.len() > 4 * MAX_LITERALS {
                    return None;
                }
            }
            cheaper(Candidate::new(literals), affixes(hir, ExtractKind::Prefix))
        }
    }
}

/// The literals with which matches of `hir` begin (or end), cut to the cheapest length.
fn affixes(hir: &Hir, kind: ExtractKind) -> Option<Candidate> {
    let suffix = matches!(kind, ExtractKind::Suffix);
    let mut extractor = Extractor::new();
    extractor.kind(kind).limit_total(MAX_LITERALS).limit_literal_len(MAX_AFFIX).limit_repeat(MAX_AFFIX);
    let seq = extractor.extract(hir);
    let literals = seq.literals()?;
    let cut = |len: usize| {
        let cut = |literal: &[u8]| {
            let len = literal.len().min(len);
            if suffix { literal[literal.len() - len..].to_vec() } else { literal[..len].to_vec() }
        };
        Candidate::new(literals.iter().map(|literal| cut(literal.as_bytes())).collect())
    };
    [1, 2, 3, 4, 6, MAX_AFFIX].into_iter().map(cut).fold(None, cheaper)
}

fn cheaper(a: Option<Candidate>, b: Option<Candidate>) -> Option<Candidate> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.cost < a.cost { b } else { a }),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// The leftmost occurrence at or after `from`, and of those the longest.
    fn naive(literals: &[Vec<u8>], haystack: &[u8], from: usize) -> Option<Range<usize>> {
        (from..haystack.len()).find_map(|at| {
            let rest = &haystack[at..];
            literals.iter().filter(|l| rest.starts_with(l)).map(|l| at..at + l.len()).max_by_key(|r| r.end)
        })
    }

    proptest! {
        #[test]
        fn finds_what_a_naive_search_finds(
            literals in prop::collection::vec("[ab]{1,5}", 1..6),
            haystack in "[abc]{0,60}",
            from in 0usize..10,
        ) {
            let literals: Vec<Vec<u8>> = literals.into_iter().map(String::into_bytes).collect();
            let haystack = haystack.as_bytes();
            let from = from.min(haystack.len());
            let set = LiteralSet::new(literals.clone()).unwrap();
            prop_assert_eq!(set.find(haystack, from, haystack.len()), naive(&literals, haystack, from));
        }
    }

    #[test]
    fn pairs_are_found_across_stretches() {
        let literals = vec![b"FAIL".to_vec(), b"ERROR".to_vec()];
        let set = LiteralSet::new(literals.clone()).unwrap();
        assert!(matches!(set.search, Search::Pair(_)));
        let sums = [FIRST_STRETCH, 3 * FIRST_STRETCH, 2 * LAST_STRETCH];
        for at in sums.into_iter().flat_map(|sum| sum - 6..sum + 6) {
            for literal in &literals {
                let mut haystack = vec![b'.'; at];
                haystack.extend_from_slice(literal);
                assert_eq!(set.find(&haystack, 0, haystack.len()), Some(at..at + literal.len()));
                assert_eq!(set.find(&haystack, 0, haystack.len() - 1), None);
            }
        }
    }

    fn required_of(pattern: &str) -> Option<Vec<String>> {
        let hir = regex_syntax::ParserBuilder::new().utf8(false).build().parse(pattern).unwrap();
        let mut literals: Vec<String> = required(&hir)?
            .literals
            .iter()
            .map(|literal| String::from_utf8_lossy(literal).into_owned())
            .collect();
        literals.sort();
        Some(literals)
    }

    #[test]
    fn required_literals() {
        assert_eq!(required_of("FAIL.*done"), Some(vec!["FAIL".into()]));
        assert_eq!(required_of(r"\w+(FAIL|ERROR)\d"), Some(vec!["ERROR".into(), "FAIL".into()]));
        assert_eq!(required_of("a?"), None);
        assert_eq!(required_of("[a-z]+"), None);
    }
}
