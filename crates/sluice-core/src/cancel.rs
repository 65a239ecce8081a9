//! Cooperative cancellation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::{Error, Result};

/// A flag shared between the caller and a running job. Cloning shares the flag.
///
/// Every loop over input of unbounded size calls [`CancelToken::check`] at least once per block
/// (at most 1 MiB), so that a job ends within milliseconds of [`CancelToken::cancel`].
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicBool>);

impl CancelToken {
    /// Asks the job to stop. Takes effect at its next check; cannot be undone.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether [`CancelToken::cancel`] was called.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// # Errors
    ///
    /// [`Error::Aborted`] once the token was cancelled.
    pub fn check(&self) -> Result<()> {
        if self.is_cancelled() { Err(Error::Aborted) } else { Ok(()) }
    }
}
