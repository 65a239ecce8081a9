//! Decides how a file is read for a chain of views.

use super::block::Geometry;
use super::local::{Local, local_part};
use super::sieve::Sieve;
use crate::view::{TailMode, ViewSpec};

/// How a regular file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// From the start, through the chain as it is, as far as it wants.
    Stream,
    /// From where the first view, a `tail`, starts to show it.
    Suffix,
    /// From the start in blocks: the local part runs on blocks by themselves.
    Forward(Local),
    /// From the end in blocks: behind the local part, which does not count, comes a `tail`.
    Backward(Local),
    /// From the start in blocks that are searched ahead, so that the chain sees only what it may write.
    Sieve(Sieve),
}

/// The plan for `specs` over a regular file of `size` bytes.
pub(super) fn plan(specs: &[ViewSpec], size: u64, geometry: Geometry) -> Plan {
    // Files of /sys are shorter than they say, which only a stream takes as it comes.
    if size <= geometry.first_block {
        return Plan::Stream;
    }
    if end_only(specs.first()) {
        return Plan::Suffix;
    }
    if size <= geometry.stream {
        return Plan::Stream;
    }
    let local = local_part(specs);
    if local.stages == 0 {
        return specs.first().and_then(Sieve::of).map_or(Plan::Stream, Plan::Sieve);
    }
    if !local.counts && end_only(specs.get(local.stages)) {
        Plan::Backward(local)
    } else {
        Plan::Forward(local)
    }
}

/// Whether a view shows only the end of its input.
fn end_only(spec: Option<&ViewSpec>) -> bool {
    match spec {
        Some(ViewSpec::Tail(tail)) => {
            matches!(tail.mode, TailMode::LastLines(1..) | TailMode::LastBytes(1..))
        }
        _ => false,
    }
}
