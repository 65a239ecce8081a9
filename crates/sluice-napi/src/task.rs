//! The one way to run work off the JavaScript thread.

use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi::{Env, Task};

use crate::error::{Result, to_js};

type Work<T> = Box<dyn FnOnce() -> sluice_core::Result<T> + Send>;

/// Work for the libuv pool. napi runs `compute` inside a plain `extern "C"` function, where a panic
/// would end the host process; here it becomes a rejection with the code `PANIC`.
pub struct Job<T, R> {
    work: Option<Work<T>>,
    convert: fn(T) -> R,
}

/// How a job ended, before it is turned into a JavaScript value.
pub enum Outcome<T> {
    /// The work's own result.
    Done(T),
    /// The engine's error.
    Failed(sluice_core::Error),
    /// The work panicked with this message.
    Panicked(String),
}

/// Runs `work` on the pool and resolves with `convert` of its result, made on the JavaScript thread.
pub(crate) fn spawn<T: Send + 'static, R: ToNapiValue + TypeName + 'static>(
    work: impl FnOnce() -> sluice_core::Result<T> + Send + 'static,
    convert: fn(T) -> R,
) -> AsyncTask<Job<T, R>> {
    AsyncTask::new(Job { work: Some(Box::new(work)), convert })
}

/// Runs `work` here and now; every export does its work in here or in [`spawn`]. An engine error is thrown with its
/// code, a panic with the code `PANIC`.
pub(crate) fn sync<T>(work: impl FnOnce() -> sluice_core::Result<T>) -> Result<T> {
    match guarded(work) {
        Outcome::Done(value) => Ok(value),
        Outcome::Failed(error) => Err(to_js(error)),
        Outcome::Panicked(message) => Err(napi::Error::new("PANIC", format!("internal error: {message}"))),
    }
}

/// Runs `work` here and now, with panics caught.
pub(crate) fn guarded<T>(work: impl FnOnce() -> sluice_core::Result<T>) -> Outcome<T> {
    let work = || {
        injected();
        work()
    };
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(Ok(value)) => Outcome::Done(value),
        Ok(Err(error)) => Outcome::Failed(error),
        Err(payload) => {
            let message = payload
                .downcast_ref::<&str>()
                .map(|s| (*s).to_owned())
                .or_else(|| payload.downcast_ref::<String>().cloned())
                .unwrap_or_else(|| "no message".to_owned());
            // A payload may panic again when it is dropped.
            std::mem::forget(payload);
            Outcome::Panicked(message)
        }
    }
}

/// Panics where a test asks for it; only in a build with debug assertions, which no release is.
fn injected() {
    #[cfg(debug_assertions)]
    assert!(std::env::var_os("SLUICE_INJECT_PANIC").is_none(), "injected");
}

impl<T: Send + 'static, R: ToNapiValue + TypeName + 'static> Task for Job<T, R> {
    type Output = Outcome<T>;
    type JsValue = R;

    fn compute(&mut self) -> napi::Result<Self::Output> {
        Ok(match self.work.take() {
            Some(work) => guarded(work),
            None => Outcome::Panicked("the job ran twice".to_owned()),
        })
    }

    fn resolve(&mut self, env: Env, output: Self::Output) -> napi::Result<Self::JsValue> {
        let (code, message) = match output {
            Outcome::Done(value) => return Ok((self.convert)(value)),
            Outcome::Failed(error) => (error.code(), error.to_string()),
            Outcome::Panicked(message) => ("PANIC", format!("internal error: {message}")),
        };
        let error = napi::JsError::from(napi::Error::new(code, message)).into_unknown(env);
        Err(napi::Error::from(error))
    }
}
