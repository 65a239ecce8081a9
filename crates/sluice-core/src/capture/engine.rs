//! The loop that reads a command's pipes.

use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use super::control::Control;
use super::protocol::{Message, Parser};
use super::session::Session;
use super::sinks::Sinks;
use super::source::{enlarge, open_input};
use super::{CaptureEnd, CaptureOptions, Event};
use crate::{Error, Result};

/// How long a capture waits for background writers once the shell has exited.
const QUIET: Duration = Duration::from_millis(100);
/// How often a running window's provisional output is reported.
const PREVIEW: Duration = Duration::from_millis(100);
/// One read.
const BLOCK: usize = 256 * 1024;
/// How much a stream may deliver before the others get their turn.
const TURN: usize = 4 * 1024 * 1024;
/// How many messages are handled before the caller's wishes are looked at again.
const MESSAGES: usize = 64;

/// The pipe ends that the child inherits; close them once it has been spawned.
#[derive(Debug)]
pub struct ChildEnds {
    /// Becomes fd 1.
    pub stdout: OwnedFd,
    /// Becomes fd 2.
    pub stderr: OwnedFd,
    /// Becomes fd 7.
    pub data: OwnedFd,
    /// Becomes fd 8.
    pub announce: OwnedFd,
    /// Becomes fd 9.
    pub reply: OwnedFd,
}

/// Our ends.
#[derive(Debug)]
struct OurEnds {
    stdout: OwnedFd,
    stderr: OwnedFd,
    data: OwnedFd,
    announce: OwnedFd,
    /// Closed once nobody can be answered any more: then every window runs as written.
    reply: Option<OwnedFd>,
    wake: OwnedFd,
}

/// A capture that has not started.
#[derive(Debug)]
pub struct Capture {
    options: CaptureOptions,
    ends: OurEnds,
    control: Control,
}

impl Capture {
    /// Makes the pipes. Every end is closed on exec, so that no other child inherits it.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the process is out of file descriptors.
    pub fn new(options: CaptureOptions) -> Result<(Self, ChildEnds)> {
        let fail = |error: Errno| Error::io("pipe", error.into());
        let pipe = || pipe_with(PipeFlags::CLOEXEC).map_err(fail);
        let (stdout, child_stdout) = pipe()?;
        let (stderr, child_stderr) = pipe()?;
        let (data, child_data) = pipe()?;
        let (announce, child_announce) = pipe()?;
        let (child_reply, reply) = pipe()?;
        // Ours never wait: a command that asks without end and reads no answers must not hold the engine up.
        for fd in [&stdout, &stderr, &data, &announce, &reply] {
            rustix::io::ioctl_fionbio(fd, true).map_err(fail)?;
        }
        let (control, wake) = Control::new()?;
        let child = ChildEnds {
            stdout: child_stdout,
            stderr: child_stderr,
            data: child_data,
            announce: child_announce,
            reply: child_reply,
        };
        let ends = OurEnds { stdout, stderr, data, announce, reply: Some(reply), wake };
        Ok((Capture { options, ends, control }, child))
    }

    /// The handle that ends the capture.
    #[must_use]
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// Our end of stdout's pipe: the shell compares its own stdout with it.
    #[must_use]
    pub fn stdout(&self) -> BorrowedFd<'_> {
        self.ends.stdout.as_fd()
    }

    /// Reads until the command has ended. Blocks; give it a thread of its own.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if polling fails, which only a broken system does.
    pub fn run(self, on_event: &mut dyn FnMut(Event)) -> Result<CaptureEnd> {
        let Capture { options, ends, control } = self;
        let session = Session::new(&options, Sinks::new(&options, on_event));
        let parser = Parser::new(&options.nonce);
        let now = Instant::now();
        Loop {
            options: &options,
            ends,
            control,
            parser,
            session,
            started: now,
            last_byte: now,
            last_preview: now,
            ended: [false; 4],
            garbled: false,
            more_messages: false,
            block: vec![0; BLOCK],
        }
        .run()
    }
}

