//! The engine of Sluice. It knows bytes and files only: no Node, no napi, no JavaScript strings.
//!
//! * [`view`]: one type per view (`head`, `tail`, `grep`, …) behind the trait [`view::View`];
//! * [`capture`]: runs a command's windows while the shell runs the command, and keeps the [`log`];
//! * [`pipeline`]: parses `grep FAIL | tail -5`, composes the views and drives bytes through them;
//! * [`truncate`]: line and byte totals of text; [`lines`]: windows of lines out of files of any size;
//! * [`search`] and [`find`]: lines and paths of a tree, over the ordered parallel [`walk`].
//!
//! ```
//! use sluice_core::pipeline::{Pipeline, Projector};
//! use sluice_core::view::ViewEnv;
//!
//! let pipeline = Pipeline::parse("head -3 | tail -1")?;
//! let mut projector = Projector::new(&pipeline, &ViewEnv::default())?;
//! let mut out = Vec::new();
//! projector.push(b"a\nb\nc\nd\n", &mut out)?;
//! let end = projector.finish(&mut out)?;
//! assert_eq!(out, b"c\n");
//! assert_eq!(end.exit_code, 0);
//! # Ok::<(), sluice_core::Error>(())
//! ```

#![forbid(unsafe_code)]

pub mod cancel;
#[cfg(unix)]
pub mod capture;
pub mod error;
mod file_state;
pub mod find;
pub mod lines;
pub mod list;
pub mod log;
pub mod matcher;
pub mod pipeline;
pub mod progress;
pub mod search;
pub mod truncate;
pub mod view;
pub mod walk;

pub use cancel::CancelToken;
pub use error::{Error, Result};
pub use progress::Progress;
