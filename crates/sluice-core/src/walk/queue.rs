//! The work that is left and the results so far, both in path order.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BinaryHeap};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// A piece of work, ordered by the smallest path it can yield.
pub(super) struct Task<W> {
    pub(super) key: Vec<u8>,
    pub(super) work: W,
}

// Reversed: a BinaryHeap yields its largest element.
impl<W> Ord for Task<W> {
    fn cmp(&self, other: &Self) -> Ordering {
        other.key.cmp(&self.key)
    }
}

impl<W> PartialOrd for Task<W> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<W> PartialEq for Task<W> {
    fn eq(&self, other: &Self) -> bool {
        self.key == other.key
    }
}

impl<W> Eq for Task<W> {}

/// What a worker hands in: new work, and what was found before it, with the path that orders that and its weight.
pub(super) struct Yield<W, F> {
    pub(super) tasks: Vec<Task<W>>,
    pub(super) found: Option<(Vec<u8>, u64, F)>,
}

impl<W, F> Default for Yield<W, F> {
    fn default() -> Self {
        Yield { tasks: Vec::new(), found: None }
    }
}

struct State<W, F> {
    tasks: BinaryHeap<Task<W>>,
    active: usize,
    stopped: bool,
    found: BTreeMap<Vec<u8>, (u64, F)>,
    total: u64,
    /// Once enough is found: what comes after this path is not needed.
    bound: Option<Vec<u8>>,
}

/// Shared by the workers of one walk.
pub(super) struct Queue<W, F> {
    state: Mutex<State<W, F>>,
    wake: Condvar,
    enough: u64,
}

impl<W, F> Queue<W, F> {
    /// A queue with one task. Results are wanted until their weights sum up to `enough`.
    pub(super) fn new(first: W, enough: u64) -> Self {
        let state = State {
            tasks: BinaryHeap::from([Task { key: Vec::new(), work: first }]),
            active: 0,
            stopped: false,
            found: BTreeMap::new(),
            total: 0,
            bound: None,
        };
        Queue { state: Mutex::new(state), wake: Condvar::new(), enough }
    }

    fn lock(&self) -> MutexGuard<'_, State<W, F>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the walk for all workers.
    pub(super) fn stop(&self) {
        let mut state = self.lock();
        state.stopped = true;
        state.tasks.clear();
        self.wake.notify_all();
    }

    /// Hands in what the last task yielded (if there was one) and takes the smallest task; waits for work, and
    /// returns `None` when there is none left.
    pub(super) fn next(&self, finished: Option<Yield<W, F>>) -> Option<Task<W>> {
        let mut state = self.lock();
        if let Some(yielded) = finished {
            state.active -= 1;
            let more = yielded.tasks.len();
            if !state.stopped {
                state.tasks.extend(yielded.tasks);
            }
            if let Some((key, weight, item)) = yielded.found {
                state.total += weight;
                state.found.insert(key, (weight, item));
            }
            state.drop_surplus(self.enough);
            if more > 1 || state.active == 0 {
                self.wake.notify_all();
            }
        }
        loop {
            let beyond = match (&state.bound, state.tasks.peek()) {
                (Some(bound), Some(task)) => task.key > *bound,
                _ => false,
            };
            if beyond {
                state.tasks.clear();
            }
            if let Some(task) = state.tasks.pop() {
                state.active += 1;
                return Some(task);
            }
            if state.stopped || state.active == 0 {
                self.wake.notify_all();
                return None;
            }
            state = self.wake.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// The results in path order.
    pub(super) fn into_found(self) -> Vec<F> {
        let state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        state.found.into_values().map(|(_, item)| item).collect()
    }
}

impl<W, F> State<W, F> {
    fn drop_surplus(&mut self, enough: u64) {
        while self.total >= enough {
            let Some(last) = self.found.last_entry() else { return };
            let weight = last.get().0;
            if self.total - weight < enough {
                if self.bound.as_ref() != Some(last.key()) {
                    self.bound = Some(last.key().clone());
                }
                return;
            }
            last.remove();
            self.total -= weight;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_smallest_results_that_are_enough() {
        let queue: Queue<&str, u32> = Queue::new("root", 3);
        let next = |finished| queue.next(finished).map(|task| task.work);
        assert_eq!(next(None), Some("root"));
        let task = |key: &str, work| Task { key: key.into(), work };
        let yielded = Yield {
            tasks: vec![task("c", "c"), task("a", "a"), task("d", "d")],
            found: Some((b"b".to_vec(), 2, 1)),
        };
        assert_eq!(next(Some(yielded)), Some("a"));
        let yielded = Yield { tasks: vec![task("a2", "a2")], found: Some((b"e".to_vec(), 2, 2)) };
        // b and e are enough, so d is still wanted, being smaller than e.
        assert_eq!(next(Some(yielded)), Some("a2"));
        let yielded = Yield { tasks: vec![], found: Some((b"a".to_vec(), 1, 3)) };
        // a and b are enough: c and d are not needed, and e is dropped.
        assert_eq!(next(Some(yielded)), None);
        assert_eq!(queue.into_found(), [3, 1]);
    }
}
