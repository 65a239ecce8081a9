//! Projections of files.

use std::path::PathBuf;

use napi::Status;
use napi::bindgen_prelude::{AsyncTask, Buffer, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use sluice_core::pipeline::{FileProjection, Watch, project_file as project};
use sluice_core::{CancelToken, Progress};

use crate::cancel::Cancellation;
use crate::error::Result;
use crate::projection::{Pipeline, ViewEnv};
use crate::task::{self, Job};

/// How many pieces of output may wait for JavaScript; then the projection waits too.
const QUEUE: usize = 4;

type OnOutput = ThreadsafeFunction<Buffer, (), Buffer, Status, false, false, QUEUE>;

/// How much of a file has been read. May be asked at any time.
#[napi]
#[derive(Default)]
pub struct ReadProgress(Progress);

#[napi]
impl ReadProgress {
    /// Nothing read yet.
    #[napi(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Bytes read so far, a safe integer.
    #[napi(getter)]
    pub fn bytes(&self) -> f64 {
        number(self.0.bytes())
    }
}

/// How a file is projected.
#[napi(object, object_to_js = false)]
pub struct FileOptions<'a> {
    /// Environment variables that views read.
    pub env: ViewEnv,
    /// Whether the result holds the output.
    pub collect: bool,
    /// Is called with each piece of the output, in order. The last calls may come after the promise has settled.
    #[napi(ts_type = "(piece: Buffer) => void")]
    pub on_output: Option<Function<'a, Buffer, ()>>,
}

/// What a finished projection of a file knows. Counts are safe integers.
#[napi(object, object_from_js = false)]
pub struct FileProjectionResult {
    /// The whole output; empty if it was not to be collected.
    pub output: Buffer,
    /// The length of the whole output in bytes.
    pub output_bytes: f64,
    /// What the views write to standard error.
    pub stderr: String,
    /// The exit code of the last view.
    pub exit_code: i32,
    /// Lines of input, if they were counted; an unterminated last line counts.
    pub input_lines: Option<f64>,
    /// Bytes of input, if reading began at the start of the file.
    pub input_bytes: Option<f64>,
}

struct Collected {
    end: FileProjection,
    output: Vec<u8>,
    output_bytes: u64,
}

impl From<Collected> for FileProjectionResult {
    fn from(done: Collected) -> Self {
        FileProjectionResult {
            output: done.output.into(),
            output_bytes: number(done.output_bytes),
            stderr: done.end.stderr,
            exit_code: done.end.exit_code,
            input_lines: done.end.input_lines.map(number),
            input_bytes: done.end.input_bytes.map(number),
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn number(count: u64) -> f64 {
    count as f64
}

/// Projects a file on the pool, reading only what the views need. Rejects with `IO`, `ABORTED`,
/// `NEEDS_REAL_TOOL` or `UNSUPPORTED_VIEW`.
#[napi(ts_return_type = "Promise<FileProjectionResult>")]
pub fn project_file(
    path: String,
    pipeline: &Pipeline,
    options: FileOptions<'_>,
    progress: &ReadProgress,
    cancellation: &Cancellation,
) -> Result<AsyncTask<Job<FileProjectionResult, FileProjectionResult>>> {
    let failed = |error: napi::Error| napi::Error::new("INTERNAL", error.to_string());
    let on_output: Option<OnOutput> = options
        .on_output
        .map(|callback| callback.build_threadsafe_function().max_queue_size::<QUEUE>().build())
        .transpose()
        .map_err(failed)?;
    let (path, pipeline, env, collect) =
        (PathBuf::from(path), pipeline.0.clone(), options.env.into(), options.collect);
    let watch = Watch { token: cancellation.0.clone(), progress: progress.0.clone() };
    Ok(task::spawn(
        move || {
            let mut output = Vec::new();
            let mut output_bytes = 0;
            let end = project(&path, &pipeline, &env, &watch, &mut |piece| {
                output_bytes += piece.len() as u64;
                let collected = collect && !output.is_empty();
                if collected {
                    output.extend_from_slice(&piece);
                } else if collect && on_output.is_some() {
                    output = piece.clone();
                } else if collect {
                    output = piece;
                    return Ok(());
                }
                match &on_output {
                    Some(callback) => deliver(callback, piece, &watch.token),
                    None => Ok(()),
                }
            })?;
            Ok(Collected { end, output, output_bytes }.into())
        },
        |done| done,
    ))
}

/// Waits while the queue is full. A process that is going away counts as a cancellation.
fn deliver(callback: &OnOutput, piece: Vec<u8>, token: &CancelToken) -> sluice_core::Result<()> {
    token.check()?;
    match callback.call(piece.into(), ThreadsafeFunctionCallMode::Blocking) {
        Status::Ok => Ok(()),
        _ => Err(sluice_core::Error::Aborted),
    }
}
