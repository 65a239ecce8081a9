//! Literals that every match contains, for finding candidates at the speed of memory.

use regex_automata::util::prefilter::Prefilter;
use regex_automata::{MatchKind, Span};
use regex_syntax::hir::literal::Extractor;
use regex_syntax::hir::{Hir, HirKind};

/// More literals than this are no faster than an automaton.
const MAX_LITERALS: usize = 64;

/// Finds occurrences of any of a set of literals.
#[derive(Clone, Debug)]
pub(super) struct LiteralSet {
    prefilter: Prefilter,
}

impl LiteralSet {
    /// None if there is no fast search for this set.
    fn new(mut literals: Vec<Vec<u8>>) -> Option<Self> {
        // The longest first, so that of those that start at one place the longest is reported.
        literals.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        literals.dedup();
        let prefilter = Prefilter::new(MatchKind::LeftmostFirst, &literals)?;
        Some(LiteralSet { prefilter })
    }

    /// The leftmost occurrence in `haystack[from..to]`, and of those the longest.
    pub(super) fn find(&self, haystack: &[u8], from: usize, to: usize) -> Option<Span> {
        self.prefilter.find(haystack.get(..to)?, Span::from(from..to))
    }

    /// The longest literal that starts at `from` and ends at or before `to`.
    pub(super) fn longest_at(&self, haystack: &[u8], from: usize, to: usize) -> Option<usize> {
        // Not every prefilter heeds the end of its span.
        self.prefilter.prefix(haystack.get(..to)?, Span::from(from..to)).map(|span| span.end)
    }
}

/// The literals that `hir` matches, if it matches nothing else and they are few.
pub(super) fn exact(hir: &Hir) -> Option<LiteralSet> {
    let properties = hir.properties();
    if !properties.look_set().is_empty() || properties.minimum_len() == Some(0) {
        return None;
    }
    let seq = Extractor::new().extract(hir);
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

struct Candidate {
    literals: Vec<Vec<u8>>,
    cost: f32,
}

/// Time of an automaton over a byte, in nanoseconds.
const AUTOMATON_COST: f32 = 0.6;

/// Time to check a line in which a literal was found, in nanoseconds.
const CHECK_COST: f32 = 150.0;

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
            1 => 0.04,
            2 | 3 if single_bytes => 0.06,
            2..=8 => 0.12,
            9..=16 => 0.2,
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
        HirKind::Literal(_) | HirKind::Class(_) => prefixes(hir),
        HirKind::Capture(capture) => best_required(&capture.sub, depth + 1),
        HirKind::Repetition(repetition) if repetition.min > 0 => {
            cheaper(prefixes(hir), best_required(&repetition.sub, depth + 1))
        }
        HirKind::Repetition(_) => None,
        HirKind::Concat(parts) => {
            let mut best = None;
            for (index, part) in parts.iter().enumerate() {
                best = cheaper(best, best_required(part, depth + 1));
                // The rest of a long sequence is reached by later starts anyway.
                let rest = &parts[index..parts.len().min(index + 16)];
                best = cheaper(best, prefixes(&Hir::concat(rest.to_vec())));
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
            cheaper(Candidate::new(literals), prefixes(hir))
        }
    }
}

/// The literals with which matches of `hir` begin, cut to the cheapest length.
fn prefixes(hir: &Hir) -> Option<Candidate> {
    let seq = Extractor::new().extract(hir);
    let literals = seq.literals()?;
    let cut = |len: usize| {
        Candidate::new(
            literals.iter().map(|literal| literal.as_bytes()[..literal.len().min(len)].to_vec()).collect(),
        )
    };
    [1, 2, 3, 4, 6, usize::MAX].into_iter().map(cut).fold(None, cheaper)
}

fn cheaper(a: Option<Candidate>, b: Option<Candidate>) -> Option<Candidate> {
    match (a, b) {
        (Some(a), Some(b)) => Some(if b.cost < a.cost { b } else { a }),
        (a, b) => a.or(b),
    }
}
