//! The header that `head -v` and `tail -v` write before anything else.

/// A header that is written once, or never.
pub(super) struct Header {
    pending: bool,
}

impl Header {
    /// A header, if it is `wanted`.
    pub(super) fn new(wanted: bool) -> Self {
        Header { pending: wanted }
    }

    /// Appends the header to `out` if that is still to be done.
    pub(super) fn write(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.pending) {
            out.extend_from_slice(b"==> standard input <==\n");
        }
    }
}
