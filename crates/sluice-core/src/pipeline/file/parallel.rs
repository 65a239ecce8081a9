//! Works on blocks with several threads and hands the results over in order.

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use super::block::{Extent, Geometry};
use crate::{Error, Result};

/// More threads than this gain nothing: two already read as fast as memory allows.
const MAX_THREADS: usize = 4;
/// How many blocks may be worked on or wait for their turn, per thread. Bounds the memory.
const BLOCKS_PER_THREAD: usize = 2;

/// What one thread does with a block.
pub(super) trait Worker: Send {
    /// The result for one block.
    type Output: Send;

    /// Works on the lines of `extent`.
    ///
    /// # Errors
    ///
    /// The first error, in the order of the blocks, ends the whole run.
    fn run(&mut self, extent: Extent) -> Result<Self::Output>;
}

/// What the threads share.
struct State<I, T> {
    extents: I,
    exhausted: bool,
    /// Blocks taken and not yet handed over, first to last.
    slots: VecDeque<Option<Result<T>>>,
    /// How many blocks were handed over.
    delivered: usize,
    stop: bool,
    /// Threads that have not ended.
    alive: usize,
}

struct Shared<I, T> {
    state: Mutex<State<I, T>>,
    /// Something for the caller: a result, or the end of a thread.
    ready: Condvar,
    /// Something for the threads: room for another block, or the stop.
    room: Condvar,
}

impl<I, T> Shared<I, T> {
    /// A thread that panicked has not left the state half changed: no user code runs under the lock.
    fn lock(&self) -> MutexGuard<'_, State<I, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the caller that a thread has ended, and everybody if it was by a panic: its block will never be ready.
struct Alive<'a, I, T>(&'a Shared<I, T>);

impl<I, T> Drop for Alive<'_, I, T> {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.alive -= 1;
        state.stop |= std::thread::panicking();
        drop(state);
        self.0.ready.notify_all();
        self.0.room.notify_all();
    }
}

/// Stops the threads when the caller is done, even by a panic or an error.
struct StopAtEnd<'a, I, T>(&'a Shared<I, T>);

impl<I, T> Drop for StopAtEnd<'_, I, T> {
    fn drop(&mut self) {
        self.0.lock().stop = true;
        self.0.room.notify_all();
    }
}

/// Works on `extents` on the calling thread for a while, then on more threads, and passes each result to
/// `accept` in the order of `extents`, until there are no more or `accept` breaks. Returns the workers.
///
/// # Errors
///
/// The first error of a worker or of `accept`.
///
/// # Panics
///
/// If a worker does.
pub(super) fn drive<I, W>(
    geometry: Geometry,
    mut extents: I,
    make_worker: impl Fn() -> Result<W>,
    mut accept: impl FnMut(W::Output) -> Result<ControlFlow<()>>,
) -> Result<Vec<W>>
where
    I: Iterator<Item = Extent> + Send,
    W: Worker,
{
    let mut alone = make_worker()?;
    let mut bytes = 0;
    while bytes < geometry.alone {
        let Some(extent) = extents.next() else { return Ok(vec![alone]) };
        bytes += extent.end - extent.start;
        if accept(alone.run(extent)?)?.is_break() {
            return Ok(vec![alone]);
        }
    }
    let mut workers = ordered(extents, make_worker, accept)?;
    workers.push(alone);
    Ok(workers)
}

