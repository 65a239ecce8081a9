//! Asks a program about itself, without trusting it to answer.

use std::io::Read;
use std::os::fd::AsFd;
use std::os::unix::process::CommandExt;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, kill_process_group};

/// How long a program may take to answer. A run waits for it, so a wrapper that hangs must not cost more.
const PATIENCE: Duration = Duration::from_secs(2);
/// How much of an answer is read.
const LIMIT: usize = 16 * 1024;

/// What a program wrote.
#[derive(Debug, Default)]
pub(super) struct Answer {
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
}

/// Runs `command` with nothing to read, in a process group that is ended with it. `None` if it cannot be started, or
/// has not closed its output within two seconds and 16 KiB.
pub(super) fn answer(command: &mut Command) -> Option<Answer> {
    let mut child = command
        .env_remove("POSIXLY_CORRECT")
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0)
        .spawn()
        .ok()?;
    let answer = listen(&mut child);
    // The child has not been waited for, so the group is still its own.
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        // It has usually ended by itself.
        let _ = kill_process_group(group, Signal::KILL);
    }
    child.wait().ok()?;
    answer
}

fn listen(child: &mut Child) -> Option<Answer> {
    let (mut stdout, mut stderr) = (child.stdout.take()?, child.stderr.take()?);
    let deadline = Instant::now() + PATIENCE;
    let mut answer = Answer::default();
    let mut open = [true; 2];
    let mut block = [0; 4096];
    while open.contains(&true) {
        let left = deadline.checked_duration_since(Instant::now())?;
        let timeout =
            Timespec { tv_sec: left.as_secs().try_into().ok()?, tv_nsec: left.subsec_nanos().into() };
        let ready = {
            // A stream that has ended is always ready, so it is watched no more: its place takes the other one.
            let first = if open[0] { stdout.as_fd() } else { stderr.as_fd() };
            let second = if open[1] { stderr.as_fd() } else { stdout.as_fd() };
            let mut fds = [
                PollFd::from_borrowed_fd(first, PollFlags::IN),
                PollFd::from_borrowed_fd(second, PollFlags::IN),
            ];
            match poll(&mut fds, Some(&timeout)) {
                Ok(0) => return None,
                Ok(_) | Err(Errno::INTR) => {}
                Err(_) => return None,
            }
            fds.map(|fd| !fd.revents().is_empty())
        };
        for (index, kept) in [&mut answer.stdout, &mut answer.stderr].into_iter().enumerate() {
            if !open[index] || !ready[index] {
                continue;
            }
            let stream: &mut dyn Read = if index == 0 { &mut stdout } else { &mut stderr };
            match stream.read(&mut block) {
                Ok(0) => open[index] = false,
                Ok(count) => kept.extend_from_slice(&block[..count]),
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(_) => return None,
            }
            if kept.len() > LIMIT {
                return None;
            }
        }
    }
    Some(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sh(script: &str) -> Option<Answer> {
        answer(Command::new("/bin/sh").args(["-c", script]))
    }

    #[test]
    fn answers_come_whole() {
        let answer = sh("echo one; echo two >&2; exit 3").unwrap_or_default();
        assert_eq!((&answer.stdout[..], &answer.stderr[..]), (&b"one\n"[..], &b"two\n"[..]));
    }

    #[test]
    fn programs_that_hang_flood_or_hide_are_given_up() {
        let began = Instant::now();
        assert!(sh("sleep 60").is_none());
        assert!(sh("sleep 60 & echo started").is_none());
        assert!(sh("exec yes").is_none());
        assert!(sh("yes >&2").is_none());
        assert!(began.elapsed() < Duration::from_secs(30));
        assert!(answer(&mut Command::new("/nonexistent/tool")).is_none());
    }
}
