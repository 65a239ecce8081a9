//! How the caller speaks to a running capture.

use std::os::fd::OwnedFd;
use std::sync::{Arc, Mutex, PoisonError};

use rustix::pipe::{PipeFlags, pipe_with};

use crate::{Error, Result};

/// A handle to a running capture; clones speak to the same one.
#[derive(Clone, Debug)]
pub struct Control {
    state: Arc<Mutex<State>>,
    wake: Arc<OwnedFd>,
}

#[derive(Clone, Copy, Debug, Default)]
pub(super) struct State {
    pub(super) exited: bool,
    pub(super) stop: bool,
}

impl Control {
    /// The handle, and the pipe end that becomes readable with each call.
    pub(super) fn new() -> Result<(Self, OwnedFd)> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC | PipeFlags::NONBLOCK)
            .map_err(|error| Error::io("pipe", error.into()))?;
        Ok((Control { state: Arc::default(), wake: Arc::new(write) }, read))
    }

    /// The shell has exited. The capture ends when its pipes do, or after 100 ms without a byte: a
    /// background process may hold them for ever.
    pub fn exited(&self) {
        self.set(|state| state.exited = true);
    }

    /// Ends the capture now, with what there is; the running window's projection is of what arrived.
    pub fn stop(&self) {
        self.set(|state| state.stop = true);
    }

    pub(super) fn state(&self) -> State {
        *self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn set(&self, change: impl FnOnce(&mut State)) {
        change(&mut self.state.lock().unwrap_or_else(PoisonError::into_inner));
        // A full pipe has woken the capture already.
        let _ = rustix::io::write(&*self.wake, b"!");
    }
}