/// Runs a worker per thread over `extents` and passes each result to `accept`, on the calling thread and in
/// the order of `extents`, until there are no more or `accept` breaks. Returns the workers.
///
/// # Errors
///
/// The first error of a worker or of `accept`; [`Error::Io`] if no thread can be started.
///
/// # Panics
///
/// If a worker does.
fn ordered<I, W>(
    extents: I,
    make_worker: impl Fn() -> Result<W>,
    mut accept: impl FnMut(W::Output) -> Result<ControlFlow<()>>,
) -> Result<Vec<W>>
where
    I: Iterator<Item = Extent> + Send,
    W: Worker,
{
    let threads = std::thread::available_parallelism().map_or(1, usize::from).min(MAX_THREADS);
    let workers = (0..threads).map(|_| make_worker()).collect::<Result<Vec<_>>>()?;
    let shared = Shared {
        state: Mutex::new(State {
            extents,
            exhausted: false,
            slots: VecDeque::new(),
            delivered: 0,
            stop: false,
            alive: 0,
        }),
        ready: Condvar::new(),
        room: Condvar::new(),
    };
    std::thread::scope(|scope| {
        let mut handles = Vec::with_capacity(threads);
        {
            let _stop = StopAtEnd(&shared);
            for worker in workers {
                let shared = &shared;
                shared.lock().alive += 1;
                let run = move || work(shared, worker, threads * BLOCKS_PER_THREAD);
                match std::thread::Builder::new().name("sluice-search".into()).spawn_scoped(scope, run) {
                    Ok(handle) => handles.push(handle),
                    Err(error) => {
                        shared.lock().alive -= 1;
                        // One thread is enough, if slower.
                        if handles.is_empty() {
                            return Err(Error::io("a thread for the search", error));
                        }
                    }
                }
            }
            while let Some(result) = next(&shared) {
                if accept(result?)?.is_break() {
                    break;
                }
            }
        }
        let mut workers = Vec::with_capacity(threads);
        for handle in handles {
            match handle.join() {
                Ok(worker) => workers.push(worker),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        Ok(workers)
    })
}

/// The next result in order; `None` once all were handed over, or when a thread died with a block in hand.
fn next<I, T>(shared: &Shared<I, T>) -> Option<Result<T>> {
    let mut state = shared.lock();
    loop {
        if matches!(state.slots.front(), Some(Some(_))) {
            state.delivered += 1;
            shared.room.notify_one();
            return state.slots.pop_front().flatten();
        }
        if state.alive == 0 || (state.exhausted && state.slots.is_empty()) {
            return None;
        }
        state = shared.ready.wait(state).unwrap_or_else(PoisonError::into_inner);
    }
}

/// One thread: takes blocks in order until there are no more.
fn work<I: Iterator<Item = Extent>, W: Worker>(
    shared: &Shared<I, W::Output>,
    mut worker: W,
    ahead: usize,
) -> W {
    let _alive = Alive(shared);
    loop {
        let (index, extent) = {
            let mut state = shared.lock();
            while !state.stop && state.slots.len() >= ahead {
                state = shared.room.wait(state).unwrap_or_else(PoisonError::into_inner);
            }
            if state.stop || state.exhausted {
                return worker;
            }
            let Some(extent) = state.extents.next() else {
                state.exhausted = true;
                return worker;
            };
            state.slots.push_back(None);
            (state.delivered + state.slots.len() - 1, extent)
        };
        let result = worker.run(extent);
        let mut state = shared.lock();
        let slot = index - state.delivered;
        state.slots[slot] = Some(result);
        if slot == 0 {
            shared.ready.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;

    const REAL: Geometry = Geometry::REAL;

    /// Answers with the start of the block, later blocks sooner.
    struct Echo(u64);

    impl Worker for Echo {
        type Output = u64;

        fn run(&mut self, extent: Extent) -> Result<u64> {
            self.0 += 1;
            if extent.start % (3 * REAL.block) < REAL.block {
                std::thread::sleep(std::time::Duration::from_micros(300));
            }
            Ok(extent.start)
        }
    }

    #[test]
    fn results_come_in_order() {
        let size = 64 * REAL.block;
        let want: Vec<u64> = REAL.forward(size).map(|extent| extent.start).collect();
        let mut got = Vec::new();
        let workers = ordered(
            REAL.forward(size),
            || Ok(Echo(0)),
            |start| {
                got.push(start);
                Ok(ControlFlow::Continue(()))
            },
        )
        .unwrap();
        assert_eq!(got, want);
        assert_eq!(workers.iter().map(|worker| worker.0).sum::<u64>(), want.len() as u64);
    }

    #[test]
    fn stops_when_told_and_at_errors() {
        let size = 1000 * REAL.block;
        let mut seen = 0;
        let workers = ordered(
            REAL.forward(size),
            || Ok(Echo(0)),
            |_| {
                seen += 1;
                Ok(if seen == 5 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
            },
        )
        .unwrap();
        assert_eq!(seen, 5);
        let most = (5 + MAX_THREADS * BLOCKS_PER_THREAD) as u64;
        assert!(workers.iter().map(|worker| worker.0).sum::<u64>() <= most);
        let failed = ordered(REAL.forward(size), || Ok(Echo(0)), |_| Err(Error::Aborted));
        assert!(matches!(failed, Err(Error::Aborted)));
    }

    #[test]
    fn a_panic_reaches_the_caller() {
        struct Panics;
        impl Worker for Panics {
            type Output = ();
            fn run(&mut self, extent: Extent) -> Result<()> {
                assert!(extent.start < 8 * REAL.block, "on purpose");
                Ok(())
            }
        }
        let run = || ordered(REAL.forward(1 << 40), || Ok(Panics), |()| Ok(ControlFlow::Continue(())));
        assert!(catch_unwind(AssertUnwindSafe(run)).is_err());
    }
}
