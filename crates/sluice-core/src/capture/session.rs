//! The windows of one command: what happens when they begin, deliver and end.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::PathBuf;
use std::time::{Duration, Instant};

use rustix::event::PollFlags;
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process};

use super::active::Active;
use super::feed::Feed;
use super::protocol::{Begin, Message};
use super::sinks::Sinks;
use super::source::enlarge;
use super::window::{Mode, decide};
use super::{CaptureOptions, Finish, ViewStderr, WindowEnd};
use crate::{Error, Result};

/// From how many runs on a window in a loop runs as written, where a relay costs a few milliseconds each time.
const MANY_RUNS: u64 = 200;
/// From how many bytes on a producer's pipe is worth enlarging.
const LARGE: u64 = 64 * 1024;

pub(super) struct Session<'a> {
    options: &'a CaptureOptions,
    pub(super) sinks: Sinks<'a>,
    active: Option<Active>,
    pub(super) windows: Vec<WindowEnd>,
    pub(super) last_window: Option<usize>,
    pub(super) pipe_status: Option<Vec<i32>>,
    pub(super) view_time: Duration,
    spool: Option<PathBuf>,
    /// What the shell waits for, not yet sent.
    pub(super) replies: Vec<String>,
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
            replies: Vec::new(),
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
                Mode::Replay { already_out } | Mode::Feed(Feed { already_out, .. }) => {
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
    pub(super) fn on_data(&mut self, bytes: &[u8]) -> Result<()> {
        let Some(active) = &mut self.active else { return Ok(()) };
        active.add(bytes, self.sinks.log.bytes());
        match &mut active.mode {
            Mode::Native(native) => {
                let replayable = native.may_need_real_tool();
                if replayable {
                    self.sinks.log_for_replay(bytes);
                } else {
                    self.sinks.log(bytes);
                }
                let began = Instant::now();
                native.push(bytes);
                self.view_time += began.elapsed();
                if native.has_ended() && active.enough.is_none() {
                    active.enough = Some((Instant::now(), active.input.bytes));
                }
                // A log that fails has what came until now, and nothing of what comes.
                let lost = replayable && !native.has_ended() && self.sinks.log.failure().is_some();
                if active.direct && (native.needs_real_tool() || lost) {
                    return self.replay();
                }
            }
            Mode::Feed(feed) => {
                self.sinks.log(bytes);
                if !feed.is_left() {
                    feed.push(bytes);
                }
            }
            Mode::RealWithLog | Mode::Plain | Mode::Replay { .. } => self.sinks.log(bytes),
        }
        self.stop_producer_if_due();
        Ok(())
    }

    /// Reads the producer's pipe, if the engine has it, until it is empty or at least `limit` bytes have come, or as far
    /// as the real views want.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the views cannot be given what the engine has.
    pub(super) fn read_source(&mut self, limit: usize, block: &mut [u8]) -> Result<()> {
        let mut total = 0;
        while total < limit {
            let Some(active) = &mut self.active else { break };
            let mut size = block.len();
            if let Mode::Native(native) = &active.mode {
                size = size.min(native.block(active.input.bytes));
            }
            if let Mode::Feed(feed) = &mut active.mode
                && !feed.is_left()
            {
                if !feed.flush(&self.sinks.log)? {
                    break;
                }
                if active.source.is_none() {
                    feed.finish();
                    break;
                }
                size = size.min(feed.block());
            }
            let Some(source) = &active.source else { break };
            match rustix::io::read(source, &mut block[..size]) {
                Err(Errno::INTR) => {}
                Err(Errno::AGAIN) => break,
                Ok(0) | Err(_) => active.source = None,
                Ok(count) => {
                    total += count;
                    if matches!(&active.mode, Mode::Native(native) if !native.may_end_early())
                        && (active.input.bytes..active.input.bytes + count as u64).contains(&LARGE)
                    {
                        enlarge(source);
                    }
                    self.on_data(&block[..count])?;
                }
            }
        }
        Ok(())
    }

    /// What has to happen before [`Session::read_source`] can go on.
    pub(super) fn source_event(&self) -> Option<(BorrowedFd<'_>, PollFlags)> {
        let active = self.active.as_ref()?;
        let views = if let Mode::Feed(feed) = &active.mode { feed.waits_for() } else { None };
        let source = || active.source.as_ref().map(|source| (source.as_fd(), PollFlags::IN));
        views.map(|views| (views, PollFlags::OUT)).or_else(source)
    }

    /// Ends a window that no message will end. Everything written before its end has been read.
    ///
    /// # Errors
    ///
    /// As [`Session::on_message`].
    pub(super) fn end_if_over(&mut self) -> Result<()> {
        if self.active.as_ref().is_some_and(Active::is_over) { self.end() } else { Ok(()) }
    }

    /// As [`Session::replay`], for views that a relay has read everything for: a file for them, which the shell reads.
    fn replay_file(&mut self) -> Result<()> {
        let Some(active) = &mut self.active else { return Ok(()) };
        let mut name = self.options.log_path.clone().into_os_string();
        name.push(".window");
        let path = self.spool.insert(PathBuf::from(name));
        self.sinks.log.copy_ranges(&active.in_log, path)?;
        self.replies.push(format!("{} x{}", active.tag, path.display()));
        active.mode = Mode::Replay { already_out: active.output.bytes };
        self.windows[active.index].native = false;
        Ok(())
    }

    /// The real views take over, from the window's first byte on.
    fn replay(&mut self) -> Result<()> {
        let Some(active) = &mut self.active else { return Ok(()) };
        let paced = matches!(&active.mode, Mode::Native(native) if native.is_paced());
        let feed = Feed::replaying(std::mem::take(&mut active.in_log), active.output.bytes, paced)?;
        self.replies.push(format!("{} f{}", active.tag, feed.number()));
        active.mode = Mode::Feed(feed);
        self.windows[active.index].native = false;
        Ok(())
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

    /// Handles a message. Everything written before it has been read. `source` is the pipe of the process that sent it,
    /// where it can be had.
    ///
    /// # Errors
    ///
    /// [`Error::InvalidArgument`] if the message fits no window, [`Error::Io`] if the real views cannot be given what the
    /// engine has.
    pub(super) fn on_message(&mut self, message: Message, source: Option<OwnedFd>) -> Result<()> {
        match message {
            Message::Begin(begin) => self.begin(&begin, source),
            Message::Relay { window, pid } => {
                if let Some(active) = self.active.as_mut().filter(|a| a.index + 1 == window) {
                    active.relay = Some(pid);
                }
                self.stop_producer_if_due();
                Ok(())
            }
            Message::End { window } => {
                let Some(active) = self.active.as_mut().filter(|a| a.index + 1 == window) else {
                    return Err(unexpected(window));
                };
                if let Mode::Feed(feed) = &mut active.mode {
                    feed.leave();
                    active.enough = active.source.as_ref().map(|_| (Instant::now(), active.input.bytes));
                    self.stop_producer_if_due();
                    return self.end_if_over();
                }
                self.end()
            }
            Message::PipeStatus(status) => {
                self.pipe_status = Some(status);
                Ok(())
            }
        }
    }

    fn begin(&mut self, begin: &Begin, source: Option<OwnedFd>) -> Result<()> {
        let index = begin.window.wrapping_sub(1);
        let window = self.options.windows.get(index).ok_or_else(|| unexpected(begin.window))?;
        match &self.active {
            // Two windows at once: a background job has one. The second runs as written.
            Some(Active { mode: Mode::Native(_), .. }) => {
                self.replies.push(format!("{} p", begin.tag));
                return Ok(());
            }
            // Its views ended without a word: there were no means to make the copy, or its shell is gone.
            Some(_) => self.end()?,
            None => {}
        }
        let often = source.is_none() && self.windows[index].runs >= MANY_RUNS;
        let retains = self.sinks.log.failure().is_none();
        let mode = if often { Mode::Plain } else { decide(window, begin, source.is_some(), retains)? };
        let direct = source.is_some();
        let answer = match &mode {
            Mode::Native(_) if direct => "d".to_owned(),
            Mode::Native(_) => "n".to_owned(),
            Mode::RealWithLog => "r".to_owned(),
            Mode::Feed(feed) => format!("f{}", feed.number()),
            Mode::Plain | Mode::Replay { .. } => "p".to_owned(),
        };
        let end = &mut self.windows[index];
        end.runs += 1;
        end.native = matches!(mode, Mode::Native(_));
        end.logged = !matches!(mode, Mode::Plain);
        if end.logged {
            let finish = if begin.pipefail { Finish::Stop } else { window.finish };
            self.active = Some(Active::new(index, &begin.tag, mode, finish, source));
        }
        self.replies.push(format!("{} {answer}", begin.tag));
        // `head -n 0` has seen enough already.
        if self.has_preview() { self.on_data(&[]) } else { Ok(()) }
    }

    /// Ends the running window and answers with its status.
    fn end(&mut self) -> Result<()> {
        let Some(mut active) = self.active.take() else { return Err(unexpected(0)) };
        let mut code = None;
        if let Mode::Native(native) = &mut active.mode {
            let began = Instant::now();
            native.finish();
            self.view_time += began.elapsed();
            if native.needs_real_tool() {
                let direct = active.direct;
                self.active = Some(active);
                return if direct { self.replay() } else { self.replay_file() };
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
        self.replies.push(format!("{} {}", active.tag, code.unwrap_or(0)));
        Ok(())
    }

    /// Ends the producer once its views have seen enough and nothing is gained by letting it go on.
    pub(super) fn stop_producer_if_due(&mut self) {
        let Some(active) = &mut self.active else { return };
        let Some((since, bytes)) = active.enough else { return };
        let due = active.finish == Finish::Stop
            || active.input.bytes - bytes > self.options.finish_bytes
            || since.elapsed() >= self.options.finish_time;
        if !due {
            return;
        }
        if active.source.take().is_some() {
            self.windows[active.index].stopped = true;
        } else if let Some(pid) = active.relay.take().and_then(Pid::from_raw) {
            // SIGPIPE, as if the view had closed its pipe. A relay that has just ended is no loss.
            let _ = kill_process(pid, Signal::PIPE);
            self.windows[active.index].stopped = true;
        }
    }

    /// When [`Session::stop_producer_if_due`] must be called even if nothing happens.
    pub(super) fn producer_deadline(&self) -> Option<Instant> {
        let active = self.active.as_ref()?;
        (active.relay.is_some() || active.source.is_some()).then_some(())?;
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
}

fn unexpected(window: usize) -> Error {
    Error::InvalidArgument(format!("no such window now: {window}"))
}
