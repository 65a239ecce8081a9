//! The log: the unprojected output of a command, in memory while small, on disk when it matters.
//!
//! Files are named `pi-bash-guard-<16 hex>.log`, lie directly in the given folder, have mode 0600, are
//! created exclusively and never through a link, and hold raw bytes.

mod purge;

pub use purge::{PURGE_AFTER, purge};

use std::fs::{File, OpenOptions};
use std::io::{ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use crate::error::words;
use crate::{Error, Result};

/// What every log's name starts with.
pub const PREFIX: &str = "pi-bash-guard-";
/// What every log's name ends with.
pub const SUFFIX: &str = ".log";
/// How many hexadecimal digits stand between them.
pub const ID_DIGITS: usize = 16;

/// The file name of the log with this id.
///
/// # Errors
///
/// [`Error::InvalidArgument`] unless `id` is 16 lower-case hexadecimal digits.
pub fn file_name(id: &str) -> Result<String> {
    let hex = |b: u8| b.is_ascii_digit() || (b'a'..=b'f').contains(&b);
    if id.len() != ID_DIGITS || !id.bytes().all(hex) {
        return Err(Error::InvalidArgument(format!("log id `{id}` is not {ID_DIGITS} hexadecimal digits")));
    }
    Ok(format!("{PREFIX}{id}{SUFFIX}"))
}

/// Up to which size a log stays in memory.
#[derive(Clone, Copy, Debug)]
pub struct MemoryLimit {
    /// Bytes.
    pub bytes: u64,
    /// Lines; an unterminated last line counts.
    pub lines: u64,
}

/// A log that is being written.
#[derive(Debug)]
pub struct Log {
    path: PathBuf,
    limit: MemoryLimit,
    /// What is not in the file: everything while there is none, the part of a chunk that a full disk refused after it.
    memory: Vec<u8>,
    file: Option<File>,
    /// How many bytes the file has.
    filed: u64,
    failure: Option<String>,
    bytes: u64,
    newlines: u64,
    last: u8,
}

impl Log {
    /// A log that will be spilled to `path` once it exceeds `limit`. Touches nothing yet.
    #[must_use]
    pub fn new(path: PathBuf, limit: MemoryLimit) -> Self {
        Log {
            path,
            limit,
            memory: Vec::new(),
            file: None,
            filed: 0,
            failure: None,
            bytes: 0,
            newlines: 0,
            last: b'\n',
        }
    }

    /// Appends bytes. A failing disk is remembered ([`Log::failure`]) and never stops the command; what it refused first
    /// can still be read back, what comes later is only counted.
    pub fn append(&mut self, bytes: &[u8]) {
        let Some(&last) = bytes.last() else { return };
        self.last = last;
        self.bytes += bytes.len() as u64;
        self.newlines += memchr::memchr_iter(b'\n', bytes).count() as u64;
        if self.failure.is_some() {
            return;
        }
        let done = if self.file.is_some() { self.write(bytes) } else { 0 };
        self.memory.extend_from_slice(&bytes[done..]);
        if self.exceeds_limit() {
            self.spill();
        }
    }

    /// Moves the log to disk now, if it is not there yet.
    pub fn spill(&mut self) {
        if self.file.is_some() || self.failure.is_some() {
            return;
        }
        match create(&self.path) {
            Ok(file) => {
                self.file = Some(file);
                let memory = std::mem::take(&mut self.memory);
                let done = self.write(&memory);
                self.memory.extend_from_slice(&memory[done..]);
            }
            Err(error) => self.failure = Some(words(&error)),
        }
    }

    /// Writes to the file; how much of `bytes` the disk took.
    fn write(&mut self, bytes: &[u8]) -> usize {
        let Some(file) = &mut self.file else { return 0 };
        let mut done = 0;
        while done < bytes.len() {
            match file.write(&bytes[done..]) {
                Ok(count) if count > 0 => done += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                failed => {
                    let error = failed.err().unwrap_or_else(|| ErrorKind::WriteZero.into());
                    self.failure = Some(words(&error));
                    break;
                }
            }
        }
        self.filed += done as u64;
        done
    }

    /// Bytes appended so far, including those that a failing disk refused.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Lines appended so far; an unterminated last line counts.
    #[must_use]
    pub fn lines(&self) -> u64 {
        self.newlines + u64::from(self.last != b'\n')
    }

    /// Whether the log has outgrown its memory limit.
    #[must_use]
    pub fn exceeds_limit(&self) -> bool {
        self.bytes > self.limit.bytes || self.lines() > self.limit.lines
    }

    /// Why the file is missing or incomplete.
    #[must_use]
    pub fn failure(&self) -> Option<&str> {
        self.failure.as_deref()
    }

    /// The file, if there is one.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.file.is_some().then_some(self.path.as_path())
    }

    /// Reads `len` bytes from `offset` of what was appended, from the file that was written, whatever has become of
    /// its name.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] if a failing disk has lost some of them.
    pub fn read_range(&self, offset: u64, len: u64) -> Result<impl Read + '_> {
        let end = offset.saturating_add(len);
        if end > self.filed + self.memory.len() as u64 {
            let reason = self.failure.clone().unwrap_or_else(|| "not so long".to_owned());
            return Err(Error::io(self.path.display().to_string(), std::io::Error::other(reason)));
        }
        let at = |position: u64| {
            usize::try_from(position.saturating_sub(self.filed)).unwrap_or(usize::MAX).min(self.memory.len())
        };
        let filed = end.min(self.filed).saturating_sub(offset);
        let from_file = self.file.as_ref().map(|file| ReadAt { file, at: offset }.take(filed));
        Ok(MaybeRead(from_file).chain(&self.memory[at(offset)..at(end)]))
    }

    /// Copies parts of what was appended, each an offset and a length, into a new private file.
    ///
    /// # Errors
    ///
    /// [`Error::Io`] as [`Log::read_range`], and if the file cannot be written.
    pub fn copy_ranges(&self, ranges: &[(u64, u64)], path: &Path) -> Result<()> {
        let fail = |error| Error::io(path.display().to_string(), error);
        let mut file = create(path).map_err(fail)?;
        for &(offset, len) in ranges {
            let copied = std::io::copy(&mut self.read_range(offset, len)?, &mut file).map_err(fail)?;
            if copied != len {
                return Err(fail(ErrorKind::UnexpectedEof.into()));
            }
        }
        Ok(())
    }

    /// Removes the file, for a log that nobody asked to keep.
    pub fn discard(&mut self) {
        if self.file.take().is_some() {
            // Best effort: a log that is already gone is what was wanted.
            let _ = std::fs::remove_file(&self.path);
        }
        self.memory = Vec::new();
    }
}

