//! Selected lines of a buffer, forwards and backwards.

use std::ops::Range;
use std::sync::Arc;

use super::automaton::Automaton;
use super::literal::LiteralSet;
use crate::Result;

/// Smallest stretch that [`Scanner::prev_line`] searches at once, in bytes.
const FIRST_WINDOW: usize = 512;

/// Largest stretch that [`Scanner::prev_line`] searches at once, in bytes.
const LAST_WINDOW: usize = 1 << 20;

/// Candidates after which a search by literals is judged.
const TRIAL: usize = 32;

/// Least distance of false candidates, in bytes, at which a search by literals is still faster
/// than an automaton.
const LEAST_DISTANCE: usize = 200;

/// Tells whether a line is selected.
type Decide<'d> = &'d dyn Fn(&[u8]) -> Result<bool>;

/// How lines that may be selected are found in a buffer.
#[derive(Debug)]
pub(super) struct Scanner {
    /// The byte that ends a line.
    pub(super) terminator: u8,
    /// What to look for.
    pub(super) strategy: Strategy,
}

/// What to look for.
#[derive(Debug)]
pub(super) enum Strategy {
    /// Every line is selected.
    Always,
    /// A line that contains one of these literals is selected.
    Literals(LiteralSet),
    /// Only lines that contain one of the literals, or that the automaton finds, can be.
    Automaton {
        /// Searched for first, if there are any.
        literals: Option<LiteralSet>,
        /// Matches in every line that is selected.
        automaton: Arc<Automaton>,
        /// It matches in no other line.
        exact: bool,
    },
}

impl Scanner {
    /// The first selected line that starts at or after `at`. `decide` is asked about candidates only.
    ///
    /// # Errors
    ///
    /// Those of `decide`; [`crate::Error::NeedsRealTool`] if the search takes too long.
    pub(super) fn next_line(
        &self,
        haystack: &[u8],
        at: usize,
        decide: Decide<'_>,
    ) -> Result<Option<Range<usize>>> {
        if at >= haystack.len() {
            return Ok(None);
        }
        match &self.strategy {
            Strategy::Always => Ok(Some(self.line_from(haystack, at))),
            Strategy::Literals(literals) => {
                let found = literals.find(haystack, at, haystack.len());
                Ok(found.map(|found| self.line_around(haystack, at, found.start)))
            }
            Strategy::Automaton { literals: None, automaton, exact } => {
                self.by_automaton(haystack, at, automaton, *exact, decide)
            }
            Strategy::Automaton { literals: Some(literals), automaton, exact } => {
                let mut from = at;
                for tried in 1.. {
                    let Some(found) = literals.find(haystack, from, haystack.len()) else { break };
                    let line = self.line_around(haystack, from, found.start);
                    if decide(&haystack[line.clone()])? {
                        return Ok(Some(line));
                    }
                    from = line.end + 1;
                    if from >= haystack.len() {
                        break;
                    }
                    if tried % TRIAL == 0 && from - at < tried * LEAST_DISTANCE {
                        return self.by_automaton(haystack, from, automaton, *exact, decide);
                    }
                }
                Ok(None)
            }
        }
    }

    fn by_automaton(
        &self,
        haystack: &[u8],
        mut at: usize,
        automaton: &Automaton,
        exact: bool,
        decide: Decide<'_>,
    ) -> Result<Option<Range<usize>>> {
        while at < haystack.len() {
            let Some(found) = automaton.first_end(haystack, at)? else { break };
            let line = self.line_around(haystack, at, found);
            if line.start >= haystack.len() {
                break;
            }
            if exact || decide(&haystack[line.clone()])? {
                return Ok(Some(line));
            }
            at = line.end + 1;
        }
        Ok(None)
    }

    /// The last selected line that ends at or before `end`.
    ///
    /// # Errors
    ///
    /// As [`Scanner::next_line`].
    pub(super) fn prev_line(
        &self,
        haystack: &[u8],
        end: usize,
        decide: Decide<'_>,
    ) -> Result<Option<Range<usize>>> {
        let mut end = end.min(haystack.len());
        let mut window = FIRST_WINDOW;
        while end > 0 {
            // From a line's start, at least `window` bytes, up to `end`.
            let start = match end.checked_sub(window) {
                None | Some(0) => 0,
                Some(start) => memchr::memrchr(self.terminator, &haystack[..start]).map_or(0, |i| i + 1),
            };
            let stretch = &haystack[..end];
            let mut last = None;
            let mut at = start;
            while let Some(line) = self.next_line(stretch, at, decide)? {
                at = line.end + 1;
                last = Some(line);
            }
            if last.is_some() {
                return Ok(last);
            }
            end = start;
            window = (window * 2).min(LAST_WINDOW);
        }
        Ok(None)
    }

