//! A window's input, read from the very pipe that the shell made for it.

use std::os::fd::{BorrowedFd, OwnedFd};

/// The pipe that process `pid` has as fd 6, opened once more for reading, if that process belongs to the command whose
/// announcements arrive at `announce`. The engine then is the reader that the view would have been: no relay stands in
/// between, and closing it is what ends the producer. `None` where the system does not allow it: then `cat` relays.
#[cfg(target_os = "linux")]
pub(super) fn open_input(pid: i32, announce: BorrowedFd<'_>) -> Option<OwnedFd> {
    use rustix::fs::{FileType, Mode, OFlags, fstat, open, stat};

    let descriptor = |number: u32| format!("/proc/{pid}/fd/{number}");
    // Whoever wrote the message: only the command's own processes have our pipe there.
    let (theirs, ours) = (stat(descriptor(8)).ok()?, fstat(announce).ok()?);
    if (theirs.st_dev, theirs.st_ino) != (ours.st_dev, ours.st_ino) {
        return None;
    }
    let input = descriptor(6);
    if FileType::from_raw_mode(stat(&input).ok()?.st_mode) != FileType::Fifo {
        return None;
    }
    open(input, OFlags::RDONLY | OFlags::NONBLOCK | OFlags::CLOEXEC | OFlags::NOCTTY, Mode::empty()).ok()
}

/// No way to open another process's pipe.
#[cfg(not(target_os = "linux"))]
pub(super) fn open_input(_pid: i32, _announce: BorrowedFd<'_>) -> Option<OwnedFd> {
    None
}

/// Lets a pipe hold more, so that a fast producer and the engine meet less often.
pub(super) fn enlarge(_pipe: &OwnedFd) {
    // A user may have used up the allowance for large pipes; then it stays as it is.
    #[cfg(target_os = "linux")]
    let _ = rustix::pipe::fcntl_setpipe_size(_pipe, 1024 * 1024);
}
