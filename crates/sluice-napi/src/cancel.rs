//! The cancel token as an object that JavaScript can hold.

use napi_derive::napi;
use sluice_core::CancelToken;

/// Stops a running job. One per call; `cancel` may be called at any time and any number of times.
#[napi]
#[derive(Default)]
pub struct Cancellation(pub(crate) CancelToken);

#[napi]
impl Cancellation {
    /// A token that is not cancelled.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks the job to stop at its next check.
    #[napi]
    pub fn cancel(&self) {
        self.0.cancel();
    }
}
