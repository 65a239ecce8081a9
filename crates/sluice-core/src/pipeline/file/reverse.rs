//! Reads a file from its end: `tail`, and `tail` behind line-local views.

use std::ops::ControlFlow;

use super::local::{Block, Local, LocalEnd, LocalWorker};
use super::parallel::drive;
use super::rest::Rest;
use super::{FileProjection, Job, Sink, stream};
use crate::Result;
use crate::view::{TailMode, ViewSpec};

/// Files up to this size are looked at as a whole for NUL bytes, which takes a few milliseconds.
const WHOLE_LOOK_BYTES: u64 = 32 << 20;
/// How much of the start of a larger file is looked at, in bytes: the first buffer of GNU grep.
const FIRST_LOOK_BYTES: u64 = 32 * 1024;

/// A chain that starts with a `tail`: finds where the shown part starts, and reads from there.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn suffix(job: Job<'_>, size: u64, sink: &mut Sink<'_>) -> Result<FileProjection> {
    let start = match job.pipeline.views.first() {
        Some(ViewSpec::Tail(tail)) => match tail.mode {
            TailMode::LastBytes(count) => size.saturating_sub(count),
            TailMode::LastLines(count) => start_of_last_lines(job, size, count, tail.delimiter)?,
            TailMode::FromLine(_) | TailMode::FromByte(_) => 0,
        },
        _ => 0,
    };
    if start == 0 { stream::from_start(job, size, sink) } else { stream::from_offset(job, start, size, sink) }
}

/// Where the last `count` lines start, or a little before.
fn start_of_last_lines(job: Job<'_>, size: u64, count: u64, delimiter: u8) -> Result<u64> {
    // Behind that many delimiters from the end lie the lines, whether or not the last one is terminated.
    let mut left = count.saturating_add(1);
    let mut buffer = Vec::new();
    for extent in job.geometry.backward(size) {
        job.token.check()?;
        let length = usize::try_from(extent.end - extent.start).unwrap_or(usize::MAX);
        if buffer.len() < length {
            buffer.resize(length, 0);
        }
        let bytes = &mut buffer[..length];
        job.source.read_exact_at(bytes, extent.start)?;
        let found = memchr::memchr_iter(delimiter, bytes).count() as u64;
        if found >= left {
            let nth = usize::try_from(left - 1).unwrap_or(usize::MAX);
            let at = memchr::memrchr_iter(delimiter, bytes).nth(nth);
            return Ok(at.map_or(extent.start, |at| extent.start + at as u64 + 1));
        }
        left -= found;
    }
    Ok(0)
}

/// Output of the line-local views, gathered from the end until the `tail` behind them has enough.
struct Gathered {
    /// Last piece first.
    pieces: Vec<Vec<u8>>,
    /// Bytes or delimiters that are still missing.
    missing: u64,
    /// What is counted: a delimiter, or bytes.
    delimiter: Option<u8>,
    binary: bool,
}

impl Gathered {
    fn take(&mut self, block: Block) -> ControlFlow<()> {
        match block {
            Block::Binary => self.binary = true,
            Block::Text(piece) if piece.is_empty() => {}
            Block::Text(piece) => {
                let found = match self.delimiter {
                    Some(delimiter) => memchr::memchr_iter(delimiter, &piece).count(),
                    None => piece.len(),
                };
                self.missing = self.missing.saturating_sub(found as u64);
                self.pieces.push(piece);
            }
        }
        if self.binary || self.missing == 0 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }
}

/// The local part on blocks from the end, until the `tail` behind them has all it shows.
/// `None` if the input turned out to be binary, with nothing written.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn backward(
    job: Job<'_>,
    size: u64,
    local: Local,
    sink: &mut Sink<'_>,
) -> Result<Option<FileProjection>> {
    let behind = &job.pipeline.views[local.stages..];
    let (missing, counted) = match behind.first() {
        Some(ViewSpec::Tail(tail)) => match tail.mode {
            TailMode::LastLines(count) => (count.saturating_add(1), Some(tail.delimiter)),
            TailMode::LastBytes(count) => (count, None),
            TailMode::FromLine(_) | TailMode::FromByte(_) => return Ok(None),
        },
        _ => return Ok(None),
    };
    let front = &job.pipeline.views[..local.stages];
    if front.iter().any(detects_nul) && is_binary(job, size)? {
        return Ok(None);
    }
    let mut gathered = Gathered { pieces: Vec::new(), missing, delimiter: counted, binary: false };
    let workers = drive(
        job.geometry,
        job.geometry.backward(size),
        || LocalWorker::new(job, size, local),
        |block| Ok(gathered.take(block)),
    )?;
    if gathered.binary {
        return Ok(None);
    }
    let mut rest = Rest::new(behind, job.env, sink)?;
    while let Some(piece) = gathered.pieces.pop() {
        rest.take(piece)?;
    }
    let mut end = LocalEnd::default();
    for worker in workers {
        end.merge(worker.finish()?);
    }
    let stderr = end.stderr();
    rest.finish(end.codes, stderr).map(Some)
}

/// Whether a NUL byte shows that the input is binary: in the whole file if that takes little time, or else
/// in its first bytes.
fn is_binary(job: Job<'_>, size: u64) -> Result<bool> {
    let look = if size <= WHOLE_LOOK_BYTES { size } else { FIRST_LOOK_BYTES };
    let mut found = false;
    stream::read(job, 0, look, |bytes| {
        found = memchr::memchr(0, bytes).is_some();
        Ok(!found)
    })?;
    Ok(found)
}

/// Whether NUL bytes have a meaning for a view.
fn detects_nul(spec: &ViewSpec) -> bool {
    match spec {
        ViewSpec::Grep(grep) => grep.detects_nul(),
        ViewSpec::Rg(rg) => !rg.text,
        ViewSpec::Head(_) | ViewSpec::Tail(_) | ViewSpec::Pass(_) => false,
    }
}
