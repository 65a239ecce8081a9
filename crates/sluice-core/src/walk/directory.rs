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

/// An entry of a [`Listing`], which holds its name.
#[derive(Clone, Copy, Debug)]
pub struct Entry {
    start: u32,
    len: u32,
    /// What it is.
    pub kind: EntryKind,
}

/// The entries of a directory; their names are kept in one piece.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    names: Vec<u8>,
    /// The entries.
    pub entries: Vec<Entry>,
}

impl Listing {
    /// An entry's name, as the system's bytes.
    #[must_use]
    pub fn name(&self, entry: Entry) -> &[u8] {
        &self.names[entry.start as usize..][..entry.len as usize]
    }

    /// An entry's name as it stands in a path: a directory's ends with `/`.
    pub(super) fn path_name(&self, entry: Entry) -> &[u8] {
        let slash = u32::from(entry.kind == EntryKind::Directory);
        &self.names[entry.start as usize..][..(entry.len + slash) as usize]
    }

    /// Puts the entries into path order.
    pub fn sort(&mut self) {
        let mut entries = std::mem::take(&mut self.entries);
        entries.sort_unstable_by(|a, b| self.path_name(*a).cmp(self.path_name(*b)));
        self.entries = entries;
    }

    /// Bytes in memory, about.
    pub(super) fn size(&self) -> usize {
        self.names.capacity() + self.entries.capacity() * size_of::<Entry>()
    }

    fn push(&mut self, name: &[u8], kind: EntryKind) -> io::Result<()> {
        let number = |n: usize| u32::try_from(n).map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory));
        let entry = Entry { start: number(self.names.len())?, len: number(name.len())?, kind };
        number(self.names.len() + name.len() + 1)?;
        self.names.extend_from_slice(name);
        self.names.push(b'/');
        self.entries.push(entry);
        Ok(())
    }
}

#[cfg(unix)]
pub use unix::Directory;

#[cfg(unix)]
mod unix {
    use std::os::fd::{AsFd, OwnedFd};

    use rustix::fs::{AtFlags, CWD, FileType, Mode, OFlags, openat, statat};

    use super::{EntryKind, File, Listing, Path, io};
    use crate::file_state::FileState;

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

        /// Opens a directory below this one by its path; a symbolic link on the way is an error.
        ///
        /// # Errors
        ///
        /// The system's.
        pub fn open_below(&self, path: &[u8]) -> io::Result<Self> {
            let mut names = path.split(|&b| b == b'/').filter(|name| !name.is_empty());
            let first = self.open_directory(names.next().unwrap_or(b"."))?;
            names.try_fold(first, |directory, name| directory.open_directory(name))
        }

        /// Whether the directory is on a file system known to change a directory's state with its entries:
        /// network file systems may tell what they remember, and others nothing.
        #[cfg(target_os = "linux")]
        pub(crate) fn changes_show(&self) -> bool {
            /// ext2 to 4, XFS, Btrfs, F2FS, bcachefs, ZFS, tmpfs and overlayfs.
            const KNOWN: [u32; 8] = [
                0xEF53,
                0x5846_5342,
                0x9123_683E,
                0xF2F5_2010,
                0xCA45_1A4E,
                0x2FC1_2FC1,
                0x0102_1994,
                0x794C_7630,
            ];
            // The magic numbers have 32 bits on every architecture.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::unnecessary_cast)]
            rustix::fs::fstatfs(&self.fd).is_ok_and(|stat| KNOWN.contains(&(stat.f_type as u32)))
        }

        /// The state of the directory.
        #[cfg(target_os = "linux")]
        pub(crate) fn state(&self) -> Option<FileState> {
            rustix::fs::fstat(&self.fd).ok().map(|stat| FileState::of_stat(&stat))
        }

        /// The state of a directory below this one, by its path; symbolic links are not followed at its end.
        #[cfg(target_os = "linux")]
        pub(crate) fn state_below(&self, path: &[u8]) -> Option<FileState> {
            let path = if path.is_empty() { b"." } else { path };
            statat(&self.fd, path, AtFlags::SYMLINK_NOFOLLOW).ok().map(|stat| FileState::of_stat(&stat))
        }

        /// Not known here.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn changes_show(&self) -> bool {
            false
        }

        /// Not told here.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn state(&self) -> Option<FileState> {
            None
        }

        /// Not told here.
        #[cfg(not(target_os = "linux"))]
        pub(crate) fn state_below(&self, _path: &[u8]) -> Option<FileState> {
            None
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

        fn add(&self, listing: &mut Listing, name: &std::ffi::CStr, listed: FileType) -> io::Result<()> {
            match name.to_bytes() {
                b"." | b".." => Ok(()),
                bytes => listing.push(bytes, self.kind(name, listed)),
            }
        }

        /// All entries but `.` and `..`, in no order. `buffer` is scratch space.
        ///
        /// # Errors
        ///
        /// The system's.
        #[cfg(target_os = "linux")]
        pub fn list(&self, buffer: &mut Vec<u8>) -> io::Result<Listing> {
            buffer.clear();
            buffer.reserve(32 * 1024);
            let mut listing = Listing::default();
            let mut items = rustix::fs::RawDir::new(self.fd.as_fd(), buffer.spare_capacity_mut());
            while let Some(item) = items.next() {
                let item = item?;
                self.add(&mut listing, item.file_name(), item.file_type())?;
            }
            Ok(listing)
        }

        /// All entries but `.` and `..`, in no order.
        ///
        /// # Errors
        ///
        /// The system's.
        #[cfg(not(target_os = "linux"))]
        pub fn list(&self, _buffer: &mut Vec<u8>) -> io::Result<Listing> {
            let mut listing = Listing::default();
            for item in rustix::fs::Dir::read_from(self.fd.as_fd())? {
                let item = item?;
                self.add(&mut listing, item.file_name(), item.file_type())?;
            }
            Ok(listing)
        }
    }
}

#[cfg(not(unix))]
pub use portable::Directory;

#[cfg(not(unix))]
mod portable {
    use std::path::PathBuf;

    use bstr::ByteSlice;

    use super::{EntryKind, File, Listing, Path, io};
    use crate::file_state::FileState;

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

        /// A directory below this one, by its path.
        ///
        /// # Errors
        ///
        /// Never: a missing one has no entries to list.
        pub fn open_below(&self, path: &[u8]) -> io::Result<Self> {
            self.open_directory(path)
        }

        /// Not known here.
        pub(crate) fn changes_show(&self) -> bool {
            false
        }

        /// Not told here.
        pub(crate) fn state(&self) -> Option<FileState> {
            None
        }

        /// Not told here.
        pub(crate) fn state_below(&self, _path: &[u8]) -> Option<FileState> {
            None
        }

        /// All entries, in no order.
        ///
        /// # Errors
        ///
        /// The system's.
        pub fn list(&self, _buffer: &mut Vec<u8>) -> io::Result<Listing> {
            let mut listing = Listing::default();
            for item in std::fs::read_dir(&self.path)? {
                let item = item?;
                let kind = item.file_type()?;
                let kind = if kind.is_file() {
                    EntryKind::File
                } else if kind.is_dir() {
                    EntryKind::Directory
                } else {
                    EntryKind::Other
                };
                listing.push(item.file_name().to_string_lossy().as_bytes(), kind)?;
            }
            Ok(listing)
        }
    }
}
