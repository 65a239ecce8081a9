//! The views behind the line-local ones, and the sink behind them.

use super::{FileProjection, Sink};
use crate::Result;
use crate::pipeline::Projector;
use crate::view::{ViewEnv, ViewSpec};

/// Output is handed on once it has grown to this many bytes.
const PIECE_BYTES: usize = 256 * 1024;

/// Takes the output of a part of the chain through the rest of it.
pub(super) struct Rest<'a, 's> {
    views: Option<Projector>,
    sink: &'a mut Sink<'s>,
    pending: Vec<u8>,
    /// Bytes taken so far.
    taken: u64,
}

impl<'a, 's> Rest<'a, 's> {
    /// The views `specs`, which may be none.
    ///
    /// # Errors
    ///
    /// As [`Projector::new`].
    pub(super) fn new(specs: &[ViewSpec], env: &ViewEnv, sink: &'a mut Sink<'s>) -> Result<Self> {
        let views = if specs.is_empty() { None } else { Some(Projector::from_specs(specs, env)?) };
        Ok(Rest { views, sink, pending: Vec::new(), taken: 0 })
    }

    /// Bytes taken so far.
    pub(super) fn taken(&self) -> u64 {
        self.taken
    }

    /// True once more input would change nothing.
    pub(super) fn satisfied(&self) -> bool {
        self.views.as_ref().is_some_and(Projector::satisfied)
    }

    /// Lets the first view pass over lines; see [`crate::view::View::skip`].
    pub(super) fn skip(&mut self, bytes: u64, lines: u64) -> bool {
        self.views.as_mut().is_some_and(|views| views.skip(bytes, lines))
    }

    /// As [`Rest::take`], for bytes that are kept by the caller.
    ///
    /// # Errors
    ///
    /// Those of the views and of the sink.
    pub(super) fn take_slice(&mut self, piece: &[u8]) -> Result<()> {
        self.taken += piece.len() as u64;
        match &mut self.views {
            Some(views) => views.push_uncounted(piece, &mut self.pending)?,
            None => self.pending.extend_from_slice(piece),
        }
        self.flush_large()
    }

    /// Takes the next piece.
    ///
    /// # Errors
    ///
    /// Those of the views and of the sink.
    pub(super) fn take(&mut self, piece: Vec<u8>) -> Result<()> {
        if self.views.is_some() || !self.pending.is_empty() {
            return self.take_slice(&piece);
        }
        self.taken += piece.len() as u64;
        self.pending = piece;
        self.flush_large()
    }

    fn flush_large(&mut self) -> Result<()> {
        if self.pending.len() >= PIECE_BYTES {
            (self.sink)(std::mem::take(&mut self.pending))?;
        }
        Ok(())
    }

    /// Ends the views and flushes. `codes` and `stderr` are those of the views in front.
    ///
    /// # Errors
    ///
    /// Those of the views and of the sink.
    pub(super) fn finish(mut self, codes: Vec<i32>, stderr: String) -> Result<FileProjection> {
        let mut end = FileProjection { exit_codes: codes, stderr, ..FileProjection::default() };
        if let Some(views) = &mut self.views {
            let own = views.finish(&mut self.pending)?;
            end.exit_codes.extend(own.exit_codes);
            end.stderr.push_str(&own.stderr);
        }
        if !self.pending.is_empty() {
            (self.sink)(self.pending)?;
        }
        end.exit_code = end.exit_codes.last().copied().unwrap_or(0);
        Ok(end)
    }
}