struct Loop<'a> {
    options: &'a CaptureOptions,
    ends: OurEnds,
    control: Control,
    parser: Parser,
    session: Session<'a>,
    started: Instant,
    last_byte: Instant,
    last_preview: Instant,
    /// stdout, stderr, data, announce
    ended: [bool; 4],
    garbled: bool,
    /// The last turn may have left messages.
    more_messages: bool,
    block: Vec<u8>,
}

/// What a turn of reading found.
enum Turn {
    /// Nothing more for now.
    Empty,
    /// The turn is over; there may be more.
    More,
    /// The other side is closed.
    Ended,
}

impl Loop<'_> {
    fn run(mut self) -> Result<CaptureEnd> {
        loop {
            let state = self.control.state();
            let quiet = state.exited && self.last_byte.elapsed() >= QUIET;
            if state.stop || quiet || (state.exited && self.ended[..2] == [true; 2]) {
                break;
            }
            if !self.more_messages {
                self.wait(state.exited)?;
            }
            self.turn()?;
            self.session.stop_producer_if_due();
            self.end_window()?;
            if self.started.elapsed() >= self.options.slow_after {
                self.session.sinks.publish_log();
            }
            self.session.sinks.report();
            if self.last_preview.elapsed() >= PREVIEW {
                self.last_preview = Instant::now();
                self.session.preview();
            }
        }
        self.turn()?;
        self.session.close();
        let total_time = self.started.elapsed();
        let Session { sinks, windows, last_window, pipe_status, view_time, .. } = self.session;
        let ([output, stdout, stderr], log) = sinks.finish(total_time >= self.options.slow_after);
        Ok(CaptureEnd {
            output,
            stdout,
            stderr,
            log,
            windows,
            last_window,
            pipe_status,
            view_time,
            total_time,
            garbled: self.garbled,
        })
    }

    /// Sleeps until a pipe has something or a deadline has come.
    fn wait(&mut self, exited: bool) -> Result<()> {
        let now = Instant::now();
        let mut deadline = self.session.producer_deadline();
        let mut until = |at: Instant| deadline = Some(deadline.map_or(at, |old| old.min(at)));
        if exited {
            until(self.last_byte + QUIET);
        }
        if self.session.has_preview() {
            until(self.last_preview + PREVIEW);
        }
        if now < self.started + self.options.slow_after {
            until(self.started + self.options.slow_after);
        }
        let timeout = deadline.map(|at| {
            let left = at.saturating_duration_since(now) + Duration::from_millis(1);
            Timespec {
                tv_sec: left.as_secs().try_into().unwrap_or(i64::MAX),
                tv_nsec: left.subsec_nanos().into(),
            }
        });
        let mut fds = Vec::with_capacity(6);
        fds.push(PollFd::new(&self.ends.wake, PollFlags::IN));
        let streams = [&self.ends.stdout, &self.ends.stderr, &self.ends.data, &self.ends.announce];
        for (fd, _) in streams.into_iter().zip(self.ended).filter(|(_, ended)| !ended) {
            fds.push(PollFd::new(fd, PollFlags::IN));
        }
        fds.extend(self.session.source_event().map(|(fd, event)| PollFd::from_borrowed_fd(fd, event)));
        match poll(&mut fds, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => Ok(()),
            Err(error) => Err(Error::io("poll", error.into())),
        }
    }

    /// Reads everything there is, in the order that keeps cause before effect: first take the
    /// announcements, then drain the streams, which hold all that was written before them.
    fn turn(&mut self) -> Result<()> {
        let mut sink = [0; 64];
        while matches!(rustix::io::read(&self.ends.wake, &mut sink), Ok(n) if n > 0) {}
        let parser = &mut self.parser;
        let heard = read_turn(&self.ends.announce, TURN, &mut self.block, &mut |bytes| parser.append(bytes));
        self.ended[3] = matches!(heard, Turn::Ended);
        self.more_messages = true;
        for _ in 0..MESSAGES {
            let message = if self.garbled { Ok(None) } else { self.parser.next() };
            // A pending message means that its writer waits: what it wrote is in the pipes.
            let draining = !matches!(message, Ok(None));
            if draining {
                self.drain_streams()?;
            } else {
                self.session.read_source(TURN, &mut self.block)?;
                self.read_streams()?;
                self.end_window()?;
            }
            match message {
                Ok(Some(message)) => {
                    if matches!(message, Message::Relay { .. }) {
                        enlarge(&self.ends.data);
                    }
                    let source = message.sender().and_then(|pid| open_input(pid, self.ends.announce.as_fd()));
                    match self.session.on_message(message, source) {
                        Ok(()) => self.send_replies(),
                        // Nobody can know what the command would have printed.
                        Err(error @ Error::Io { .. }) => return Err(error),
                        Err(_) => self.give_up(),
                    }
                }
                Ok(None) => {
                    self.more_messages = false;
                    break;
                }
                Err(_) => self.give_up(),
            }
        }
        Ok(())
    }

    /// Ends the running window if all of it has come.
    fn end_window(&mut self) -> Result<()> {
        self.session.end_if_over()?;
        self.send_replies();
        Ok(())
    }

    /// One turn of each stream.
    fn read_streams(&mut self) -> Result<()> {
        for stream in [2, 0, 1] {
            self.read_stream(stream, TURN)?;
        }
        self.session.place_output();
        Ok(())
    }

    /// Takes what the pipes hold now, and so all that was written before a message that has arrived; not what others
    /// go on writing, which may have no end.
    fn drain_streams(&mut self) -> Result<()> {
        let held = [&self.ends.stdout, &self.ends.stderr, &self.ends.data].map(|fd| {
            rustix::io::ioctl_fionread(fd).map_or(TURN, |held| usize::try_from(held).unwrap_or(TURN))
        });
        for stream in [2, 0, 1] {
            self.read_stream(stream, held[stream])?;
        }
        self.session.place_output();
        Ok(())
    }

    /// Reads a stream (stdout, stderr, data) until it is empty or at least `limit` bytes have come.
    fn read_stream(&mut self, stream: usize, limit: usize) -> Result<()> {
        if self.ended[stream] && stream < 2 {
            return Ok(());
        }
        let mut outcome = Ok(());
        let (session, last_byte) = (&mut self.session, &mut self.last_byte);
        let fd = [&self.ends.stdout, &self.ends.stderr, &self.ends.data][stream];
        let turn = read_turn(fd, limit, &mut self.block, &mut |bytes| match stream {
            0 | 1 => {
                *last_byte = Instant::now();
                if stream == 0 { session.on_stdout(bytes) } else { session.on_stderr(bytes) }
            }
            _ if outcome.is_ok() => outcome = session.on_data(bytes),
            _ => {}
        });
        self.ended[stream] = matches!(turn, Turn::Ended);
        outcome
    }

    /// Sends what the shell waits for.
    fn send_replies(&mut self) {
        for text in std::mem::take(&mut self.session.replies) {
            // A shell that is gone needs no answer; one whose pipe is full of unread ones is none of ours.
            if let Some(reply) = &self.ends.reply
                && rustix::io::write(reply, format!("{text}\n").as_bytes()) == Err(Errno::AGAIN)
            {
                self.give_up();
            }
        }
    }

    /// The protocol is broken: let the shell run everything as written from here.
    fn give_up(&mut self) {
        self.garbled = true;
        self.ends.reply = None;
    }
}

fn read_turn(fd: &OwnedFd, limit: usize, block: &mut [u8], sink: &mut dyn FnMut(&[u8])) -> Turn {
    let mut total = 0;
    while total < limit {
        match rustix::io::read(fd, &mut *block) {
            Ok(0) => return Turn::Ended,
            Ok(n) => {
                total += n;
                sink(&block[..n]);
            }
            Err(Errno::INTR) => {}
            Err(Errno::AGAIN) => return Turn::Empty,
            Err(_) => return Turn::Ended,
        }
    }
    Turn::More
}
