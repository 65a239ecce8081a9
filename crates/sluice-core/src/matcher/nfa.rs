//! An exact, linear-time simulation of a pattern over one line.
//!
//! It knows grep's word characters and the cut-off lines of `-w`, which no automaton of
//! `regex-automata` does. It is slow (about 10 ns per byte and active state) and used only for
//! lines about which the fast automata cannot decide.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};

use regex_automata::nfa::thompson::{NFA, State};
use regex_automata::util::look::Look;
use regex_automata::util::primitives::StateID;

use super::automaton::gave_up;
use super::{Locale, ctype};
use crate::Result;

/// Steps after which a simulation has to be efficient, about half a second.
const PATIENCE: u64 = 1 << 26;

/// Steps for each byte above which it is not.
const MOST_STEPS_PER_BYTE: u64 = 256;

/// A pattern to simulate.
#[derive(Debug)]
pub(super) struct LineNfa {
    nfa: NFA,
    locale: Locale,
    /// Bytes searched, and steps that took, in all.
    bytes: AtomicU64,
    steps: AtomicU64,
}

/// Where to search in a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Region {
    /// Matches start here or later; with `anchored`, exactly here.
    pub(super) from: usize,
    /// No later start is tried.
    pub(super) anchored: bool,
    /// The line is taken to end here.
    pub(super) limit: usize,
    /// `$` does not hold at the end.
    pub(super) not_eol: bool,
}

/// The work of all searches so far.
#[derive(Clone, Copy)]
struct Spent {
    bytes: u64,
    steps: u64,
}

impl Spent {
    /// Accounts for a byte that takes so many steps.
    fn byte(&mut self, steps: u64) -> Result<()> {
        self.bytes += 1;
        self.steps += steps;
        let late = self.steps > PATIENCE && self.steps > self.bytes * MOST_STEPS_PER_BYTE;
        if late { Err(gave_up()) } else { Ok(()) }
    }
}

/// The active states at one position, oldest start first, each with the start of its match.
struct Threads {
    list: Vec<(StateID, usize)>,
    seen: Vec<bool>,
}

impl Threads {
    fn new(states: usize) -> Self {
        Threads { list: Vec::new(), seen: vec![false; states] }
    }

    fn clear(&mut self) {
        for (id, _) in self.list.drain(..) {
            self.seen[id.as_usize()] = false;
        }
    }
}

impl LineNfa {
    pub(super) fn new(nfa: NFA, locale: Locale) -> Self {
        LineNfa { nfa, locale, bytes: AtomicU64::new(0), steps: AtomicU64::new(0) }
    }

    /// The leftmost of the matches in `region`, and of those the longest.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NeedsRealTool`] if that takes too long.
    pub(super) fn search(&self, line: &[u8], region: Region) -> Result<Option<Range<usize>>> {
        let mut spent =
            Spent { bytes: self.bytes.load(Ordering::Relaxed), steps: self.steps.load(Ordering::Relaxed) };
        let before = spent;
        let found = self.simulate(line, region, &mut spent);
        self.bytes.fetch_add(spent.bytes - before.bytes, Ordering::Relaxed);
        self.steps.fetch_add(spent.steps - before.steps, Ordering::Relaxed);
        found
    }

    fn simulate(&self, line: &[u8], region: Region, spent: &mut Spent) -> Result<Option<Range<usize>>> {
        let mut current = Threads::new(self.nfa.states().len());
        let mut next = Threads::new(self.nfa.states().len());
        let mut stack = Vec::new();
        let mut best: Option<Range<usize>> = None;
        let Some(line) = line.get(..region.limit) else { return Ok(None) };
        for at in region.from..=line.len() {
            let may_start = at == region.from || !region.anchored;
            if best.is_none() && may_start && ctype::char_boundary(line, at, self.locale) == at {
                let start = self.nfa.start_anchored();
                self.add(&mut current, &mut stack, start, at, at, line, region.not_eol);
            }
            for index in 0..current.list.len() {
                let (id, start) = current.list[index];
                if best.as_ref().is_some_and(|best| start > best.start) {
                    break;
                }
                if let State::Match { .. } = self.nfa.state(id) {
                    best = Some(start..at);
                    break;
                }
            }
            if current.list.is_empty() && (best.is_some() || region.anchored) {
                break;
            }
            let Some(&byte) = line.get(at) else { break };
            spent.byte(current.list.len() as u64)?;
            for index in 0..current.list.len() {
                let (id, start) = current.list[index];
                if best.as_ref().is_some_and(|best| start > best.start) {
                    break;
                }
                let target = match self.nfa.state(id) {
                    State::ByteRange { trans } => trans.matches_byte(byte).then_some(trans.next),
                    State::Sparse(sparse) => sparse.matches_byte(byte),
                    State::Dense(dense) => dense.matches_byte(byte),
                    _ => None,
                };
                if let Some(target) = target {
                    self.add(&mut next, &mut stack, target, start, at + 1, line, region.not_eol);
                }
            }
            current.clear();
            std::mem::swap(&mut current, &mut next);
        }
        Ok(best)
    }

    /// Adds `id` and all states that it reaches without a byte.
    #[expect(clippy::too_many_arguments, reason = "the inner loop's state, borrowed apart")]
    fn add(
        &self,
        threads: &mut Threads,
        stack: &mut Vec<StateID>,
        id: StateID,
        start: usize,
        at: usize,
        line: &[u8],
        not_eol: bool,
    ) {
        stack.push(id);
        while let Some(id) = stack.pop() {
            if std::mem::replace(&mut threads.seen[id.as_usize()], true) {
                continue;
            }
            threads.list.push((id, start));
            match self.nfa.state(id) {
                State::Union { alternates } => stack.extend(alternates.iter().copied()),
                State::BinaryUnion { alt1, alt2 } => stack.extend([*alt1, *alt2]),
                State::Capture { next, .. } => stack.push(*next),
                State::Look { look, next } if self.holds(*look, line, at, not_eol) => stack.push(*next),
                _ => {}
            }
        }
    }

    fn holds(&self, look: Look, line: &[u8], at: usize, not_eol: bool) -> bool {
        // A line that is cut off may end inside a character.
        let before = || ctype::word_ends_at_latin(line, at, self.locale);
        let after = || ctype::word_starts_at_latin(line, at, self.locale);
        match look {
            Look::StartLF => at == 0,
            Look::EndLF => at == line.len() && !not_eol,
            // Named after ASCII for the automata; here they look at the words of the locale.
            Look::WordStartAscii => !before() && after(),
            Look::WordEndAscii => before() && !after(),
            Look::WordAscii => before() != after(),
            Look::WordAsciiNegate => before() == after(),
            _ => false,
        }
    }

    /// Whether the pattern matches anywhere in `line`.
    ///
    /// # Errors
    ///
    /// As [`LineNfa::search`].
    pub(super) fn is_match(&self, line: &[u8]) -> Result<bool> {
        let region = Region { from: 0, anchored: false, limit: line.len(), not_eol: false };
        Ok(self.search(line, region)?.is_some())
    }
}
