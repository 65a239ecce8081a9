//! NUL bytes: grep searches the rest of such an input as if they were newlines.

/// Zero bytes in a row from which on grep's answer may depend on how they were read: it drops reads
/// that hold nothing but zeros, together with the end of the line they stand for. In bytes; no
/// pipe hands over less when its writer has more.
const LONGEST_RUN: usize = 4096;

/// Looks for long runs of zeros across chunks.
#[derive(Default)]
pub(super) struct ZeroRuns {
    /// Zeros at the end of what was seen.
    run: usize,
}

impl ZeroRuns {
    /// Whether a run of `LONGEST_RUN` zeros ends in or spans `bytes`, which follow those of the last call.
    pub(super) fn long_run(&mut self, bytes: &[u8]) -> bool {
        let mut at = 0;
        while at < bytes.len() {
            if self.run == 0 {
                match memchr::memchr(0, &bytes[at..]) {
                    Some(offset) => at += offset,
                    None => return false,
                }
            }
            let zeros = bytes[at..].iter().take_while(|&&byte| byte == 0).count();
            self.run += zeros;
            at += zeros;
            if self.run >= LONGEST_RUN {
                return true;
            }
            if at < bytes.len() {
                self.run = 0;
            }
        }
        false
    }
}

/// Turns NUL bytes into newlines.
pub(super) fn zap(bytes: &mut [u8]) {
    let mut at = 0;
    while let Some(offset) = memchr::memchr(0, &bytes[at..]) {
        at += offset;
        bytes[at] = b'\n';
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_found_across_chunks() {
        let runs = |length: usize, chunk: usize| {
            let mut bytes = vec![b'x'; 5000];
            bytes.resize(5000 + length, 0);
            bytes.extend(b"x\0\0x");
            let mut zeros = ZeroRuns::default();
            bytes.chunks(chunk).any(|chunk| zeros.long_run(chunk))
        };
        for chunk in [1, 7, 4096, 10_000] {
            assert!(!runs(LONGEST_RUN - 1, chunk), "{chunk}");
            assert!(runs(LONGEST_RUN, chunk), "{chunk}");
        }
    }

    #[test]
    fn zapping() {
        let mut bytes = *b"\0a\0\0b\n\0";
        zap(&mut bytes);
        assert_eq!(&bytes, b"\na\n\nb\n\n");
    }
}
