//! Stages that treat each line on its own: their output for a block does not depend on other blocks.

use super::block::{BlockReader, Extent};
use super::parallel::Worker;
use crate::pipeline::Projector;
use crate::view::{ViewEnv, ViewSpec};
use crate::{CancelToken, Error, Result};

/// How many stages at the start of the chain are line-local, and what ends their lines.
pub(super) fn local_prefix(specs: &[ViewSpec]) -> (usize, u8) {
    let mut delimiter = None;
    let count = specs
        .iter()
        .take_while(|spec| match (spec.line_local(), delimiter) {
            (None, _) => false,
            (Some(own), None) => {
                delimiter = Some(own);
                true
            }
            (Some(own), Some(common)) => own == common,
        })
        .count();
    (count, delimiter.unwrap_or(b'\n'))
}

/// What the stages made of a block.
pub(super) enum Block {
    /// Their output.
    Text(Vec<u8>),
    /// Nothing that can be used: the input is binary, so that the stages depend on what came before.
    Binary,
}

/// Runs line-local stages over blocks in any order.
pub(super) struct LocalWorker<'s> {
    reader: BlockReader<'s>,
    specs: &'s [ViewSpec],
    env: &'s ViewEnv,
    token: &'s CancelToken,
    delimiter: u8,
    stages: Projector,
    /// The least exit code of each stage so far: 0 if it selected a line of any block.
    codes: Option<Vec<i32>>,
}

impl<'s> LocalWorker<'s> {
    /// # Errors
    ///
    /// As [`Projector::new`].
    pub(super) fn new(
        reader: BlockReader<'s>,
        specs: &'s [ViewSpec],
        delimiter: u8,
        env: &'s ViewEnv,
        token: &'s CancelToken,
    ) -> Result<Self> {
        let stages = Projector::from_specs(specs, env)?;
        Ok(LocalWorker { reader, specs, env, token, delimiter, stages, codes: None })
    }

    /// Ends the stages; returns the exit code of each.
    ///
    /// # Errors
    ///
    /// As [`Projector::finish`].
    pub(super) fn finish(mut self) -> Result<Vec<i32>> {
        end(&mut self.stages, &mut self.codes, &mut Vec::new())?;
        Ok(self.codes.unwrap_or_default())
    }
}

impl Worker for LocalWorker<'_> {
    type Output = Block;

    fn run(&mut self, extent: Extent) -> Result<Block> {
        let lines = self.reader.lines(extent, self.token)?;
        let mut out = Vec::new();
        let Some(last) = lines.last() else { return Ok(Block::Text(out)) };
        match self.stages.push_uncounted(lines, &mut out) {
            // In the right order there may be an answer.
            Err(Error::NeedsRealTool { .. }) => return Ok(Block::Binary),
            pushed => pushed?,
        }
        if self.stages.met_binary() {
            return Ok(Block::Binary);
        }
        if *last != self.delimiter {
            // The last line of the file is open; other blocks may follow when going backwards.
            end(&mut self.stages, &mut self.codes, &mut out)?;
            if self.stages.met_binary() {
                return Ok(Block::Binary);
            }
            self.stages = Projector::from_specs(self.specs, self.env)?;
        }
        Ok(Block::Text(out))
    }
}

/// Ends `stages` and merges their exit codes into `codes`.
fn end(stages: &mut Projector, codes: &mut Option<Vec<i32>>, out: &mut Vec<u8>) -> Result<()> {
    let ended = stages.finish(out)?.exit_codes;
    match codes {
        None => *codes = Some(ended),
        Some(codes) => merge_codes(codes, &ended),
    }
    Ok(())
}

/// A stage succeeded if it did in any part.
pub(super) fn merge_codes(codes: &mut [i32], more: &[i32]) {
    for (code, other) in codes.iter_mut().zip(more) {
        *code = (*code).min(*other);
    }
}
