//! Capturing a command: JavaScript spawns the shell, the engine reads its pipes on a thread of its own.

use std::os::fd::AsRawFd;
use std::path::PathBuf;

use napi::Status;
use napi::bindgen_prelude::{Buffer, Function};
use napi::threadsafe_function::{ThreadsafeFunction, ThreadsafeFunctionCallMode};
use napi_derive::napi;
use sluice_core::capture::{self, CaptureEnd, ChildEnds, Control, Event, Kept, Stream, WindowEnd};
use sluice_core::log;

use crate::capture_options::{CaptureOptions, millis};
use crate::error::Result;
use crate::task::{Outcome, guarded, sync};

/// How many reports may wait for JavaScript; then the capture, and so the command, waits too.
const QUEUE: usize = 16;

type OnEvent = ThreadsafeFunction<CaptureEvent, (), CaptureEvent, Status, false, false, QUEUE>;

/// File descriptors for the child's stdio, valid until `start`.
#[napi(object, object_from_js = false)]
pub struct CaptureFds {
    /// For the child's fd 1.
    pub stdout: i32,
    /// For the child's fd 2.
    pub stderr: i32,
    /// For the child's fd 7.
    pub data: i32,
    /// For the child's fd 8.
    pub announce: i32,
    /// For the child's fd 9.
    pub reply: i32,
    /// The engine's own end of stdout's pipe, with which the shell compares its stdout.
    pub own_stdout: i32,
}

/// One report: output, or a preview, or the end, or a failure.
#[napi(object, object_from_js = false)]
#[derive(Default)]
pub struct CaptureEvent {
    /// Output in its final order.
    pub output: Option<Buffer>,
    /// With output: whether it is stderr's.
    pub is_stderr: Option<bool>,
    /// The running window's provisional output.
    pub preview: Option<Buffer>,
    /// The last report: the result.
    pub end: Option<CaptureResult>,
    /// The last report: why there is no result.
    pub failure: Option<CaptureFailure>,
}

/// Why a capture failed.
#[napi(object, object_from_js = false)]
pub struct CaptureFailure {
    /// A stable code.
    pub code: String,
    /// One sentence.
    pub message: String,
}

/// The last bytes of a stream.
#[napi(object, object_from_js = false)]
pub struct KeptBytes {
    /// The bytes.
    pub bytes: Buffer,
    /// Whether earlier ones were dropped.
    pub truncated: bool,
}

impl From<Kept> for KeptBytes {
    fn from(kept: Kept) -> Self {
        KeptBytes { bytes: kept.bytes.into(), truncated: kept.truncated }
    }
}

/// What a window was and did. Counts are safe integers.
#[napi(object, object_from_js = false)]
pub struct WindowResult {
    /// Whether the engine projected it; if not, the real views ran.
    pub native: bool,
    /// Whether its producer was stopped because the views had seen enough.
    pub stopped: bool,
    /// Whether its bytes are in the log.
    pub logged: bool,
    /// How often it ran.
    pub runs: f64,
    /// The status that the shell was given last, if the engine projected it.
    pub exit_code: Option<i32>,
    /// Lines that went in.
    pub input_lines: f64,
    /// Bytes that went in.
    pub input_bytes: f64,
    /// Lines that came out.
    pub output_lines: f64,
    /// Bytes that came out.
    pub output_bytes: f64,
}

impl From<WindowEnd> for WindowResult {
    fn from(end: WindowEnd) -> Self {
        WindowResult {
            native: end.native,
            stopped: end.stopped,
            logged: end.logged,
            runs: number(end.runs),
            exit_code: end.exit_code,
            input_lines: number(end.input_lines),
            input_bytes: number(end.input_bytes),
            output_lines: number(end.output_lines),
            output_bytes: number(end.output_bytes),
        }
    }
}

/// Everything known when a command has ended. Times are milliseconds, counts safe integers.
#[napi(object, object_from_js = false)]
pub struct CaptureResult {
    /// stdout and stderr in order of arrival, projections in place.
    pub output: KeptBytes,
    /// stdout with the projections in place.
    pub stdout: KeptBytes,
    /// stderr.
    pub stderr: KeptBytes,
    /// The log's file, if it was kept.
    pub log_path: Option<String>,
    /// Bytes of unprojected output.
    pub log_bytes: f64,
    /// Lines of unprojected output.
    pub log_lines: f64,
    /// Why the log's file is missing or incomplete.
    pub log_failure: Option<String>,
    /// The windows, in text order.
    pub windows: Vec<WindowResult>,
    /// The index of the window that ended last.
    pub last_window: Option<u32>,
    /// `PIPESTATUS` of the last pipeline, if the shell reported it.
    pub pipe_status: Option<Vec<i32>>,
    /// Time spent in views.
    pub view_ms: f64,
    /// Time from start to end.
    pub total_ms: f64,
}

