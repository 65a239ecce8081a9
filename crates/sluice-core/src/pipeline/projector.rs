//! The driver over a stream of chunks.

use super::Pipeline;
use crate::Result;
use crate::view::{View, ViewEnv};

/// Runs a pipeline over chunks as they arrive. Memory is what the views keep, plus one chunk per stage.
pub struct Projector {
    views: Vec<Box<dyn View>>,
    /// Whether a stage has already been given its end of input because it, or a later one, was satisfied.
    closed: bool,
    input_bytes: u64,
    input_newlines: u64,
    last_byte: u8,
    scratch: [Vec<u8>; 2],
}

/// What is known when the stream has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectionEnd {
    /// The exit code of the last view.
    pub exit_code: i32,
    /// The exit code of every view, first to last.
    pub exit_codes: Vec<i32>,
    /// What the views write to standard error, in stage order.
    pub stderr: String,
    /// Bytes pushed.
    pub input_bytes: u64,
    /// Lines pushed; an unterminated last line counts.
    pub input_lines: u64,
}

impl Projector {
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] if a view cannot be exact in this environment.
    pub fn new(pipeline: &Pipeline, env: &ViewEnv) -> Result<Self> {
        let views = pipeline.views.iter().map(|spec| spec.build(env)).collect::<Result<Vec<_>>>()?;
        Ok(Projector {
            views,
            closed: false,
            input_bytes: 0,
            input_newlines: 0,
            last_byte: b'\n',
            scratch: Default::default(),
        })
    }

    /// Pushes the next chunk and appends what the last view writes for it to `out`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NeedsRealTool`], after which the projector must not be used.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if let Some(&last) = chunk.last() {
            self.last_byte = last;
            self.input_bytes += chunk.len() as u64;
            self.input_newlines += memchr::memchr_iter(b'\n', chunk).count() as u64;
        }
        if self.satisfied() {
            return Ok(());
        }
        let [input, output] = &mut self.scratch;
        let last = self.views.len() - 1;
        for (index, view) in self.views.iter_mut().enumerate() {
            let source: &[u8] = if index == 0 { chunk } else { input };
            if index == last {
                view.push(source, out)?;
            } else {
                output.clear();
                view.push(source, output)?;
                std::mem::swap(input, output);
            }
        }
        Ok(())
    }

    /// True once further input changes neither output nor exit code.
    #[must_use]
    pub fn satisfied(&self) -> bool {
        self.closed || self.views.iter().any(|view| view.satisfied())
    }

    /// Ends the stream.
    ///
    /// # Errors
    ///
    /// As [`Projector::push`].
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<ProjectionEnd> {
        let mut end = ProjectionEnd {
            input_bytes: self.input_bytes,
            input_lines: self.input_newlines + u64::from(self.last_byte != b'\n'),
            ..ProjectionEnd::default()
        };
        let mut carried = Vec::new();
        let last = self.views.len() - 1;
        for (index, view) in self.views.iter_mut().enumerate() {
            let mut own = Vec::new();
            let sink: &mut Vec<u8> = if index == last { out } else { &mut own };
            if !carried.is_empty() {
                view.push(&carried, sink)?;
            }
            let code = view.finish(sink)?;
            end.exit_codes.push(code);
            end.stderr.push_str(view.stderr());
            carried = own;
        }
        end.exit_code = end.exit_codes.last().copied().unwrap_or(0);
        Ok(end)
    }
}
