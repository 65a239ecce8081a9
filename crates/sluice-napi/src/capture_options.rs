//! Options of a capture, as JavaScript gives them.

use std::time::Duration;

use napi_derive::napi;
use sluice_core::capture::{self, Finish, KeepLog, ViewStderr};
use sluice_core::log::{self, MemoryLimit};

/// What happens to a producer whose views have seen enough.
#[napi(string_enum = "kebab-case")]
pub enum FinishPolicy {
    /// Its pipe is closed, as the real view would have done.
    Stop,
    /// It runs on for the log, within the limits.
    RunOn,
}

/// Where the views' own error output goes.
#[napi(string_enum = "kebab-case")]
pub enum ViewErrorOutput {
    /// To the command's stderr.
    Inherit,
    /// To nowhere.
    Null,
    /// To stdout.
    Stdout,
    /// Into a file: the views run as written.
    Other,
}

/// When the log is kept as a file.
#[napi(string_enum = "kebab-case")]
pub enum LogPolicy {
    /// When the command was slow or the log outgrew its memory limit.
    Auto,
    /// Whatever happens.
    Always,
    /// Never.
    Never,
}

/// One window of the command.
#[napi(object, object_to_js = false)]
pub struct CaptureWindow {
    /// The text of its views; absent if the shell has to expand their words first.
    pub views: Option<String>,
    /// The views' names.
    pub names: Vec<String>,
    /// What happens once the views have seen enough.
    pub finish: FinishPolicy,
    /// Whether it can be seen how early the producer is stopped.
    pub stop_visible: bool,
    /// Where the views' error output goes.
    pub stderr: ViewErrorOutput,
}

/// How a command is captured.
#[napi(object, object_to_js = false)]
pub struct CaptureOptions {
    /// A word that only this command's shell function knows.
    pub nonce: String,
    /// The windows; the shell counts them from 1.
    pub windows: Vec<CaptureWindow>,
    /// The folder of the log.
    pub log_dir: String,
    /// 16 hexadecimal digits.
    pub log_id: String,
    /// When the log is kept.
    pub keep_log: LogPolicy,
    /// Up to how many bytes the log stays in memory.
    pub log_memory_bytes: f64,
    /// Up to how many lines the log stays in memory.
    pub log_memory_lines: f64,
    /// From how many milliseconds on a command is slow.
    pub slow_ms: f64,
    /// How many more bytes a producer may write once its views have seen enough.
    pub finish_bytes: f64,
    /// How many more milliseconds such a producer may run.
    pub finish_ms: f64,
    /// How many bytes of each stream the result holds.
    pub max_output_bytes: f64,
}

impl CaptureOptions {
    pub(crate) fn into_core(self) -> sluice_core::Result<capture::CaptureOptions> {
        // The stream of messages is cut at this word.
        if self.nonce.len() < 8 || !self.nonce.bytes().all(|byte| byte.is_ascii_alphanumeric()) {
            let why = "the nonce is not 8 or more letters and digits";
            return Err(sluice_core::Error::InvalidArgument(why.to_owned()));
        }
        // The shell is told this path, and it has a working folder of its own.
        let log_dir = std::path::absolute(&self.log_dir)
            .map_err(|error| sluice_core::Error::io(self.log_dir.as_str(), error))?;
        let windows = self.windows.into_iter().map(|window| capture::WindowOptions {
            views: window.views,
            names: window.names,
            finish: match window.finish {
                FinishPolicy::Stop => Finish::Stop,
                FinishPolicy::RunOn => Finish::RunOn,
            },
            stop_visible: window.stop_visible,
            stderr: match window.stderr {
                ViewErrorOutput::Inherit => ViewStderr::Inherit,
                ViewErrorOutput::Null => ViewStderr::Null,
                ViewErrorOutput::Stdout => ViewStderr::Stdout,
                ViewErrorOutput::Other => ViewStderr::Other,
            },
        });
        Ok(capture::CaptureOptions {
            nonce: self.nonce,
            windows: windows.collect(),
            log_path: log_dir.join(log::file_name(&self.log_id)?),
            keep_log: match self.keep_log {
                LogPolicy::Auto => KeepLog::Auto,
                LogPolicy::Always => KeepLog::Always,
                LogPolicy::Never => KeepLog::Never,
            },
            log_limit: MemoryLimit {
                bytes: count(self.log_memory_bytes),
                lines: count(self.log_memory_lines),
            },
            slow_after: millis(self.slow_ms),
            finish_bytes: count(self.finish_bytes),
            finish_time: millis(self.finish_ms),
            max_output_bytes: usize::try_from(count(self.max_output_bytes)).unwrap_or(usize::MAX),
        })
    }
}

/// A count from a JavaScript number: negative and NaN are 0, infinity is the largest count.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates as documented")]
fn count(value: f64) -> u64 {
    value as u64
}

/// Milliseconds from a JavaScript number, at most about a hundred years so that deadlines stay representable.
pub(crate) fn millis(value: f64) -> Duration {
    Duration::from_millis(count(value).min(1000 * 60 * 60 * 24 * 365 * 100))
}