impl From<CaptureEnd> for CaptureResult {
    fn from(end: CaptureEnd) -> Self {
        CaptureResult {
            output: end.output.into(),
            stdout: end.stdout.into(),
            stderr: end.stderr.into(),
            log_path: end.log.path.map(|path| path.to_string_lossy().into_owned()),
            log_bytes: number(end.log.bytes),
            log_lines: number(end.log.lines),
            log_failure: end.log.failure,
            windows: end.windows.into_iter().map(Into::into).collect(),
            last_window: end.last_window.and_then(|index| u32::try_from(index).ok()),
            pipe_status: end.pipe_status,
            view_ms: end.view_time.as_secs_f64() * 1e3,
            total_ms: end.total_time.as_secs_f64() * 1e3,
        }
    }
}

#[allow(clippy::cast_precision_loss, reason = "counts stay below 2^53")]
fn number(count: u64) -> f64 {
    count as f64
}

/// A command that is about to be spawned, and then runs.
#[napi]
pub struct Capture {
    waiting: Option<(capture::Capture, OnEvent)>,
    child: Option<ChildEnds>,
    own_stdout: i32,
    control: Option<Control>,
}

#[napi]
impl Capture {
    /// Makes the pipes. `onEvent` is called in order; its last call has `end` or `failure`. Throws `IO` if
    /// the process is out of file descriptors, `INVALID_ARGUMENT` for a malformed log id.
    #[napi(factory)]
    pub fn create(
        options: CaptureOptions,
        #[napi(ts_arg_type = "(event: CaptureEvent) => void")] on_event: Function<'_, CaptureEvent, ()>,
    ) -> Result<Self> {
        let failed = |error: napi::Error| napi::Error::new("INTERNAL", error.to_string());
        let on_event =
            on_event.build_threadsafe_function().max_queue_size::<QUEUE>().build().map_err(failed)?;
        let (capture, child) = sync(|| options.into_core().and_then(capture::Capture::new))?;
        Ok(Capture {
            own_stdout: capture.stdout().as_raw_fd(),
            control: Some(capture.control()),
            child: Some(child),
            waiting: Some((capture, on_event)),
        })
    }

    /// The descriptors to spawn with. Throws after `start`.
    #[napi(getter)]
    pub fn fds(&self) -> Result<CaptureFds> {
        let child = self.child.as_ref().ok_or_else(started)?;
        Ok(CaptureFds {
            stdout: child.stdout.as_raw_fd(),
            stderr: child.stderr.as_raw_fd(),
            data: child.data.as_raw_fd(),
            announce: child.announce.as_raw_fd(),
            reply: child.reply.as_raw_fd(),
            own_stdout: self.own_stdout,
        })
    }

    /// Closes the child's ends here and starts reading. Call it once, right after the spawn.
    #[napi]
    pub fn start(&mut self) -> Result<()> {
        let (capture, on_event) = self.waiting.take().ok_or_else(started)?;
        self.child = None;
        let work = move || {
            let report = |event| {
                // A closing environment takes no more events, and nobody is left to tell.
                let _ = on_event.call(event, ThreadsafeFunctionCallMode::Blocking);
            };
            let outcome = guarded(|| {
                capture.run(&mut |event| {
                    report(match event {
                        Event::Output(stream, bytes) => CaptureEvent {
                            output: Some(bytes.into()),
                            is_stderr: Some(stream == Stream::Stderr),
                            ..CaptureEvent::default()
                        },
                        Event::Preview(bytes) => {
                            CaptureEvent { preview: Some(bytes.into()), ..CaptureEvent::default() }
                        }
                    });
                })
            });
            let failure = |code: &str, message: String| CaptureEvent {
                failure: Some(CaptureFailure { code: code.to_owned(), message }),
                ..CaptureEvent::default()
            };
            report(match outcome {
                Outcome::Done(end) => CaptureEvent { end: Some(end.into()), ..CaptureEvent::default() },
                Outcome::Failed(error) => failure(error.code(), error.to_string()),
                Outcome::Panicked(message) => failure("PANIC", format!("internal error: {message}")),
            });
        };
        std::thread::Builder::new()
            .name("sluice-capture".to_owned())
            .spawn(work)
            .map(drop)
            .map_err(|error| napi::Error::new("IO", format!("no thread for the capture: {error}")))
    }

    /// Gives every descriptor back that this object still holds: after the end, or if the spawn failed.
    #[napi]
    pub fn close(&mut self) {
        self.child = None;
        self.waiting = None;
        self.control = None;
    }

    /// The shell has exited.
    #[napi]
    pub fn exited(&self) {
        if let Some(control) = &self.control {
            control.exited();
        }
    }

    /// Ends the capture now, with what there is.
    #[napi]
    pub fn stop(&self) {
        if let Some(control) = &self.control {
            control.stop();
        }
    }
}

fn started() -> napi::Error<&'static str> {
    napi::Error::new("INVALID_ARGUMENT", "the capture has started already")
}

/// Removes logs older than `olderThanMs` milliseconds from `dir`, on the pool; resolves with how many went.
#[napi(ts_return_type = "Promise<number>")]
pub fn purge_logs(
    dir: String,
    older_than_ms: f64,
) -> napi::bindgen_prelude::AsyncTask<crate::task::Job<u64, f64>> {
    crate::task::spawn(
        move || {
            if older_than_ms.is_nan() {
                return Err(sluice_core::Error::InvalidArgument("an age that is not a number".to_owned()));
            }
            log::purge(&PathBuf::from(dir), millis(older_than_ms))
        },
        number,
    )
}
