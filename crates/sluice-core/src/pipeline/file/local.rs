//! Stages that treat each line on its own: their output for a block does not depend on other blocks.

use super::block::{BlockReader, Extent, Lines};
use super::parallel::Worker;
use super::{Job, Projector};
use crate::view::ViewSpec;
use crate::{Error, Result};

/// The part of a chain that can run on blocks in any order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Local {
    /// How many stages, from the first.
    pub(super) stages: usize,
    /// What ends their lines.
    pub(super) delimiter: u8,
    /// Whether the last of them counts: then the numbers of the blocks add up.
    pub(super) counts: bool,
}

/// The longest local part at the start of the chain.
pub(super) fn local_part(specs: &[ViewSpec]) -> Local {
    let mut local = Local { stages: 0, delimiter: b'\n', counts: false };
    for spec in specs {
        let (delimiter, counts) = match spec {
            ViewSpec::Grep(grep) if grep.is_plain_count() => (grep.terminator(), true),
            _ => match spec.line_local() {
                Some(delimiter) => (delimiter, false),
                None => break,
            },
        };
        if local.stages > 0 && delimiter != local.delimiter {
            break;
        }
        local = Local { stages: local.stages + 1, delimiter, counts };
        if counts {
            break;
        }
    }
    local
}

/// What the stages made of a block.
pub(super) enum Block {
    /// Their output; empty if they count.
    Text(Vec<u8>),
    /// Nothing that can be used: the input is binary, so that the stages depend on what came before.
    Binary,
}

/// What the stages of one or more workers know when they have ended.
#[derive(Default)]
pub(super) struct LocalEnd {
    /// The exit code of each stage: 0 if it selected a line of any block.
    pub(super) codes: Vec<i32>,
    /// What each stage writes to standard error.
    stderr: Vec<String>,
    /// The sum of what they counted.
    pub(super) count: u64,
}

impl LocalEnd {
    /// What all stages write to standard error.
    pub(super) fn stderr(&self) -> String {
        self.stderr.concat()
    }

    pub(super) fn merge(&mut self, other: LocalEnd) {
        if self.codes.is_empty() {
            *self = other;
            return;
        }
        for (code, other) in self.codes.iter_mut().zip(other.codes) {
            *code = (*code).min(other);
        }
        // Each says the same, but for a message that only some have reason for.
        for (text, other) in self.stderr.iter_mut().zip(other.stderr) {
            if other.len() > text.len() {
                *text = other;
            }
        }
        self.count += other.count;
    }
}

/// Runs the local part over blocks in any order.
pub(super) struct LocalWorker<'j> {
    job: Job<'j>,
    local: Local,
    reader: BlockReader<'j>,
    stages: Projector,
    ended: LocalEnd,
}

impl<'j> LocalWorker<'j> {
    /// # Errors
    ///
    /// As [`Projector::new`].
    pub(super) fn new(job: Job<'j>, size: u64, local: Local) -> Result<Self> {
        Ok(LocalWorker {
            job,
            local,
            reader: BlockReader::new(job.source, size, local.delimiter, job.geometry),
            stages: Projector::from_specs(&job.pipeline.views[..local.stages], job.env)?,
            ended: LocalEnd::default(),
        })
    }

    /// Ends the stages.
    ///
    /// # Errors
    ///
    /// As [`Projector::finish`].
    pub(super) fn finish(mut self) -> Result<LocalEnd> {
        self.end_stages(&mut Vec::new())?;
        Ok(self.ended)
    }

    fn end_stages(&mut self, out: &mut Vec<u8>) -> Result<()> {
        let written = out.len();
        let codes = self.stages.finish(out)?.exit_codes;
        let count = if self.local.counts {
            let text = out.split_off(written);
            text.iter()
                .filter(|b| b.is_ascii_digit())
                .fold(0, |sum, digit| sum * 10 + u64::from(digit - b'0'))
        } else {
            0
        };
        self.ended.merge(LocalEnd { codes, stderr: self.stages.stderr(), count });
        Ok(())
    }
}

impl Worker for LocalWorker<'_> {
    type Output = Block;

    fn run(&mut self, extent: Extent) -> Result<Block> {
        match self.text(extent) {
            Ok(out) if !self.stages.met_binary() => Ok(Block::Text(out)),
            // Whether it really needs the real tool depends on the blocks before.
            Ok(_) | Err(Error::NeedsRealTool { .. }) => Ok(Block::Binary),
            Err(error) => Err(error),
        }
    }
}

impl LocalWorker<'_> {
    /// What the stages write for the lines of `extent`, unless they meet a binary input.
    fn text(&mut self, extent: Extent) -> Result<Vec<u8>> {
        let mut out = Vec::new();
        let Lines { bytes, rest } = self.reader.lines(extent, self.job.token)?;
        let Some(&(mut last)) = bytes.last() else { return Ok(out) };
        let stages = &mut self.stages;
        stages.push_uncounted(bytes, &mut out)?;
        if let Some(rest) = rest {
            self.reader.rest(rest, self.job.token, |piece| {
                stages.push_uncounted(piece, &mut out)?;
                last = piece.last().copied().unwrap_or(last);
                Ok(!stages.met_binary())
            })?;
        }
        if last != self.local.delimiter && !stages.met_binary() {
            // The last line of the file; other blocks may follow when going backwards.
            self.end_stages(&mut out)?;
            self.stages = Projector::from_specs(&self.job.pipeline.views[..self.local.stages], self.job.env)?;
        }
        Ok(out)
    }
}
