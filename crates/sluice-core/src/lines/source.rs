//! What lines are read from: a regular file by position, or a small special file held in memory.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::Path;
use std::time::SystemTime;

use crate::file_state::FileState;
use crate::{CancelToken, Error, Result};

/// How much is read from a file that does not know its own size (devices, `/proc`): 64 MiB.
const SPECIAL_LIMIT: usize = 64 * 1024 * 1024;

/// An open input. Its length is that at the time of opening: what is appended later is not seen.
#[derive(Debug)]
pub struct Source {
    name: String,
    content: Content,
    state: Option<FileState>,
}

#[derive(Debug)]
enum Content {
    File { file: File, len: u64 },
    Memory(Vec<u8>),
}

impl Source {
    /// Opens a file. A regular file is read by position; a file of size 0 (as in `/proc`) or a character
    /// device is read whole, at most 64 MiB and without waiting. FIFOs and sockets are refused, since
    /// reading them may wait for ever.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if the file cannot be opened or read, is a directory, FIFO or socket, or is a special
    /// file with more than 64 MiB; [`Error::Aborted`].
    pub fn open(path: &Path, cancel: &CancelToken) -> Result<Self> {
        let name = path.display().to_string();
        let io_error = |source| Error::io(name.clone(), source);
        let file = open_nonblocking(path).map_err(io_error)?;
        let before = SystemTime::now();
        let meta = file.metadata().map_err(io_error)?;
        if meta.is_dir() {
            return Err(io_error(io::Error::new(io::ErrorKind::IsADirectory, "is a directory")));
        }
        if is_endless(&meta) {
            return Err(io_error(io::Error::new(io::ErrorKind::InvalidInput, "is a FIFO or a socket")));
        }
        if meta.is_file() && meta.len() > 0 {
            let state = FileState::of(&meta).filter(|state| state.is_settled(before));
            return Ok(Source { name, content: Content::File { file, len: meta.len() }, state });
        }
        let bytes = read_special(file, cancel, &name)?;
        Ok(Source { name, content: Content::Memory(bytes), state: None })
    }

    /// Bytes in memory as a source; `name` is for messages.
    #[must_use]
    pub fn from_bytes(name: &str, bytes: Vec<u8>) -> Self {
        Source { name: name.to_owned(), content: Content::Memory(bytes), state: None }
    }

    /// Length in bytes.
    #[must_use]
    pub fn len(&self) -> u64 {
        match &self.content {
            Content::File { len, .. } => *len,
            Content::Memory(bytes) => bytes.len() as u64,
        }
    }

    /// Whether there are no bytes.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The state of the file, if it tells whether the file changes.
    pub(super) fn state(&self) -> Option<FileState> {
        self.state
    }

    /// Fills `buffer` from `offset` on.
    ///
    /// # Errors
    ///
    /// [`Error::Io`], also if the file has become shorter than it was when opened.
    pub fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<()> {
        let outcome = match &self.content {
            Content::File { file, .. } => fill_at(file, buffer, offset),
            Content::Memory(bytes) => usize::try_from(offset)
                .ok()
                .and_then(|start| bytes.get(start..)?.get(..buffer.len()))
                .map(|part| buffer.copy_from_slice(part))
                .ok_or_else(|| io::Error::from(io::ErrorKind::UnexpectedEof)),
        };
        outcome.map_err(|source| Error::io(self.name.clone(), source))
    }

    /// The bytes from `start` up to `end`.
    ///
    /// # Errors
    ///
    /// As [`Source::read_exact_at`], and [`Error::InvalidArgument`] if the range does not fit into memory.
    pub fn read_range(&self, start: u64, end: u64) -> Result<Vec<u8>> {
        let len = usize::try_from(end.saturating_sub(start))
            .map_err(|_| Error::InvalidArgument("the range does not fit into memory".to_owned()))?;
        let mut bytes = vec![0; len];
        self.read_exact_at(&mut bytes, start)?;
        Ok(bytes)
    }
}

fn fill_at(file: &File, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !buffer.is_empty() {
        match read_at(file, buffer, offset) {
            Ok(0) => {
                return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "was truncated while it was read"));
            }
            Ok(n) => {
                buffer = &mut buffer[n..];
                offset += n as u64;
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

fn read_special(mut file: File, cancel: &CancelToken, name: &str) -> Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let mut chunk = vec![0; 64 * 1024];
    loop {
        cancel.check()?;
        match file.read(&mut chunk) {
            Ok(0) => return Ok(bytes),
            Ok(n) => bytes.extend_from_slice(&chunk[..n]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Error::io(name, error)),
        }
        if bytes.len() > SPECIAL_LIMIT {
            let error = io::Error::new(io::ErrorKind::FileTooLarge, "a special file with more than 64 MiB");
            return Err(Error::io(name, error));
        }
    }
}

#[cfg(unix)]
fn open_nonblocking(path: &Path) -> io::Result<File> {
    use std::os::unix::fs::OpenOptionsExt;
    // Opening a FIFO without a writer, and some devices, would wait.
    let flags = rustix::fs::OFlags::NONBLOCK | rustix::fs::OFlags::NOCTTY;
    OpenOptions::new().read(true).custom_flags(flags.bits().cast_signed()).open(path)
}

#[cfg(not(unix))]
fn open_nonblocking(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).open(path)
}

#[cfg(unix)]
fn is_endless(meta: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt;
    meta.file_type().is_fifo() || meta.file_type().is_socket()
}

#[cfg(not(unix))]
fn is_endless(_: &Metadata) -> bool {
    false
}

#[cfg(unix)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::unix::fs::FileExt::read_at(file, buffer, offset)
}

#[cfg(windows)]
fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
    std::os::windows::fs::FileExt::seek_read(file, buffer, offset)
}
