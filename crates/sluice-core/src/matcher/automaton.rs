//! A lazily built automaton for whole buffers, lines and longest matches.

use regex_automata::hybrid::dfa::{Builder, Cache, Config, DFA};
use regex_automata::nfa::thompson::{self, Compiler, NFA, WhichCaptures};
use regex_automata::util::look::LookMatcher;
use regex_automata::util::pool::Pool;
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::hir::Hir;

use crate::{Error, Result};

/// Largest automaton that is built, in bytes. A pattern beyond it is refused.
pub(super) const SIZE_LIMIT: usize = 24 << 20;

/// Memory that the states of an automaton may use, in bytes. It starts anew when they are full.
const CACHE_SIZE: usize = 4 << 20;

/// An automaton with the states that it has built so far. Threads do not share states.
pub(super) struct Automaton {
    dfa: DFA,
    caches: Caches,
}

type Caches =
    Pool<Cache, Box<dyn Fn() -> Cache + Send + Sync + std::panic::UnwindSafe + std::panic::RefUnwindSafe>>;

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
        let too_large = |why: String| Error::unsupported(word, format!("pattern too large: {why}"));
        let mut look = LookMatcher::new();
        look.set_line_terminator(terminator);
        let config = thompson::Config::new()
            .utf8(false)
            .which_captures(WhichCaptures::None)
            .look_matcher(look)
            .nfa_size_limit(Some(SIZE_LIMIT));
        let nfa =
            Compiler::new().configure(config).build_from_hir(hir).map_err(|e| too_large(e.to_string()))?;
        let config = Config::new()
            .match_kind(MatchKind::All)
            .cache_capacity(CACHE_SIZE)
            .skip_cache_capacity_check(true);
        let dfa =
            Builder::new().configure(config).build_from_nfa(nfa).map_err(|e| too_large(e.to_string()))?;
        let create = dfa.clone();
        Ok(Automaton { dfa, caches: Pool::new(Box::new(move || create.create_cache())) })
    }

    /// The states from which the automaton is built.
    pub(super) fn nfa(&self) -> &NFA {
        self.dfa.get_nfa()
    }

    /// Where the first match to end in `haystack[from..]` ends.
    pub(super) fn first_end(&self, haystack: &[u8], from: usize) -> Option<usize> {
        self.search(&Input::new(haystack).range(from..).earliest(true))
    }

    /// Where the longest match that starts at `start` and ends at or before `limit` ends.
    pub(super) fn longest_end(&self, line: &[u8], start: usize, limit: usize) -> Option<usize> {
        self.search(&Input::new(line).range(start..limit).anchored(Anchored::Yes))
    }

    fn search(&self, input: &Input<'_>) -> Option<usize> {
        let mut cache = self.caches.get();
        // It neither quits nor gives up: there are no quit bytes, and when its memory is full it
        // starts anew as often as it must.
        self.dfa.try_search_fwd(&mut cache, input).ok().flatten().map(|half| half.offset())
    }
}
