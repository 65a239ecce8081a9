//! Gives a window's bytes to the real views while a copy of them goes to the log.

use std::collections::VecDeque;
use std::io::Read;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::pipe::{PipeFlags, pipe_with};

use crate::log::Log;
use crate::{Error, Result};

/// What is handed on at once where the views' end can be seen: a tool reads twice as much at once, so the producer is
/// never further ahead of it than it could be without the engine in between.
pub(super) const PAGE: usize = 4096;
/// What is handed on at once to others.
const BLOCK: usize = 64 * 1024;

/// A pipe into the views.
///
/// Where it can be seen how early they end, nothing may be read ahead for them: the pipe holds one page then, and the
/// next one is taken from the producer only when they have taken the last.
pub(super) struct Feed {
    /// The shell opens this end by its number, as its stdin.
    read: OwnedFd,
    /// Closed when the views have got everything.
    write: Option<OwnedFd>,
    block: usize,
    /// Taken from the producer or the log; the first `sent` bytes are in the pipe.
    pending: Vec<u8>,
    sent: usize,
    /// Where in the log the bytes lie that the engine had read before it knew that the views must run.
    backlog: VecDeque<(u64, u64)>,
    /// How much of what the views write is out already.
    pub(super) already_out: u64,
    /// The views have gone.
    left: bool,
}

impl Feed {
    /// For views that run from the window's start; `paced`: at their pace.
    pub(super) fn new(paced: bool) -> Result<Self> {
        let (read, write) = pipe_with(PipeFlags::CLOEXEC).map_err(failed)?;
        rustix::io::ioctl_fionbio(&write, true).map_err(failed)?;
        // Otherwise it holds what the shell's own pipe would: `grep` looks for NUL bytes in what one read gives it.
        #[cfg(target_os = "linux")]
        if paced {
            rustix::pipe::fcntl_setpipe_size(&write, PAGE).map_err(failed)?;
        }
        let block = if paced { PAGE } else { BLOCK };
        let (pending, backlog) = (Vec::new(), VecDeque::new());
        Ok(Feed { read, write: Some(write), block, pending, sent: 0, backlog, already_out: 0, left: false })
    }

    /// For views that run over what the log has, and then over what comes; `already_out` bytes of their output are known.
    pub(super) fn replaying(backlog: Vec<(u64, u64)>, already_out: u64, paced: bool) -> Result<Self> {
        Ok(Feed { backlog: backlog.into(), already_out, ..Self::new(paced)? })
    }

    /// The number under which the shell finds the pipe among this process's descriptors.
    pub(super) fn number(&self) -> i32 {
        self.read.as_raw_fd()
    }

    /// How many bytes the views may be given at once.
    pub(super) fn block(&self) -> usize {
        self.block
    }

    /// The views have gone: what still comes is for the log alone.
    pub(super) fn leave(&mut self) {
        self.finish();
        self.left = true;
    }

    /// See [`Feed::leave`].
    pub(super) fn is_left(&self) -> bool {
        self.left
    }

    /// The end that becomes writable when the views want more; `None` if they do already, or have everything.
    pub(super) fn waits_for(&self) -> Option<BorrowedFd<'_>> {
        let write = self.write.as_ref()?;
        (!has_room(write)).then(|| write.as_fd())
    }

    /// Takes the producer's next bytes, after [`Feed::flush`] has asked for them.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.pending.extend_from_slice(bytes);
    }

    /// Closes the pipe: the views have everything.
    pub(super) fn finish(&mut self) {
        self.write = None;
    }

    /// Hands on what is at hand. True if the views want more than that.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the log cannot be read back.
    pub(super) fn flush(&mut self, log: &Log) -> Result<bool> {
        loop {
            if !self.write.as_ref().is_some_and(has_room) {
                return Ok(false);
            }
            if self.sent == self.pending.len() {
                self.pending.clear();
                self.sent = 0;
                if !self.recall(log)? {
                    return Ok(true);
                }
            }
            let Some(write) = &self.write else { return Ok(false) };
            match rustix::io::write(write, &self.pending[self.sent..]) {
                Ok(count) => self.sent += count,
                Err(Errno::AGAIN) => return Ok(false),
                Err(Errno::INTR) => {}
                Err(error) => return Err(failed(error)),
            }
        }
    }

    /// Reads the next bytes of the backlog. False if there are none.
    fn recall(&mut self, log: &Log) -> Result<bool> {
        let Some((start, len)) = self.backlog.pop_front() else { return Ok(false) };
        let count = len.min(self.block as u64);
        let got = log.read_range(start, count)?.read_to_end(&mut self.pending);
        if got.map_err(|error| Error::io("the log", error))? as u64 != count {
            return Err(Error::io("the log", std::io::ErrorKind::UnexpectedEof.into()));
        }
        if len > count {
            self.backlog.push_front((start + count, len - count));
        }
        Ok(true)
    }
}

fn has_room(write: &OwnedFd) -> bool {
    let mut fds = [PollFd::new(write, PollFlags::OUT)];
    poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 })).is_ok_and(|ready| ready > 0)
}

fn failed(error: Errno) -> Error {
    Error::io("a pipe to the views", error.into())
}
