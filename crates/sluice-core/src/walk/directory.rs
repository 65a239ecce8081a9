//! One open directory: its entries, and opening them relative to it.

use std::fs::File;
use std::io;
use std::path::Path;

/// What an entry is. Symbolic links are not followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link, a device, a FIFO or a socket.
    Other,
}

/// An entry of a directory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The name, as the system's bytes.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: EntryKind,
}

#[cfg(unix)]
pub use unix::Directory;

#[cfg(unix)]
mod unix {
    use std::os::fd::{AsFd, OwnedFd};

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};

    use super::{Entry, EntryKind, File, Path, io};

    /// An open directory.
    #[derive(Debug)]
    pub struct Directory {
        fd: OwnedFd,
    }

    const DIRECTORY: OFlags = OFlags::RDONLY.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);

    impl Directory {
        /// Opens the root of a walk; a symbolic link is followed.
        ///
        /// # Errors
        ///
        /// The system's.
        pub fn open(path: &Path) -> io::Result<Self> {
            Ok(Directory { fd: openat(CWD, path, DIRECTORY, Mode::empty())? })
        }

        /// Opens a directory in this one; a symbolic link is an error.
        ///
        /// # Errors
        ///
        /// The system's.
        pub fn open_directory(&self, name: &[u8]) -> io::Result<Self> {
            let fd = openat(&self.fd, name, DIRECTORY | OFlags::NOFOLLOW, Mode::empty())?;
            Ok(Directory { fd })
        }

        /// Opens a file in this directory for reading; a symbolic link is an error, and a FIFO never waits.
        ///
        /// # Errors
        ///
        /// The system's.
        pub fn open_file(&self, name: &[u8]) -> io::Result<File> {
            let flags =
                OFlags::RDONLY | OFlags::CLOEXEC | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::NOCTTY;
            Ok(openat(&self.fd, name, flags, Mode::empty())?.into())
        }

        /// Whether `name` exists, symbolic links followed.
        #[must_use]
        pub fn exists(&self, name: &str) -> bool {
            statat(&self.fd, name, AtFlags::empty()).is_ok()
        }

        fn kind(&self, name: &std::ffi::CStr, listed: FileType) -> EntryKind {
            let kind = match listed {
                // Some file systems do not say.
                FileType::Unknown => statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)
                    .map_or(FileType::Unknown, |stat| FileType::from_raw_mode(stat.st_mode)),
                known => known,
            };
            match kind {
                FileType::RegularFile => EntryKind::File,
                FileType::Directory => EntryKind::Directory,
                _ => EntryKind::Other,
            }
        }

        fn entry(&self, name: &std::ffi::CStr, listed: FileType) -> Option<Entry> {
            let bytes = name.to_bytes();
            (bytes != b"." && bytes != b"..")
                .then(|| Entry { name: bytes.to_vec(), kind: self.kind(name, listed) })
        }

        /// All entries but `.` and `..`, in no order.
        ///
        /// # Errors
        ///
        /// The system's.
        #[cfg(target_os = "linux")]
        pub fn entries(&self) -> io::Result<Vec<Entry>> {
            let mut buffer = Vec::with_capacity(32 * 1024);
            let mut listing = rustix::fs::RawDir::new(self.fd.as_fd(), buffer.spare_capacity_mut());
            let mut entries = Vec::new();
            while let Some(item) = listing.next() {
                let item = item?;
                entries.extend(self.entry(item.file_name(), item.file_type()));
            }
            Ok(entries)
        }

        /// All entries but `.` and `..`, in no order.
        ///
        /// # Errors
        ///
        /// The system's.
        #[cfg(not(target_os = "linux"))]
        pub fn entries(&self) -> io::Result<Vec<Entry>> {
            let mut entries = Vec::new();
            for item in rustix::fs::Dir::read_from(self.fd.as_fd())? {
                let item = item?;
                entries.extend(self.entry(item.file_name(), item.file_type()));
            }
            Ok(entries)
        }
    }
}

#[cfg(not(unix))]
pub use portable::Directory;

#[cfg(not(unix))]
mod portable {
    use std::path::PathBuf;

    use bstr::ByteSlice;

    use super::{Entry, EntryKind, File, Path, io};

    /// A directory, by its path.
    #[derive(Debug)]
    pub struct Directory {
        path: PathBuf,
    }

    impl Directory {
        /// The root of a walk.
        ///
        /// # Errors
        ///
        /// If it is not a directory.
        pub fn open(path: &Path) -> io::Result<Self> {
            if !path.metadata()?.is_dir() {
                return Err(io::ErrorKind::NotADirectory.into());
            }
            Ok(Directory { path: path.to_owned() })
        }

        /// A directory in this one.
        ///
        /// # Errors
        ///
        /// Never: a missing one has no entries to list.
        pub fn open_directory(&self, name: &[u8]) -> io::Result<Self> {
            Ok(Directory { path: self.path.join(name.to_path_lossy()) })
        }

        /// Opens a file in this directory.
        ///
        /// # Errors
        ///
        /// The system's.
        pub fn open_file(&self, name: &[u8]) -> io::Result<File> {
            File::open(self.path.join(name.to_path_lossy()))
        }

        /// Whether `name` exists.
        #[must_use]
        pub fn exists(&self, name: &str) -> bool {
            self.path.join(name).exists()
        }

        /// All entries, in no order.
        ///
        /// # Errors
        ///
        /// The system's.
        pub fn entries(&self) -> io::Result<Vec<Entry>> {
            std::fs::read_dir(&self.path)?
                .map(|item| {
                    let item = item?;
                    let kind = item.file_type()?;
                    let kind = if kind.is_file() {
                        EntryKind::File
                    } else if kind.is_dir() {
                        EntryKind::Directory
                    } else {
                        EntryKind::Other
                    };
                    Ok(Entry { name: item.file_name().to_string_lossy().into_owned().into_bytes(), kind })
                })
                .collect()
        }
    }
}
