//! The window that runs now.

use std::os::fd::OwnedFd;
use std::time::Instant;

use super::Finish;
use super::window::Mode;

pub(super) struct Active {
    pub(super) index: usize,
    /// The word that the shell knows this run's answers by.
    pub(super) tag: String,
    pub(super) mode: Mode,
    /// What happens once its views have seen enough.
    pub(super) finish: Finish,
    /// The producer's pipe, if the engine reads it without a relay and it has not ended.
    pub(super) source: Option<OwnedFd>,
    /// Whether the engine reads the producer's pipe, or did.
    pub(super) direct: bool,
    /// The process that relays, where the engine does not.
    pub(super) relay: Option<i32>,
    /// When the views had seen enough, and how many bytes had come by then.
    pub(super) enough: Option<(Instant, u64)>,
    pub(super) input: Count,
    pub(super) output: Count,
    /// How many bytes had come at the last preview.
    pub(super) previewed: u64,
    /// Where its bytes are in the log: offset and length of each run.
    pub(super) in_log: Vec<(u64, u64)>,
}

impl Active {
    pub(super) fn new(index: usize, tag: &str, mode: Mode, finish: Finish, source: Option<OwnedFd>) -> Self {
        Active {
            index,
            tag: tag.to_owned(),
            mode,
            finish,
            direct: source.is_some(),
            source,
            relay: None,
            enough: None,
            input: Count::default(),
            output: Count::default(),
            previewed: 0,
            in_log: Vec::new(),
        }
    }

    /// Counts bytes that go to the log at `at`.
    pub(super) fn add(&mut self, bytes: &[u8], at: u64) {
        self.input.add(bytes);
        match self.in_log.last_mut() {
            Some((start, len)) if *start + *len == at => *len += bytes.len() as u64,
            _ => self.in_log.push((at, bytes.len() as u64)),
        }
    }

    /// Whether its views have seen enough, or everything: nothing more can come of it, and no message will say so.
    pub(super) fn is_over(&self) -> bool {
        let decided = match &self.mode {
            Mode::Native(_) => true,
            Mode::Feed(feed) => feed.is_left(),
            _ => false,
        };
        decided && self.direct && self.source.is_none()
    }
}

/// Lines and bytes of a stream.
#[derive(Clone, Copy, Default)]
pub(super) struct Count {
    pub(super) bytes: u64,
    newlines: u64,
    open_line: bool,
}

impl Count {
    pub(super) fn add(&mut self, bytes: &[u8]) {
        if let Some(&last) = bytes.last() {
            self.bytes += bytes.len() as u64;
            self.newlines += memchr::memchr_iter(b'\n', bytes).count() as u64;
            self.open_line = last != b'\n';
        }
    }

    pub(super) fn lines(self) -> u64 {
        self.newlines + u64::from(self.open_line)
    }
}
