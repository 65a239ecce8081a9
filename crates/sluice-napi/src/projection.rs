//! Projections: a pipeline parsed once, and a projector that takes chunks.

use napi::bindgen_prelude::{AsyncTask, Buffer};
use napi_derive::napi;
use sluice_core::pipeline::{self, ProjectionEnd};
use sluice_core::view;

use crate::cancel::Cancellation;
use crate::error::{Result, to_js};
use crate::task::{self, Job, Outcome, guarded};

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

pub(crate) fn sync<T>(work: impl FnOnce() -> sluice_core::Result<T>) -> Result<T> {
    match guarded(work) {
        Outcome::Done(value) => Ok(value),
        Outcome::Failed(error) => Err(to_js(error)),
        Outcome::Panicked(message) => Err(napi::Error::new("PANIC", format!("internal error: {message}"))),
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

/// Runs a pipeline over chunks on the calling thread. The work per call is bounded by the chunk.
#[napi]
pub struct Projector(pipeline::Projector);

#[napi]
impl Projector {
    /// Throws `UNSUPPORTED_VIEW` if a view cannot be exact in this environment.
    #[napi(factory)]
    pub fn create(pipeline: &Pipeline, env: ViewEnv) -> Result<Self> {
        sync(|| pipeline::Projector::new(&pipeline.0, &env.into())).map(Projector)
    }

    /// Pushes a chunk of any length and returns what the last view writes for it.
    #[napi]
    pub fn push(&mut self, chunk: &[u8]) -> Result<Buffer> {
        let mut out = Vec::new();
        sync(|| self.0.push(chunk, &mut out))?;
        Ok(out.into())
    }

    /// True once further input changes neither output nor exit code.
    #[napi(getter)]
    pub fn satisfied(&self) -> bool {
        self.0.satisfied()
    }

    /// Ends the stream.
    #[napi]
    pub fn finish(&mut self) -> Result<ProjectionResult> {
        let mut out = Vec::new();
        let end = sync(|| self.0.finish(&mut out))?;
        Ok(result(end, out))
    }
}

/// Projects bytes in memory on the pool. The input is copied, since JavaScript may write to it meanwhile.
#[napi(ts_return_type = "Promise<ProjectionResult>")]
pub fn project_bytes(
    pipeline: &Pipeline,
    env: ViewEnv,
    input: &[u8],
    cancellation: &Cancellation,
) -> AsyncTask<Job<(ProjectionEnd, Vec<u8>), ProjectionResult>> {
    let (pipeline, env, input, token) =
        (pipeline.0.clone(), env.into(), input.to_vec(), cancellation.0.clone());
    task::spawn(
        move || {
            let mut projector = pipeline::Projector::new(&pipeline, &env)?;
            let mut out = Vec::new();
            for block in input.chunks(1 << 20) {
                token.check()?;
                projector.push(block, &mut out)?;
            }
            let end = projector.finish(&mut out)?;
            Ok((end, out))
        },
        |(end, out)| result(end, out),
    )
}
