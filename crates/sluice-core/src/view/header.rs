//! The header that `head -v` and `tail -v` write before anything else.

use super::View;
use crate::Result;

/// A view with the header in front of its output.
pub(super) struct Headed {
    view: Box<dyn View>,
    written: bool,
}

impl Headed {
    /// `view`, behind a header if that is `wanted`.
    pub(super) fn wrap(view: Box<dyn View>, wanted: bool) -> Box<dyn View> {
        if wanted { Box::new(Headed { view, written: false }) } else { view }
    }

    fn write(&mut self, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.written, true) {
            out.extend_from_slice(b"==> standard input <==\n");
        }
    }
}

impl View for Headed {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.write(out);
        self.view.push(input, out)
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.write(out);
        self.view.finish(out)
    }

    fn satisfied(&self) -> bool {
        self.view.satisfied()
    }

    fn preview(&self, out: &mut Vec<u8>) {
        self.view.preview(out);
    }
}
