//! The Node binding: options in, results out, cancellation, panics caught. No loop over user data.

mod cancel;
#[cfg(unix)]
mod capture;
#[cfg(unix)]
mod capture_options;
mod error;
mod number;
mod projection;
mod projection_file;
mod search;
mod task;
mod text;

use napi_derive::napi;

/// The version of the addon, equal to the npm package's.
#[napi]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}