    /// See [`super::Matcher::cut`].
    pub(super) fn cut(&self, line: &mut Vec<u8>) {
        match &self.strategy {
            Strategy::Always => line.truncate(1),
            Strategy::Literals(literals) => match literals.find(line, 0, line.len()) {
                Some(found) => {
                    line.truncate(found.end);
                    line.drain(..found.start);
                }
                // What is dropped cannot be part of a literal that ends later.
                None => drop(line.drain(..(line.len() + 1).saturating_sub(literals.longest().max(2)))),
            },
            Strategy::Automaton { .. } => {}
        }
    }

    fn line_from(&self, haystack: &[u8], start: usize) -> Range<usize> {
        let rest = &haystack[start..];
        start..start + memchr::memchr(self.terminator, rest).unwrap_or(rest.len())
    }

    /// The line that contains byte `inside`; it starts at or after `at`.
    fn line_around(&self, haystack: &[u8], at: usize, inside: usize) -> Range<usize> {
        let start = memchr::memrchr(self.terminator, &haystack[at..inside]).map_or(at, |i| at + i + 1);
        start..self.line_from(haystack, inside).end
    }
}

#[cfg(test)]
mod tests {
    use super::{FIRST_WINDOW, LAST_WINDOW};
    use crate::matcher::{Matcher, MatcherOptions, Syntax};

    fn matcher(pattern: &str) -> Matcher {
        let options = MatcherOptions { syntax: Syntax::Extended, ..MatcherOptions::default() };
        Matcher::new(&[pattern.as_bytes().to_vec()], &options).unwrap()
    }

    #[test]
    fn backwards_over_the_edges_of_windows() {
        let (literal, automaton) = (matcher("FAIL"), matcher("^[F]A?IL$"));
        for size in [FIRST_WINDOW, 2 * FIRST_WINDOW, 3 * FIRST_WINDOW + 1, 2 * LAST_WINDOW] {
            for behind in size - 6..size + 3 {
                let mut haystack = b"x\nFAIL\n".to_vec();
                haystack.resize(haystack.len() + behind, b'y');
                for matcher in [&literal, &automaton] {
                    assert_eq!(matcher.prev_line(&haystack, haystack.len()).unwrap(), Some(2..6), "{behind}");
                    assert_eq!(matcher.prev_line(&haystack, 2).unwrap(), None);
                }
            }
        }
    }

    #[test]
    fn empty_lines_and_ends() {
        let empty = matcher("^$");
        assert_eq!(empty.next_line(b"", 0).unwrap(), None);
        assert_eq!(empty.next_line(b"a\n", 0).unwrap(), None);
        assert_eq!(empty.next_line(b"a\n\n", 0).unwrap(), Some(2..2));
        assert_eq!(empty.prev_line(b"a\n\n", 3).unwrap(), Some(2..2));
        assert_eq!(empty.prev_line(b"a\n\n", 2).unwrap(), None);
        let all = matcher("");
        assert_eq!(all.next_line(b"a\nb", 2).unwrap(), Some(2..3));
        assert_eq!(all.next_line(b"a\n", 2).unwrap(), None);
        assert_eq!(all.prev_line(b"a\nb", 3).unwrap(), Some(2..3));
        assert_eq!(all.prev_line(b"a\nb", 0).unwrap(), None);
    }

    /// Many false candidates: the search by literals gives way to the automaton.
    #[test]
    fn frequent_candidates() {
        let matcher = matcher("FAIL[0-9]");
        let mut haystack = b"FAIL\n".repeat(1_000);
        haystack.extend_from_slice(b"FAIL7\n");
        assert_eq!(matcher.next_line(&haystack, 0).unwrap(), Some(5_000..5_005));
        assert_eq!(matcher.next_line(&haystack, 5_006).unwrap(), None);
    }
}
