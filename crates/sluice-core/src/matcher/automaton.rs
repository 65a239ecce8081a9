//! Lazily built automata: for whole buffers, lines, longest matches, and where a match starts.
//!
//! An automaton that forgets its states as fast as it builds them is no faster than trying every way through
//! the pattern at every byte. Such a search is given up after a fraction of a second.

use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use regex_automata::hybrid::dfa::{Builder, Cache, Config, DFA};
use regex_automata::hybrid::regex::{self, Regex};
use regex_automata::nfa::thompson::{self, Compiler, NFA, WhichCaptures};
use regex_automata::util::look::LookMatcher;
use regex_automata::util::pool::Pool;
use regex_automata::util::prefilter::Prefilter;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;

use crate::{Error, Result};

/// Largest automaton that is built, in bytes. A pattern beyond it is refused.
pub(super) const SIZE_LIMIT: usize = 24 << 20;

/// Memory that the states of an automaton may use, in bytes. It starts anew when they are full.
const CACHE_SIZE: usize = 4 << 20;

/// How often the memory may fill up whatever the search got out of it: 64 MiB of states, about 0.3 s.
const PATIENCE: usize = 16;

/// Bytes searched for each state without which a search is given up when the memory fills up once more.
const LEAST_BYTES_PER_STATE: usize = 10;

/// The answer of a search that was given up.
pub(super) fn gave_up() -> Error {
    Error::NeedsRealTool { reason: "a pattern that takes too long on this input".into() }
}

/// The states of searches, one set a thread.
type Caches<C> = Pool<C, Box<dyn Fn() -> C + Send + Sync + UnwindSafe + RefUnwindSafe>>;

/// An automaton with the states that it has built so far. Threads do not share states.
pub(super) struct Automaton {
    dfa: DFA,
    caches: Caches<Cache>,
}

impl std::fmt::Debug for Automaton {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Automaton").finish_non_exhaustive()
    }
}

impl Automaton {
    /// Compiles `hir`, whose line anchors hold at `terminator`.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] about `word` if it would be too large.
    pub(super) fn new(hir: &Hir, terminator: u8, word: &str) -> Result<Self> {
        let dfa = build(hir, terminator, false, config(MatchKind::All))
            .map_err(|why| Error::unsupported(word, format!("pattern too large: {why}")))?;
        let create = dfa.clone();
        Ok(Automaton { dfa, caches: Pool::new(Box::new(move || create.create_cache())) })
    }

    /// The states from which the automaton is built.
    pub(super) fn nfa(&self) -> &NFA {
        self.dfa.get_nfa()
    }

    /// Where the first match to end in `haystack[from..]` ends.
    ///
    /// # Errors
    ///
    /// [`Error::NeedsRealTool`] if the search is given up.
    pub(super) fn first_end(&self, haystack: &[u8], from: usize) -> Result<Option<usize>> {
        self.search(&Input::new(haystack).range(from..).earliest(true))
    }

    /// Where the longest match that starts at `start` and ends at or before `limit` ends.
    ///
    /// # Errors
    ///
    /// As [`Automaton::first_end`].
    pub(super) fn longest_end(&self, line: &[u8], start: usize, limit: usize) -> Result<Option<usize>> {
        self.search(&Input::new(line).range(start..limit).anchored(Anchored::Yes))
    }

    fn search(&self, input: &Input<'_>) -> Result<Option<usize>> {
        let found = self.dfa.try_search_fwd(&mut self.caches.get(), input).map_err(|_| gave_up())?;
        Ok(found.map(|half| half.offset()))
    }
}

/// Finds where the leftmost match starts.
pub(super) struct Locator {
    regex: Arc<Regex>,
    caches: Caches<regex::Cache>,
}

impl std::fmt::Debug for Locator {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Locator").finish_non_exhaustive()
    }
}

impl Locator {
    /// None if it would be too large.
    pub(super) fn new(hir: &Hir, terminator: u8) -> Option<Self> {
        let prefilter = Prefilter::from_hir_prefix(MatchKind::LeftmostFirst, hir).filter(Prefilter::is_fast);
        let forward = config(MatchKind::LeftmostFirst).prefilter(prefilter);
        let forward = build(hir, terminator, false, forward).ok()?;
        let reverse = build(hir, terminator, true, config(MatchKind::All)).ok()?;
        let regex = Arc::new(regex::Builder::new().build_from_dfas(forward, reverse));
        let create = Arc::clone(&regex);
        Some(Locator { regex, caches: Pool::new(Box::new(move || create.create_cache())) })
    }

    /// The start of the leftmost match that starts at or after `from`.
    ///
    /// # Errors
    ///
    /// As [`Automaton::first_end`].
    pub(super) fn start(&self, line: &[u8], from: usize) -> Result<Option<usize>> {
        let input = Input::new(line).range(from..);
        let found = self.regex.try_search(&mut self.caches.get(), &input).map_err(|_| gave_up())?;
        Ok(found.map(|found| found.start()))
    }
}

fn config(kind: MatchKind) -> Config {
    Config::new()
        .match_kind(kind)
        .cache_capacity(CACHE_SIZE)
        .skip_cache_capacity_check(true)
        .minimum_cache_clear_count(Some(PATIENCE))
        .minimum_bytes_per_state(Some(LEAST_BYTES_PER_STATE))
}

/// The error says what was too large.
fn build(hir: &Hir, terminator: u8, reverse: bool, config: Config) -> std::result::Result<DFA, String> {
    let mut look = LookMatcher::new();
    look.set_line_terminator(terminator);
    let nfa = thompson::Config::new()
        // Lines need not be valid UTF-8, and nobody asks where an empty match is.
        .utf8(false)
        .reverse(reverse)
        .which_captures(WhichCaptures::None)
        .look_matcher(look)
        .nfa_size_limit(Some(SIZE_LIMIT));
    let nfa = Compiler::new().configure(nfa).build_from_hir(hir).map_err(|e| e.to_string())?;
    Builder::new().configure(config).build_from_nfa(nfa).map_err(|e| e.to_string())
}
