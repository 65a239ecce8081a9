//! Listing one directory.

use std::path::Path;

use bstr::ByteSlice;

use crate::walk::{Directory, EntryKind};
use crate::{CancelToken, Error, Result};

/// What an entry leads to, symbolic links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Target {
    /// Anything that is no directory.
    File = 0,
    /// A directory.
    Directory = 1,
    /// Nothing that can be examined, such as a dangling link; or a name that is no text, which nobody can ask for.
    Unknown = 2,
}

/// The entries of a directory, in byte order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Listing {
    /// The names, each followed by a NUL.
    pub names: Vec<u8>,
    /// For each name a [`Target`] as a byte.
    pub targets: Vec<u8>,
}

/// Lists a directory. Only what the listing itself does not tell is examined one by one: symbolic links and
/// special files.
///
/// # Errors
///
/// [`Error::Io`] if the directory cannot be read, [`Error::Aborted`].
pub fn list(path: &Path, cancel: &CancelToken) -> Result<Listing> {
    let io_error = |source| Error::io(path.display().to_string(), source);
    let directory = Directory::open(path).map_err(io_error)?;
    let listed = directory.list(&mut Vec::new()).map_err(io_error)?;
    let mut entries: Vec<(&[u8], EntryKind)> =
        listed.entries.iter().map(|entry| (listed.name(*entry), entry.kind)).collect();
    entries.sort_unstable_by_key(|(name, _)| *name);
    // Without search permission nothing in the directory can be examined.
    let searchable =
        entries.first().is_none_or(|(name, _)| path.join(name.to_path_lossy()).symlink_metadata().is_ok());
    let mut listing = Listing::default();
    for (number, (name, kind)) in entries.into_iter().enumerate() {
        if number % 1024 == 0 {
            cancel.check()?;
        }
        let target = match kind {
            _ if !searchable || std::str::from_utf8(name).is_err() => Target::Unknown,
            EntryKind::File => Target::File,
            EntryKind::Directory => Target::Directory,
            EntryKind::Other => match path.join(name.to_path_lossy()).metadata() {
                Ok(meta) if meta.is_dir() => Target::Directory,
                Ok(_) => Target::File,
                Err(_) => Target::Unknown,
            },
        };
        listing.names.extend_from_slice(name);
        listing.names.push(0);
        listing.targets.push(target as u8);
    }
    Ok(listing)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn follows_links() {
        let dir = tempfile::tempdir().unwrap();
        std::fs::create_dir(dir.path().join("d")).unwrap();
        std::fs::write(dir.path().join("f"), "").unwrap();
        for (target, link) in [("d", "to_d"), ("f", "to_f"), ("absent", "dangling"), ("loop", "loop")] {
            std::os::unix::fs::symlink(target, dir.path().join(link)).unwrap();
        }
        let listing = list(dir.path(), &CancelToken::default()).unwrap();
        let names = listing.names.split_str("\0").map(|name| name.to_str_lossy().into_owned());
        let mut found: Vec<(String, u8)> = names.zip(listing.targets).collect();
        found.sort();
        let expected = [("d", 1), ("dangling", 2), ("f", 0), ("loop", 2), ("to_d", 1), ("to_f", 0)];
        assert_eq!(found, expected.map(|(name, target)| (name.to_owned(), target)));
        assert!(list(&dir.path().join("f"), &CancelToken::default()).is_err());
    }
}