/// Nothing, where there is no file.
struct MaybeRead<R>(Option<R>);

impl<R: Read> Read for MaybeRead<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |read| read.read(buffer))
    }
}

/// Reads a file by position; writes go to its end all the same.
struct ReadAt<'a> {
    file: &'a File,
    at: u64,
}

impl Read for ReadAt<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        #[cfg(unix)]
        let count = std::os::unix::fs::FileExt::read_at(self.file, buffer, self.at)?;
        #[cfg(windows)]
        let count = std::os::windows::fs::FileExt::seek_read(self.file, buffer, self.at)?;
        self.at += count as u64;
        Ok(count)
    }
}

/// Creates a private file that did not exist: exclusive creation never follows a link.
///
/// # Errors
///
/// The system's error, in particular if the name is taken.
pub fn create(path: &Path) -> std::io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true).append(true).create_new(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        options.mode(0o600);
    }
    options.open(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: MemoryLimit = MemoryLimit { bytes: 8, lines: 100 };

    #[test]
    fn stays_in_memory_up_to_the_limit_and_spills_beyond_it() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join(file_name("0123456789abcdef").unwrap());
        let mut log = Log::new(path.clone(), SMALL);
        log.append(b"12345678");
        assert!(!path.exists());
        log.append(b"9\nx");
        assert_eq!(std::fs::read(&path).unwrap(), b"123456789\nx");
        assert_eq!((log.bytes(), log.lines()), (11, 2));
        let mut range = String::new();
        log.read_range(8, 2).unwrap().read_to_string(&mut range).unwrap();
        assert_eq!(range, "9\n");
        log.discard();
        assert!(!path.exists());
    }

    #[cfg(unix)]
    #[test]
    fn is_private_and_never_follows_a_planted_link() {
        use std::os::unix::fs::PermissionsExt;
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("log");
        drop(create(&path).unwrap());
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);

        let victim = dir.path().join("victim");
        std::fs::write(&victim, "precious").unwrap();
        let link = dir.path().join("link");
        std::os::unix::fs::symlink(&victim, &link).unwrap();
        let mut log = Log::new(link, SMALL);
        log.append(b"more than eight bytes");
        assert!(log.failure().is_some());
        assert_eq!(log.bytes(), 21);
        // What was there when it failed can still be read back; what comes later cannot.
        let mut kept = String::new();
        log.read_range(5, 16).unwrap().read_to_string(&mut kept).unwrap();
        assert_eq!(kept, "more than eight bytes"[5..]);
        log.append(b"lost");
        assert!(log.read_range(20, 2).is_err());
        assert_eq!(std::fs::read(&victim).unwrap(), b"precious");
    }
}
