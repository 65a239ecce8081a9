//! Opens what is to be projected and reads it. Nothing is mapped: whoever truncates a mapped file kills its readers.

use std::fs::File;
use std::io;
use std::path::Path;

use crate::{CancelToken, Error, Progress, Result};

/// An open file.
pub(super) struct Source {
    file: File,
    name: String,
    /// Bytes at the time of opening, if the file can be read at any offset. Absent for FIFOs, devices,
    /// and the files of `/proc` that claim to be empty.
    size: Option<u64>,
    progress: Progress,
}

impl Source {
    /// Every byte read is added to `progress`.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if there is no such file, it cannot be opened, or it is a directory.
    pub(super) fn open(path: &Path, progress: Progress) -> Result<Self> {
        let name = path.display().to_string();
        let open = || -> io::Result<(File, Option<u64>)> {
            let file = system::open(path)?;
            let metadata = file.metadata()?;
            if metadata.is_dir() {
                return Err(io::ErrorKind::IsADirectory.into());
            }
            system::widen(&file, &metadata);
            let size = Some(metadata.len()).filter(|len| metadata.is_file() && *len > 0);
            Ok((file, size))
        };
        match open() {
            Ok((file, size)) => Ok(Source { file, name, size, progress }),
            Err(error) => Err(Error::io(name, error)),
        }
    }

    /// Bytes at the time of opening; `None` if the file can only be read as a stream.
    pub(super) fn size(&self) -> Option<u64> {
        self.size
    }

    /// Fills `buffer` from `offset`; returns how much there was. Less than asked for means the end of the file.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] names the file.
    pub(super) fn read_at(&self, buffer: &mut [u8], offset: u64) -> Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match system::read_at(&self.file, &mut buffer[filled..], offset + filled as u64) {
                Ok(0) => break,
                Ok(count) => filled += count,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&*self.name, error)),
            }
        }
        self.progress.add(filled as u64);
        Ok(filled)
    }

    /// As [`Source::read_at`], where less than asked for is an error.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] of the kind `UnexpectedEof` if somebody made the file shorter meanwhile.
    pub(super) fn read_exact_at(&self, buffer: &mut [u8], offset: u64) -> Result<()> {
        if self.read_at(buffer, offset)? == buffer.len() {
            return Ok(());
        }
        let shorter =
            io::Error::new(io::ErrorKind::UnexpectedEof, "the file was truncated while it was read");
        Err(Error::io(&*self.name, shorter))
    }

    /// Reads the next bytes of a stream; 0 is its end. Waits for data, but not longer than until `token` is cancelled.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] names the file; [`Error::Aborted`].
    pub(super) fn read_next(&self, buffer: &mut [u8], token: &CancelToken) -> Result<usize> {
        loop {
            token.check()?;
            match system::read_next(&self.file, buffer) {
                Ok(Some(count)) => {
                    self.progress.add(count as u64);
                    return Ok(count);
                }
                Ok(None) => {}
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::io(&*self.name, error)),
            }
        }
    }
}

#[cfg(unix)]
mod system {
    use std::fs::{File, Metadata};
    use std::io::{self, Read};
    use std::os::unix::fs::{FileExt, FileTypeExt};
    use std::path::Path;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use rustix::fs::{Mode, OFlags};

    /// How long one wait for a stream lasts before the cancel token is looked at again, in nanoseconds.
    const WAIT_NS: i64 = 10_000_000;

    /// How much a FIFO holds, in bytes.
    #[cfg(target_os = "linux")]
    const PIPE_BYTES: usize = 1 << 20;

    /// Without `NONBLOCK`, opening a FIFO that nobody writes to could not be cancelled.
    pub(super) fn open(path: &Path) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NONBLOCK | OFlags::NOCTTY;
        Ok(File::from(rustix::fs::open(path, flags, Mode::empty())?))
    }

    /// Lets the writer of a FIFO run further ahead. A user may have used up the allowance for large pipes; then it
    /// stays as it is.
    pub(super) fn widen(file: &File, metadata: &Metadata) {
        #[cfg(target_os = "linux")]
        if metadata.file_type().is_fifo() {
            let _ = rustix::pipe::fcntl_setpipe_size(file, PIPE_BYTES);
        }
    }

    pub(super) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        file.read_at(buffer, offset)
    }

    /// `None` if there was nothing to read within a short while.
    pub(super) fn read_next(mut file: &File, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        let mut ready = [PollFd::new(file, PollFlags::IN)];
        if poll(&mut ready, Some(&Timespec { tv_sec: 0, tv_nsec: WAIT_NS }))? == 0 {
            return Ok(None);
        }
        match file.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            read => read.map(Some),
        }
    }
}

#[cfg(windows)]
mod system {
    use std::fs::{File, Metadata};
    use std::io::{self, Read};
    use std::os::windows::fs::FileExt;
    use std::path::Path;

    pub(super) fn open(path: &Path) -> io::Result<File> {
        if path.is_dir() {
            return Err(io::ErrorKind::IsADirectory.into());
        }
        File::open(path)
    }

    pub(super) fn widen(_file: &File, _metadata: &Metadata) {}

    pub(super) fn read_at(file: &File, buffer: &mut [u8], offset: u64) -> io::Result<usize> {
        file.seek_read(buffer, offset)
    }

    pub(super) fn read_next(mut file: &File, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        file.read(buffer).map(Some)
    }
}
