//! How far a running job is.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A counter of bytes read, shared between a job and whoever shows its progress. Cloning shares it.
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<AtomicU64>);

impl Progress {
    /// Bytes read so far.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.0.load(Ordering::Relaxed)
    }

    /// Adds to the counter.
    pub(crate) fn add(&self, bytes: u64) {
        self.0.fetch_add(bytes, Ordering::Relaxed);
    }
}
