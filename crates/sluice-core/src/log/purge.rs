//! Removing old logs.

use std::path::Path;
use std::time::{Duration, SystemTime};

use super::{ID_DIGITS, PREFIX, SUFFIX};

/// How old a log must be before it is removed.
pub const PURGE_AFTER: Duration = Duration::from_secs(24 * 60 * 60);

/// Removes logs in `dir` older than `age`: regular files of exactly our name pattern that belong to the
/// current user; never folders, never links. Returns how many went.
///
/// A log that is still being written has a fresh modification time, so a running command keeps its own.
/// Files that vanish meanwhile, for example by another process that purges, are no error.
///
/// # Errors
///
/// [`crate::Error::Io`] if the folder cannot be listed.
pub fn purge(dir: &Path, age: Duration) -> crate::Result<u64> {
    let fail = |error| crate::Error::io(dir.display().to_string(), error);
    let now = SystemTime::now();
    let mut removed = 0;
    for entry in std::fs::read_dir(dir).map_err(fail)?.flatten() {
        if !entry.file_name().to_str().is_some_and(is_log_name) {
            continue;
        }
        let Ok(meta) = entry.path().symlink_metadata() else { continue };
        let old = meta.modified().ok().and_then(|at| now.duration_since(at).ok()).is_some_and(|d| d > age);
        if meta.is_file() && is_ours(&meta) && old && std::fs::remove_file(entry.path()).is_ok() {
            removed += 1;
        }
    }
    Ok(removed)
}

fn is_log_name(name: &str) -> bool {
    name.strip_prefix(PREFIX).and_then(|rest| rest.strip_suffix(SUFFIX)).is_some_and(|id| {
        id.len() == ID_DIGITS && id.bytes().all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b))
    })
}

#[cfg(unix)]
fn is_ours(meta: &std::fs::Metadata) -> bool {
    use std::os::unix::fs::MetadataExt;
    meta.uid() == rustix::process::geteuid().as_raw()
}

#[cfg(not(unix))]
fn is_ours(_meta: &std::fs::Metadata) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs::{File, FileTimes};

    fn aged(path: &Path) {
        let past = SystemTime::now() - 2 * PURGE_AFTER;
        File::options()
            .append(true)
            .open(path)
            .unwrap()
            .set_times(FileTimes::new().set_modified(past))
            .unwrap();
    }

    #[test]
    fn removes_old_logs_and_nothing_else() {
        let dir = tempfile::tempdir().unwrap();
        let file = |name: &str, old: bool| {
            let path = dir.path().join(name);
            std::fs::write(&path, "x").unwrap();
            if old {
                aged(&path);
            }
            path
        };
        let old = file("pi-bash-guard-00000000000000aa.log", true);
        let fresh = file("pi-bash-guard-00000000000000ab.log", false);
        let pis_own = file("pi-bash-00000000000000aa.log", true);
        let short = file("pi-bash-guard-00aa.log", true);
        let upper = file("pi-bash-guard-00000000000000AA.log", true);
        let folder = dir.path().join("pi-bash-guard-00000000000000ac.log");
        std::fs::create_dir(&folder).unwrap();
        let link = dir.path().join("pi-bash-guard-00000000000000ad.log");
        #[cfg(unix)]
        std::os::unix::fs::symlink(&pis_own, &link).unwrap();

        assert_eq!(purge(dir.path(), PURGE_AFTER).unwrap(), 1);
        assert!(!old.exists());
        for kept in [&fresh, &pis_own, &short, &upper, &folder] {
            assert!(kept.exists(), "{}", kept.display());
        }
        assert!(!cfg!(unix) || link.symlink_metadata().is_ok());
    }
}
