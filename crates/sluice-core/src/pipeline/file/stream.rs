//! Reads from a point of the file to its end, or as far as the views want, through one projector.

use super::{FileProjection, Job, Sink};
use crate::Result;
use crate::pipeline::{ProjectionEnd, Projector};

/// How much is read on after the views are satisfied, in bytes, if one that was cut off may still have
/// something to say on standard error.
const SETTLE_BYTES: u64 = 1 << 20;

/// The whole chain over the first `size` bytes of a regular file.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn from_start(job: Job<'_>, size: u64, sink: &mut Sink<'_>) -> Result<FileProjection> {
    let end = run(job, 0, size, sink)?;
    Ok(FileProjection {
        input_bytes: Some(end.input_bytes),
        input_lines: Some(end.input_lines),
        ..plain(end)
    })
}

/// The whole chain over the bytes `start..size` of a regular file.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn from_offset(
    job: Job<'_>,
    start: u64,
    size: u64,
    sink: &mut Sink<'_>,
) -> Result<FileProjection> {
    run(job, start, size, sink).map(plain)
}

/// The whole chain over a FIFO, a device or a file of `/proc`, until it ends.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn unsized_source(job: Job<'_>, sink: &mut Sink<'_>) -> Result<FileProjection> {
    let mut buffer = vec![0; length(job.geometry.block)];
    let mut pump = Pump::new(job, sink)?;
    while !pump.done() {
        let count = job.source.read_next(&mut buffer, job.token)?;
        if count == 0 {
            break;
        }
        pump.push(&buffer[..count])?;
    }
    let end = pump.finish()?;
    Ok(FileProjection {
        input_bytes: Some(end.input_bytes),
        input_lines: Some(end.input_lines),
        ..plain(end)
    })
}

fn run(job: Job<'_>, start: u64, size: u64, sink: &mut Sink<'_>) -> Result<ProjectionEnd> {
    let mut pump = Pump::new(job, sink)?;
    read(job, start, size, |bytes| {
        pump.push(bytes)?;
        Ok(!pump.done())
    })?;
    pump.finish()
}

/// Reads the bytes `start..size` in growing blocks until `push` returns false. A file that has become
/// shorter just ends sooner.
///
/// # Errors
///
/// Those of reading and of `push`.
pub(super) fn read(
    job: Job<'_>,
    start: u64,
    size: u64,
    mut push: impl FnMut(&[u8]) -> Result<bool>,
) -> Result<()> {
    let mut buffer = Vec::new();
    let mut offset = start;
    for block in job.geometry.lengths() {
        if offset >= size {
            break;
        }
        job.token.check()?;
        let wanted = length(block.min(size - offset));
        if buffer.len() < wanted {
            buffer.resize(wanted, 0);
        }
        let count = job.source.read_at(&mut buffer[..wanted], offset)?;
        if !push(&buffer[..count])? || count < wanted {
            break;
        }
        offset += count as u64;
    }
    Ok(())
}

/// A projector with a sink behind it.
struct Pump<'a, 's> {
    projector: Projector,
    sink: &'a mut Sink<'s>,
    /// Bytes pushed since the views were satisfied.
    since_satisfied: u64,
}

impl<'a, 's> Pump<'a, 's> {
    fn new(job: Job<'_>, sink: &'a mut Sink<'s>) -> Result<Self> {
        Ok(Pump { projector: Projector::new(job.pipeline, job.env)?, sink, since_satisfied: 0 })
    }

    fn push(&mut self, bytes: &[u8]) -> Result<()> {
        if self.projector.satisfied() {
            self.since_satisfied += bytes.len() as u64;
        }
        let mut out = Vec::new();
        self.projector.push(bytes, &mut out)?;
        self.emit(out)
    }

    fn done(&self) -> bool {
        self.projector.settled() || self.since_satisfied >= SETTLE_BYTES
    }

    fn finish(mut self) -> Result<ProjectionEnd> {
        let mut out = Vec::new();
        let end = self.projector.finish(&mut out)?;
        self.emit(out)?;
        Ok(end)
    }

    fn emit(&mut self, out: Vec<u8>) -> Result<()> {
        if out.is_empty() { Ok(()) } else { (self.sink)(out) }
    }
}

fn plain(end: ProjectionEnd) -> FileProjection {
    FileProjection {
        exit_code: end.exit_code,
        exit_codes: end.exit_codes,
        stderr: end.stderr,
        ..FileProjection::default()
    }
}

/// Lengths of blocks, which fit any address space.
fn length(bytes: u64) -> usize {
    usize::try_from(bytes).unwrap_or(usize::MAX)
}
