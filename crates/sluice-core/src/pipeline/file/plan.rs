//! Decides how a file is read for a chain of views.

use super::block::Geometry;
use super::local::local_prefix;
use crate::view::{TailMode, ViewSpec};

/// How a regular file is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plan {
    /// From the start, through the chain as it is, as far as it wants.
    Stream,
    /// From where the first view, a `tail`, starts to show it.
    Suffix,
    /// From the start in blocks: the first `local` views run on blocks by themselves.
    Forward {
        /// How many views are line-local.
        local: usize,
        /// What ends their lines.
        delimiter: u8,
    },
    /// From the end in blocks: behind `local` line-local views comes a `tail`.
    Backward {
        /// How many views are line-local; at least one.
        local: usize,
        /// What ends their lines.
        delimiter: u8,
    },
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
    match local_prefix(specs) {
        (0, _) => Plan::Stream,
        (local, delimiter) if end_only(specs.get(local)) => Plan::Backward { local, delimiter },
        (local, delimiter) => Plan::Forward { local, delimiter },
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
