//! Where captured bytes go: the result, the events, the log.

use super::output::LastBytes;
use super::{CaptureOptions, Event, KeepLog, Kept, LogEnd, Stream};
use crate::log::Log;

/// How much output is gathered before it is reported.
const REPORT: usize = 256 * 1024;

pub(super) struct Sinks<'a> {
    on_event: &'a mut dyn FnMut(Event),
    pub(super) log: Log,
    keep_log: KeepLog,
    output: LastBytes,
    stdout: LastBytes,
    stderr: LastBytes,
    pending: Vec<u8>,
    pending_stream: Stream,
}

impl<'a> Sinks<'a> {
    pub(super) fn new(options: &CaptureOptions, on_event: &'a mut dyn FnMut(Event)) -> Self {
        Sinks {
            on_event,
            log: Log::new(options.log_path.clone(), options.log_limit),
            keep_log: options.keep_log,
            output: LastBytes::new(options.max_output_bytes),
            stdout: LastBytes::new(options.max_output_bytes),
            stderr: LastBytes::new(options.max_output_bytes),
            pending: Vec::new(),
            pending_stream: Stream::Stdout,
        }
    }

    /// Bytes of the unprojected output.
    pub(super) fn log(&mut self, bytes: &[u8]) {
        if self.keep_log != KeepLog::Never {
            self.log.append(bytes);
        }
    }

    /// Bytes that the real tool may have to read again, whether or not a log is wanted.
    pub(super) fn log_for_replay(&mut self, bytes: &[u8]) {
        self.log.append(bytes);
    }

    /// Makes the log readable while the command runs.
    pub(super) fn publish_log(&mut self) {
        if self.keep_log != KeepLog::Never && self.log.bytes() > 0 {
            self.log.spill();
        }
    }

    /// Bytes of stdout that the agent sees.
    pub(super) fn stdout(&mut self, bytes: &[u8]) {
        self.stdout.append(bytes);
        self.visible(Stream::Stdout, bytes);
    }

    /// Bytes of stderr that the agent sees.
    pub(super) fn stderr(&mut self, bytes: &[u8]) {
        self.stderr.append(bytes);
        self.visible(Stream::Stderr, bytes);
    }

    fn visible(&mut self, stream: Stream, bytes: &[u8]) {
        self.output.append(bytes);
        if stream != self.pending_stream {
            self.report();
            self.pending_stream = stream;
        }
        self.pending.extend_from_slice(bytes);
        if self.pending.len() >= REPORT {
            self.report();
        }
    }

    /// Reports what has been gathered.
    pub(super) fn report(&mut self) {
        if !self.pending.is_empty() {
            (self.on_event)(Event::Output(self.pending_stream, std::mem::take(&mut self.pending)));
        }
    }

    pub(super) fn preview(&mut self, bytes: Vec<u8>) {
        (self.on_event)(Event::Preview(bytes));
    }

    /// The streams in the order output, stdout, stderr, and the log.
    pub(super) fn finish(mut self, slow: bool) -> ([Kept; 3], LogEnd) {
        self.report();
        let keep = match self.keep_log {
            KeepLog::Always => true,
            KeepLog::Auto => slow || self.log.exceeds_limit(),
            KeepLog::Never => false,
        };
        if keep {
            self.log.spill();
        } else {
            self.log.discard();
        }
        let log = LogEnd {
            path: self.log.path().map(ToOwned::to_owned),
            bytes: self.log.bytes(),
            lines: self.log.lines(),
            failure: self.log.failure().filter(|_| keep).map(ToOwned::to_owned),
        };
        let streams = [self.output, self.stdout, self.stderr].map(|stream| {
            let (bytes, truncated) = stream.into_bytes();
            Kept { bytes, truncated }
        });
        (streams, log)
    }
}
