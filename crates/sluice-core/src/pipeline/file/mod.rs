//! Projects a file, reading only what the views need: the start, the end, or all of it on every core.
//!
//! However a file is read, output and exit code are those of [`super::Projector`] over its bytes.
//! Reading a file of more than 32 MiB from its end takes the part that is not read to be text, after a look
//! at the first 32 KiB: a NUL byte in between, which would make GNU grep call the file binary, goes unseen.
//!
//! ```
//! use sluice_core::pipeline::{Pipeline, Watch, project_file};
//! use sluice_core::view::ViewEnv;
//!
//! # let file = tempfile::NamedTempFile::new().unwrap();
//! # std::fs::write(file.path(), "a\nb\nc\n").unwrap();
//! # let path = file.path();
//! let pipeline = Pipeline::parse("tail -2")?;
//! let mut shown = Vec::new();
//! let (env, watch) = (ViewEnv::default(), Watch::default());
//! let end = project_file(path, &pipeline, &env, &watch, &mut |piece| {
//!     shown.extend_from_slice(&piece);
//!     Ok(())
//! })?;
//! assert_eq!((shown.as_slice(), end.exit_code), (&b"b\nc\n"[..], 0));
//! # Ok::<(), sluice_core::Error>(())
//! ```

mod block;
mod forward;
mod local;
mod parallel;
mod plan;
mod rest;
mod reverse;
mod sieve;
mod source;
mod stream;
#[cfg(test)]
mod tests;

use std::path::Path;

use self::block::Geometry;
use self::plan::Plan;
use self::source::Source;
use super::{Pipeline, Projector};
use crate::view::ViewEnv;
use crate::{CancelToken, Progress, Result};

/// Takes the output, piece by piece, in order.
pub type Sink<'a> = dyn FnMut(Vec<u8>) -> Result<()> + 'a;

/// What connects a running job with its caller. Cloning shares it.
#[derive(Clone, Debug, Default)]
pub struct Watch {
    /// Stops the job, within one block.
    pub token: CancelToken,
    /// How much of the file has been read.
    pub progress: Progress,
}

/// What is known when a file has been projected.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FileProjection {
    /// The exit code of the last view.
    pub exit_code: i32,
    /// The exit code of every view, first to last; see [`super::ProjectionEnd::exit_codes`].
    pub exit_codes: Vec<i32>,
    /// What the views write to standard error, in stage order.
    pub stderr: String,
    /// Bytes that were read as the views' input, if reading began at the start of the file.
    pub input_bytes: Option<u64>,
    /// Lines among them, if they were counted; an unterminated last line counts.
    pub input_lines: Option<u64>,
}

/// Everything that the drivers need to know.
#[derive(Clone, Copy)]
struct Job<'a> {
    source: &'a Source,
    pipeline: &'a Pipeline,
    env: &'a ViewEnv,
    token: &'a CancelToken,
    geometry: Geometry,
}

/// Projects the file at `path`, of the size it has when it is opened, and passes the output to `sink` in
/// pieces of at most a few MiB. FIFOs and devices are read as streams until they end.
///
/// Memory is bounded by a few blocks of 1 MiB per thread and by what the views keep; a `grep` keeps a line until
/// its end, up to 256 MiB.
///
/// # Errors
///
/// [`crate::Error::Io`] if the file cannot be read, is a directory, or becomes shorter meanwhile;
/// [`crate::Error::Aborted`]; [`crate::Error::NeedsRealTool`], possibly after part of the output;
/// [`crate::Error::UnsupportedView`]; and whatever `sink` returns.
pub fn project_file(
    path: &Path,
    pipeline: &Pipeline,
    env: &ViewEnv,
    watch: &Watch,
    sink: &mut Sink<'_>,
) -> Result<FileProjection> {
    project_with(path, pipeline, env, watch, Geometry::REAL, sink)
}

fn project_with(
    path: &Path,
    pipeline: &Pipeline,
    env: &ViewEnv,
    watch: &Watch,
    geometry: Geometry,
    sink: &mut Sink<'_>,
) -> Result<FileProjection> {
    watch.token.check()?;
    let source = Source::open(path, watch.progress.clone())?;
    let job = Job { source: &source, pipeline, env, token: &watch.token, geometry };
    let Some(size) = source.size() else {
        return stream::unsized_source(job, sink);
    };
    match plan::plan(&pipeline.views, size, geometry) {
        Plan::Stream => stream::from_start(job, size, sink),
        Plan::Suffix => reverse::suffix(job, size, sink),
        Plan::Backward(local) => match reverse::backward(job, size, local, sink)? {
            Some(end) => Ok(end),
            None => forward::forward(job, size, local, sink),
        },
        Plan::Forward(local) => forward::forward(job, size, local, sink),
        Plan::Sieve(sieve) => sieve::sieved(job, size, sieve, sink),
    }
}
