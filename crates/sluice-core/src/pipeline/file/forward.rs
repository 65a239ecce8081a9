//! Reads a file from its start in blocks that the line-local views treat one by one, on every core.

use std::ops::ControlFlow;

use super::local::{Block, Local, LocalEnd, LocalWorker};
use super::parallel::drive;
use super::rest::Rest;
use super::{FileProjection, Job, Projector, Sink, stream};
use crate::Result;

/// The local part in blocks, the other views over what comes out.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn forward(job: Job<'_>, size: u64, local: Local, sink: &mut Sink<'_>) -> Result<FileProjection> {
    let mut rest = Rest::new(&job.pipeline.views[local.stages..], job.env, sink)?;
    let mut binary = false;
    let workers = drive(
        job.geometry,
        job.geometry.forward(size),
        || LocalWorker::new(job, size, local),
        |block| {
            match block {
                Block::Text(out) => rest.take(out)?,
                Block::Binary => binary = true,
            }
            Ok(if binary || rest.satisfied() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
        },
    )?;
    if binary {
        return again(job, size, local, rest);
    }
    let complete = !rest.satisfied();
    let mut end = LocalEnd::default();
    for worker in workers {
        end.merge(worker.finish()?);
    }
    if local.counts && complete {
        rest.take(format!("{}\n", end.count).into_bytes())?;
    }
    let stderr = end.stderr();
    let end = rest.finish(end.codes, stderr)?;
    Ok(FileProjection { input_bytes: complete.then_some(size), ..end })
}

/// The local part turned out to depend on the order. Runs it as a stream from the start, without what
/// `rest` has already taken, which is the same.
fn again(job: Job<'_>, size: u64, local: Local, mut rest: Rest<'_, '_>) -> Result<FileProjection> {
    let mut front = Projector::from_specs(&job.pipeline.views[..local.stages], job.env)?;
    let mut known = rest.taken();
    let mut take = |out: &[u8], rest: &mut Rest<'_, '_>| {
        let skip = usize::try_from(known).map_or(out.len(), |known| known.min(out.len()));
        known -= skip as u64;
        rest.take_slice(&out[skip..])
    };
    let mut out = Vec::new();
    stream::read(job, 0, size, |bytes| {
        out.clear();
        front.push_uncounted(bytes, &mut out)?;
        take(&out, &mut rest)?;
        Ok(!rest.satisfied() && !front.satisfied())
    })?;
    out.clear();
    let end = front.finish(&mut out)?;
    take(&out, &mut rest)?;
    rest.finish(end.exit_codes, end.stderr)
}
