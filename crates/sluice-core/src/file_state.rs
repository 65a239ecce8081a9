//! Whether a file or a directory is still as it was when it was read.

use std::fs::Metadata;
use std::time::{Duration, SystemTime};

/// What the system says about a file or a directory. While it is equal, so is the content, if the state
/// [is settled](FileState::is_settled).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct FileState {
    pub(crate) device: u64,
    pub(crate) inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

/// Time stamps are those of clock ticks: what changes twice within one shows only once.
const TICK: Duration = Duration::from_millis(100);

/// The same for file systems that keep whole seconds, or every other one.
const COARSE_TICK: Duration = Duration::from_millis(2100);

impl FileState {
    /// The state of what was opened or examined; `None` where the system does not tell enough.
    #[cfg(unix)]
    pub(crate) fn of(meta: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(FileState {
            device: meta.dev(),
            inode: meta.ino(),
            size: meta.size(),
            modified: (meta.mtime(), meta.mtime_nsec()),
            changed: (meta.ctime(), meta.ctime_nsec()),
        })
    }

    /// The state of what was opened or examined; `None` where the system does not tell enough.
    #[cfg(not(unix))]
    pub(crate) fn of(_: &Metadata) -> Option<Self> {
        None
    }

    /// The state of what was examined.
    #[cfg(target_os = "linux")]
    pub(crate) fn of_stat(stat: &rustix::fs::Stat) -> Self {
        // The types of the fields differ between architectures.
        #[allow(clippy::unnecessary_cast, clippy::useless_conversion)]
        FileState {
            device: u64::from(stat.st_dev),
            inode: u64::from(stat.st_ino),
            size: stat.st_size as u64,
            modified: (i64::from(stat.st_mtime), stat.st_mtime_nsec as i64),
            changed: (i64::from(stat.st_ctime), stat.st_ctime_nsec as i64),
        }
    }

    /// Whether every change after `now`, at which the state was taken at the earliest, shows in the state. A
    /// change sets the change time to that of the clock, and nothing can set it back.
    pub(crate) fn is_settled(&self, now: SystemTime) -> bool {
        let (seconds, nanoseconds) = self.changed;
        let (Ok(seconds), Ok(nanoseconds)) = (u64::try_from(seconds), u32::try_from(nanoseconds)) else {
            return false;
        };
        let changed = SystemTime::UNIX_EPOCH + Duration::new(seconds, nanoseconds);
        let tick = if nanoseconds == 0 { COARSE_TICK } else { TICK };
        now.duration_since(changed).is_ok_and(|age| age > tick)
    }
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn a_fresh_state_is_not_settled() {
        let dir = tempfile::tempdir().unwrap();
        let state = FileState::of(&dir.path().metadata().unwrap()).unwrap();
        let now = SystemTime::now();
        assert!(!state.is_settled(now));
        assert!(state.is_settled(now + Duration::from_millis(200)));
        // A clock that was set back.
        assert!(!state.is_settled(now - Duration::from_secs(9)));
        let coarse = FileState { changed: (state.changed.0, 0), ..state };
        assert!(!coarse.is_settled(now + Duration::from_millis(200)));
        assert!(coarse.is_settled(now + Duration::from_secs(4)));
    }
}
