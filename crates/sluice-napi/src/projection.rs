//! Projections: a pipeline parsed once, and a projector that takes chunks.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;
use sluice_core::pipeline::{self, ProjectionEnd};
use sluice_core::view;

use crate::error::Result;
use crate::task::{self, Job, sync};

/// Environment variables that views read; absent is unset.
#[napi(object, object_to_js = false)]
#[derive(Default)]
pub struct ViewEnv {
    /// `LC_ALL`
    pub lc_all: Option<String>,
    /// `LC_CTYPE`
    pub lc_ctype: Option<String>,
    /// `LANG`
    pub lang: Option<String>,
    /// `GREP_COLORS`
    pub grep_colors: Option<String>,
}

impl From<ViewEnv> for view::ViewEnv {
    fn from(env: ViewEnv) -> Self {
        view::ViewEnv {
            lc_all: env.lc_all,
            lc_ctype: env.lc_ctype,
            lang: env.lang,
            grep_colors: env.grep_colors,
            ..view::ViewEnv::default()
        }
    }
}

/// What a finished projection knows. Counts are safe integers.
#[napi(object, object_from_js = false)]
pub struct ProjectionResult {
    /// The bytes written since the last push, at the end of the stream.
    pub output: Buffer,
    /// What the views write to standard error.
    pub stderr: String,
    /// The exit code of the last view.
    pub exit_code: i32,
    /// Lines of input; an unterminated last line counts.
    pub input_lines: f64,
    /// Bytes of input.
    pub input_bytes: f64,
}

#[allow(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn result(end: ProjectionEnd, output: Vec<u8>) -> ProjectionResult {
    ProjectionResult {
        output: output.into(),
        stderr: end.stderr,
        exit_code: end.exit_code,
        input_lines: end.input_lines as f64,
        input_bytes: end.input_bytes as f64,
    }
}

/// A parsed chain of views.
#[napi]
pub struct Pipeline(pub(crate) pipeline::Pipeline);

#[napi]
impl Pipeline {
    /// Parses text such as `grep FAIL | tail -5`; throws `UNSUPPORTED_VIEW` with the word that was not understood.
    #[napi(factory)]
    pub fn parse(text: String) -> Result<Self> {
        sync(|| pipeline::Pipeline::parse(&text)).map(Pipeline)
    }
}

/// Runs a pipeline over chunks. The work per call is bounded by the chunk.
#[napi]
pub struct Projector(Arc<Mutex<pipeline::Projector>>);

#[napi]
impl Projector {
    /// Throws `UNSUPPORTED_VIEW` if a view cannot be exact in this environment.
    #[napi(factory)]
    pub fn create(pipeline: &Pipeline, env: ViewEnv) -> Result<Self> {
        let projector = sync(|| pipeline::Projector::new(&pipeline.0, &env.into()))?;
        Ok(Projector(Arc::new(Mutex::new(projector))))
    }

    /// Pushes a chunk, on the calling thread, and returns what the last view writes for it.
    #[napi]
    pub fn push(&self, chunk: &[u8]) -> Result<Buffer> {
        sync(|| push(&self.0, chunk)).map(Buffer::from)
    }

    /// As `push`, on the pool; the chunk is copied. Wait for one call before the next.
    #[napi(ts_return_type = "Promise<Buffer>")]
    pub fn push_later(&self, chunk: &[u8]) -> AsyncTask<Job<Vec<u8>, Buffer>> {
        let (projector, chunk) = (self.0.clone(), chunk.to_vec());
        task::spawn(move || push(&projector, &chunk), Buffer::from)
    }

    /// True once further input changes neither output nor exit code.
    #[napi(getter)]
    pub fn satisfied(&self) -> Result<bool> {
        sync(|| Ok(lock(&self.0).satisfied()))
    }

    /// Ends the stream.
    #[napi]
    pub fn finish(&self) -> Result<ProjectionResult> {
        let mut out = Vec::new();
        let end = sync(|| lock(&self.0).finish(&mut out))?;
        Ok(result(end, out))
    }
}

/// After a panic in a push the views are in an unknown but memory-safe state, and the caller has its error.
fn lock(projector: &Mutex<pipeline::Projector>) -> MutexGuard<'_, pipeline::Projector> {
    projector.lock().unwrap_or_else(PoisonError::into_inner)
}

fn push(projector: &Mutex<pipeline::Projector>, chunk: &[u8]) -> sluice_core::Result<Vec<u8>> {
    let mut out = Vec::new();
    lock(projector).push(chunk, &mut out)?;
    Ok(out)
}

/// Projects bytes in memory here and now, in one call. For small input only.
#[napi]
pub fn project_now(pipeline: &Pipeline, env: ViewEnv, input: &[u8]) -> Result<ProjectionResult> {
    sync(|| {
        let mut projector = pipeline::Projector::new(&pipeline.0, &env.into())?;
        let mut out = Vec::new();
        projector.push(input, &mut out)?;
        let end = projector.finish(&mut out)?;
        Ok(result(end, out))
    })
}
