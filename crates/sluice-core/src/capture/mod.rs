//! Capturing a command: the shell runs it, the engine reads its pipes, projects its windows, keeps the log.
//!
//! The caller spawns a shell whose stdout, stderr and fds 7, 8 and 9 are the [`ChildEnds`] of a [`Capture`],
//! and whose text calls the function described in `docs/guard.md` in place of each window's views. On its own
//! thread, [`Capture::run`] reads until the command has ended:
//!
//! * fd 7 carries a window's bytes, fd 8 what the shell announces, fd 9 the engine's answers;
//! * when a window begins, the engine decides what the shell shall do: hand the bytes over, run the views as
//!   written with a copy for the log, or run them as if the engine were not there;
//! * the shell waits for the window's exit status before it goes on, so everything it wrote earlier is in
//!   the pipes when the engine places the projection, and nothing later is: the order is exact without marks.

mod active;
mod ask;
mod control;
mod engine;
mod feed;
mod output;
mod protocol;
mod session;
mod sinks;
mod source;
mod tools;
mod window;

use std::path::PathBuf;
use std::time::Duration;

pub use control::Control;
pub use engine::{Capture, ChildEnds};

use crate::log::MemoryLimit;

/// What happens to a producer whose views have seen enough.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Its pipe is closed, as the real view would have done.
    Stop,
    /// It runs on for the log, up to [`CaptureOptions::finish_bytes`] and [`CaptureOptions::finish_time`].
    RunOn,
}

/// Where the views' own error output goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ViewStderr {
    /// To the command's stderr.
    Inherit,
    /// `2>/dev/null`
    Null,
    /// `2>&1`
    Stdout,
    /// Into a file: the views run as written.
    Other,
}

/// When the log is kept as a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeepLog {
    /// When the command was slow or the log outgrew its memory limit.
    Auto,
    /// Whatever happens.
    Always,
    /// Never.
    Never,
}

/// One window of the command.
#[derive(Clone, Debug)]
pub struct WindowOptions {
    /// The text of its views, or `None` if the shell has to expand their words first.
    pub views: Option<String>,
    /// The views' names, first to last.
    pub names: Vec<String>,
    /// What happens once the views have seen enough.
    pub finish: Finish,
    /// Whether it can be seen how early the producer is stopped: the command looks at its status (`PIPESTATUS`),
    /// or it complains when its pipe is closed.
    pub stop_visible: bool,
    /// Where the views' error output goes.
    pub stderr: ViewStderr,
}

/// How a command is captured.
#[derive(Clone, Debug)]
pub struct CaptureOptions {
    /// A word that only this command's shell function knows.
    pub nonce: String,
    /// The windows; the shell counts them from 1.
    pub windows: Vec<WindowOptions>,
    /// Where the log goes if it becomes a file.
    pub log_path: PathBuf,
    /// When it is kept.
    pub keep_log: KeepLog,
    /// Up to which size it stays in memory.
    pub log_limit: MemoryLimit,
    /// From when on a command counts as slow.
    pub slow_after: Duration,
    /// How many more bytes a producer may write once its views have seen enough.
    pub finish_bytes: u64,
    /// How much longer such a producer may run.
    pub finish_time: Duration,
    /// How many bytes of each stream the result holds; the last ones are kept.
    pub max_output_bytes: usize,
}

/// What a window was and did.
#[derive(Clone, Debug, Default)]
pub struct WindowEnd {
    /// Whether the engine projected it; if not, the real views ran.
    pub native: bool,
    /// Whether its producer was stopped because the views had seen enough.
    pub stopped: bool,
    /// Whether its bytes are in the log.
    pub logged: bool,
    /// How often it ran (a window may be in a loop).
    pub runs: u64,
    /// The status that the shell was given for its last run.
    pub exit_code: Option<i32>,
    /// Lines and bytes that went in, over all runs.
    pub input_lines: u64,
    /// See [`WindowEnd::input_lines`].
    pub input_bytes: u64,
    /// Lines and bytes that came out, over all runs.
    pub output_lines: u64,
    /// See [`WindowEnd::output_lines`].
    pub output_bytes: u64,
}

/// The last bytes of a stream.
#[derive(Clone, Debug, Default)]
pub struct Kept {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// Whether earlier ones were dropped.
    pub truncated: bool,
}

/// The log of a finished command.
#[derive(Clone, Debug, Default)]
pub struct LogEnd {
    /// The file, if it was kept.
    pub path: Option<PathBuf>,
    /// Bytes of unprojected output.
    pub bytes: u64,
    /// Lines of unprojected output.
    pub lines: u64,
    /// Why the file is missing or incomplete.
    pub failure: Option<String>,
}

/// Everything known when a command has ended.
#[derive(Clone, Debug, Default)]
pub struct CaptureEnd {
    /// stdout and stderr in order of arrival, projections in place.
    pub output: Kept,
    /// stdout with the projections in place.
    pub stdout: Kept,
    /// stderr.
    pub stderr: Kept,
    /// The log.
    pub log: LogEnd,
    /// The windows, in the order of [`CaptureOptions::windows`].
    pub windows: Vec<WindowEnd>,
    /// The index of the window that ended last.
    pub last_window: Option<usize>,
    /// `PIPESTATUS` of the command's last pipeline, if the shell reported it.
    pub pipe_status: Option<Vec<i32>>,
    /// Time spent in views.
    pub view_time: Duration,
    /// Time from the start to the end.
    pub total_time: Duration,
    /// Something else wrote into the engine's pipes: the windows from then on ran as written.
    pub garbled: bool,
}

/// Which stream bytes belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stream {
    /// The command's stdout.
    Stdout,
    /// The command's stderr.
    Stderr,
}

/// What a running capture reports.
#[derive(Debug)]
pub enum Event {
    /// Output in its final order.
    Output(Stream, Vec<u8>),
    /// The projection of the running window as far as it is known and not yet placed.
    Preview(Vec<u8>),
}
