//! The windows of one command: what happens when they begin, deliver and end.

use std::io::Read;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::protocol::{Begin, Message};
use super::sinks::Sinks;
use super::window::{Mode, decide};
use super::{CaptureOptions, Finish, ViewStderr, WindowEnd};
use crate::log;
use crate::{Error, Result};

/// From how many runs on a window in a loop runs as written: the handoff costs a few milliseconds each time.
const MANY_RUNS: u64 = 200;

/// The window that runs now.
struct Active {
    index: usize,
    mode: Mode,
    relay: Option<i32>,
    /// When the views had seen enough, and how many bytes had come by then.
    enough: Option<(Instant, u64)>,
    input: Count,
    output: Count,
    /// How many bytes had come at the last preview.
    previewed: u64,
    /// Where its bytes are in the log: offset and length of each run.
    in_log: Vec<(u64, u64)>,
}

/// Lines and bytes of a stream.
#[derive(Clone, Copy, Default)]
struct Count {
    bytes: u64,
    newlines: u64,
    open_line: bool,
}

impl Count {
    fn add(&mut self, bytes: &[u8]) {
        if let Some(&last) = bytes.last() {
            self.bytes += bytes.len() as u64;
            self.newlines += memchr::memchr_iter(b'\n', bytes).count() as u64;
            self.open_line = last != b'\n';
        }
    }

    fn lines(self) -> u64 {
        self.newlines + u64::from(self.open_line)
    }
}

pub(super) struct Session<'a> {
    options: &'a CaptureOptions,
    pub(super) sinks: Sinks<'a>,
    active: Option<Active>,
    pub(super) windows: Vec<WindowEnd>,
    pub(super) last_window: Option<usize>,
    pub(super) pipe_status: Option<Vec<i32>>,
    pub(super) view_time: Duration,
    spool: Option<PathBuf>,
}

impl<'a> Session<'a> {
    pub(super) fn new(options: &'a CaptureOptions, sinks: Sinks<'a>) -> Self {
        Session {
            options,
            sinks,
            active: None,
            windows: vec![WindowEnd::default(); options.windows.len()],
            last_window: None,
            pipe_status: None,
            view_time: Duration::ZERO,
            spool: None,
        }
    }

    /// Bytes of the command's own stdout.
    pub(super) fn on_stdout(&mut self, bytes: &[u8]) {
        let mut visible = bytes;
        let mut logged = true;
        if let Some(active) = &mut self.active {
            match &mut active.mode {
                // The real views write: this is their projection, and their input is in the log.
                Mode::RealWithLog => logged = false,
                Mode::Replay { already_out } => {
                    let known = (*already_out).min(bytes.len() as u64);
                    *already_out -= known;
                    visible = &bytes[usize::try_from(known).unwrap_or(bytes.len())..];
                    logged = false;
                }
                Mode::Native(_) | Mode::Plain => {}
            }
            if !matches!(active.mode, Mode::Native(_)) {
                active.output.add(visible);
            }
        }
        if logged {
            self.sinks.log(bytes);
        }
        self.sinks.stdout(visible);
    }

    /// Bytes of the command's stderr.
    pub(super) fn on_stderr(&mut self, bytes: &[u8]) {
        self.sinks.log(bytes);
        self.sinks.stderr(bytes);
    }

    /// Bytes that go into the running window.
    pub(super) fn on_data(&mut self, bytes: &[u8]) {
        let Some(active) = &mut self.active else { return };
        active.input.add(bytes);
        let at = self.sinks.log.bytes();
        match active.in_log.last_mut() {
            Some((start, len)) if *start + *len == at => *len += bytes.len() as u64,
            _ => active.in_log.push((at, bytes.len() as u64)),
        }
        if matches!(&active.mode, Mode::Native(native) if native.may_need_real_tool()) {
            self.sinks.log_for_replay(bytes);
        } else {
            self.sinks.log(bytes);
        }
        let Mode::Native(native) = &mut active.mode else { return };
        let began = Instant::now();
        native.push(bytes);
        self.view_time += began.elapsed();
        if native.has_ended() && active.enough.is_none() {
            active.enough = Some((Instant::now(), active.input.bytes));
        }
        self.end_relay_if_due();
    }

    /// Output of the running window that the real tool would have written by now; called after everything
    /// that was written before it has been read.
    pub(super) fn place_output(&mut self) {
        let Some(Active { mode: Mode::Native(native), output, .. }) = &mut self.active else { return };
        let bytes = native.take_flushed();
        output.add(&bytes);
        self.sinks.stdout(&bytes);
    }

    /// The running window's provisional output.
    pub(super) fn preview(&mut self) {
        let Some(Active { mode: Mode::Native(native), input, previewed, .. }) = &mut self.active else {
            return;
        };
        if *previewed != input.bytes {
            *previewed = input.bytes;
            self.sinks.preview(native.preview());
        }
    }

    /// Handles a message and returns what the shell waits for. Everything written before it has been read.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if the message fits no window.
    pub(super) fn on_message(&mut self, message: Message) -> Result<Option<String>> {
        match message {
            Message::Begin(begin) => self.begin(&begin).map(Some),
            Message::Relay { window, pid } => {
                if let Some(active) = self.active.as_mut().filter(|a| a.index + 1 == window) {
                    active.relay = Some(pid);
                }
                self.end_relay_if_due();
                Ok(None)
            }
            Message::End { window } => {
                if self.active.as_ref().is_none_or(|a| a.index + 1 != window) {
                    return Err(unexpected(window));
                }
                self.end().map(Some)
            }
            Message::PipeStatus(status) => {
                self.pipe_status = Some(status);
                Ok(None)
            }
        }
    }

