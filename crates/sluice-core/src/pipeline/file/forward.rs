//! Reads a file from its start in blocks that the line-local views treat one by one, on every core.

use std::ops::ControlFlow;

use super::block::BlockReader;
use super::local::{Block, LocalWorker, merge_codes};
use super::parallel::{Worker, ordered};
use super::stream;
use super::{FileProjection, Job, Projector, Rest, Sink};
use crate::Result;

/// The first `local` views in blocks, the others over what comes out.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn forward(
    job: Job<'_>,
    size: u64,
    local: usize,
    delimiter: u8,
    sink: &mut Sink<'_>,
) -> Result<FileProjection> {
    let (front, behind) = job.pipeline.views.split_at(local);
    let mut rest = Rest::new(behind, job.env, sink)?;
    let worker = || {
        let reader = BlockReader::new(job.source, size, delimiter, job.geometry);
        LocalWorker::new(reader, front, delimiter, job.env, job.token)
    };
    let mut binary = false;
    let mut accept = |block: Block| {
        match block {
            Block::Text(out) => rest.take(out)?,
            Block::Binary => binary = true,
        }
        Ok(if binary || rest.satisfied() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    };
    let mut extents = job.geometry.forward(size);
    let mut alone = worker()?;
    let mut go_on = ControlFlow::Continue(());
    while go_on.is_continue()
        && let Some(extent) = extents.next()
    {
        go_on = accept(alone.run(extent)?)?;
        if extent.end >= job.geometry.alone {
            break;
        }
    }
    let mut codes = alone.finish()?;
    if go_on.is_continue() {
        for worker in ordered(extents, worker, accept)? {
            merge_codes(&mut codes, &worker.finish()?);
        }
    }
    if binary {
        return again(job, size, local, rest);
    }
    let complete = !rest.satisfied();
    let end = rest.finish(codes, String::new())?;
    Ok(FileProjection { input_bytes: complete.then_some(size), ..end })
}

/// The line-local views turned out to depend on the order. Runs them as a stream from the start, without
/// what `rest` has already taken, which is the same.
fn again(job: Job<'_>, size: u64, local: usize, mut rest: Rest<'_, '_>) -> Result<FileProjection> {
    let mut front = Projector::from_specs(&job.pipeline.views[..local], job.env)?;
    let mut known = rest.taken();
    let mut take = |out: Vec<u8>, rest: &mut Rest<'_, '_>| {
        let skip = usize::try_from(known).map_or(out.len(), |known| known.min(out.len()));
        known -= skip as u64;
        if skip == 0 { rest.take(out) } else { rest.take(out[skip..].to_vec()) }
    };
    stream::read(job, 0, size, |bytes| {
        let mut out = Vec::new();
        front.push_uncounted(bytes, &mut out)?;
        take(out, &mut rest)?;
        Ok(!rest.satisfied())
    })?;
    let mut out = Vec::new();
    let end = front.finish(&mut out)?;
    take(out, &mut rest)?;
    rest.finish(end.exit_codes, end.stderr)
}