    fn begin(&mut self, begin: &Begin) -> Result<String> {
        let index = begin.window.wrapping_sub(1);
        let window = self.options.windows.get(index).ok_or_else(|| unexpected(begin.window))?;
        match &self.active {
            // Two windows at once: a background job has one. The second runs as written.
            Some(Active { mode: Mode::Native(_), .. }) => return Ok("p".to_owned()),
            // The shell had no means to make the copy, so it does not tell the end of its views either.
            Some(_) => drop(self.end()?),
            None => {}
        }
        let often = self.windows[index].runs >= MANY_RUNS;
        let mode = if often { Mode::Plain } else { decide(window, begin) };
        let answer = match &mode {
            Mode::Native(_) => "n",
            Mode::RealWithLog => "r",
            Mode::Plain | Mode::Replay { .. } => "p",
        };
        let end = &mut self.windows[index];
        end.runs += 1;
        end.native = matches!(mode, Mode::Native(_));
        end.logged = !matches!(mode, Mode::Plain);
        if !matches!(mode, Mode::Plain) {
            self.active = Some(Active {
                index,
                mode,
                relay: None,
                enough: None,
                input: Count::default(),
                output: Count::default(),
                previewed: 0,
                in_log: Vec::new(),
            });
        }
        Ok(answer.to_owned())
    }

    fn end(&mut self) -> Result<String> {
        let Some(mut active) = self.active.take() else { return Err(unexpected(0)) };
        let mut code = None;
        if let Mode::Native(native) = &mut active.mode {
            let began = Instant::now();
            native.finish();
            self.view_time += began.elapsed();
            if native.needs_real_tool() {
                let path = self.write_spool(&active)?;
                let already_out = active.output.bytes;
                active.mode = Mode::Replay { already_out };
                self.windows[active.index].native = false;
                self.active = Some(active);
                return Ok(format!("x{}", path.display()));
            }
            let text = native.stderr();
            match self.options.windows[active.index].stderr {
                ViewStderr::Inherit => self.sinks.stderr(text.as_bytes()),
                ViewStderr::Stdout => self.sinks.stdout(text.as_bytes()),
                ViewStderr::Null | ViewStderr::Other => {}
            }
            let bytes = native.take_flushed();
            active.output.add(&bytes);
            self.sinks.stdout(&bytes);
            code = Some(native.exit_code());
        }
        if let Some(path) = self.spool.take() {
            // Best effort: it lies in the temporary folder under a name of ours.
            let _ = std::fs::remove_file(path);
        }
        let end = &mut self.windows[active.index];
        end.exit_code = code;
        end.input_lines += active.input.lines();
        end.input_bytes += active.input.bytes;
        end.output_lines += active.output.lines();
        end.output_bytes += active.output.bytes;
        self.last_window = Some(active.index);
        Ok(code.unwrap_or(0).to_string())
    }

    /// Ends the relay once its window has seen enough and nothing is gained by letting it go on.
    pub(super) fn end_relay_if_due(&mut self) {
        let Some(active) = &mut self.active else { return };
        let Mode::Native(native) = &active.mode else { return };
        let (Some((since, bytes)), Some(pid)) = (active.enough, active.relay) else { return };
        let due = native.finish == Finish::Stop
            || active.input.bytes - bytes > self.options.finish_bytes
            || since.elapsed() >= self.options.finish_time;
        if due && let Some(pid) = Pid::from_raw(pid) {
            // SIGPIPE, as if the view had closed its pipe. A relay that has just ended is no loss.
            let _ = kill_process(pid, Signal::PIPE);
            active.relay = None;
            self.windows[active.index].stopped = true;
        }
    }

    /// When [`Session::end_relay_if_due`] must be called even if nothing happens.
    pub(super) fn relay_deadline(&self) -> Option<Instant> {
        let active = self.active.as_ref()?;
        active.relay?;
        active.enough.map(|(since, _)| since + self.options.finish_time)
    }

    /// Whether a native window runs.
    pub(super) fn has_preview(&self) -> bool {
        matches!(&self.active, Some(Active { mode: Mode::Native(_), .. }))
    }

    /// Ends what still runs when the command is gone: its projection is of what arrived.
    pub(super) fn close(&mut self) {
        if self.active.is_some() {
            // Without a shell there is nobody to run the real tool; what the engine knows is already out.
            let _ = self.end();
            self.active = None;
        }
        if let Some(path) = self.spool.take() {
            let _ = std::fs::remove_file(path);
        }
    }

    /// Writes the window's input into a private file for the real tool.
    fn write_spool(&mut self, active: &Active) -> Result<PathBuf> {
        let mut name = self.options.log_path.clone().into_os_string();
        name.push(".window");
        let path = PathBuf::from(name);
        let fail = |error| Error::io(path.display().to_string(), error);
        let mut file = log::create(&path).map_err(fail)?;
        self.spool = Some(path.clone());
        for &(start, len) in &active.in_log {
            let mut range = self.sinks.log.read_range(start, len)?;
            let copied = std::io::copy(&mut range.by_ref().take(len), &mut file).map_err(fail)?;
            if copied != len {
                return Err(fail(std::io::ErrorKind::UnexpectedEof.into()));
            }
        }
        Ok(path)
    }
}

fn unexpected(window: usize) -> Error {
    Error::InvalidArgument(format!("no such window now: {window}"))
}
