//! Searches blocks ahead on every core for a `grep` that numbers lines, shows context or stops early, and shows
//! that `grep`, which runs in order, only the matching lines and what may be written around them.

use std::ops::{ControlFlow, Range};

use super::block::{BlockReader, Extent, Lines};
use super::parallel::{Worker, drive};
use super::rest::Rest;
use super::{FileProjection, Job, Sink, stream};
use crate::matcher::Matcher;
use crate::view::ViewSpec;
use crate::{Error, Result};

/// More context than this is not worth the search ahead, in lines.
const MAX_CONTEXT: u64 = 1000;

/// What a `grep` needs to see around a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Sieve {
    /// Lines before.
    before: u64,
    /// Lines after.
    after: u64,
    /// Whether the lines that it does not see have to be counted.
    numbers: bool,
    /// Whether a NUL byte changes everything that follows.
    detects_nul: bool,
    /// What ends lines.
    delimiter: u8,
}

impl Sieve {
    /// For a view that selects matching lines; `None` for all others.
    pub(super) fn of(spec: &ViewSpec) -> Option<Self> {
        let ViewSpec::Grep(grep) = spec else { return None };
        let (before, after) = (grep.before.unwrap_or(0), grep.after.unwrap_or(0));
        (!grep.invert && before.max(after) <= MAX_CONTEXT).then(|| Sieve {
            before,
            after,
            numbers: grep.line_numbers,
            detects_nul: grep.detects_nul(),
            delimiter: grep.terminator(),
        })
    }
}

/// Some lines to be shown, and how much to pass over after them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Part {
    show: usize,
    skip: u64,
    skip_lines: u64,
}

/// A block after the search.
enum Sieved {
    /// All parts, one after the other; `text` holds what they show.
    Parts { text: Vec<u8>, parts: Vec<Part> },
    /// From here on everything has to be seen: there is a NUL byte, a line longer than a block, or a search
    /// that takes too long.
    Everything,
}

struct SieveWorker<'j> {
    job: Job<'j>,
    sieve: Sieve,
    matcher: Matcher,
    reader: BlockReader<'j>,
}

impl Worker for SieveWorker<'_> {
    type Output = Sieved;

    fn run(&mut self, extent: Extent) -> Result<Sieved> {
        let Lines { bytes, rest } = self.reader.lines(extent, self.job.token)?;
        if rest.is_some() || (self.sieve.detects_nul && memchr::memchr(0, bytes).is_some()) {
            return Ok(Sieved::Everything);
        }
        match self.sieve.search(bytes, &self.matcher) {
            Err(Error::NeedsRealTool { .. }) => Ok(Sieved::Everything),
            sieved => sieved,
        }
    }
}

impl Sieve {
    /// Splits a block of lines.
    fn search(self, lines: &[u8], matcher: &Matcher) -> Result<Sieved> {
        let mut text = Vec::new();
        let mut parts: Vec<Part> = Vec::new();
        let mut done = 0;
        let mut show = |range: Range<usize>| {
            // Windows come in order, but may overlap or touch.
            let start = range.start.max(done);
            let end = range.end.max(start);
            if let Some(part) = parts.last_mut()
                && start == done
            {
                part.show += end - start;
            } else {
                let gap = &lines[done..start];
                let skipped = Part {
                    show: 0,
                    skip: gap.len() as u64,
                    skip_lines: if self.numbers { self.count(gap) } else { 0 },
                };
                // What is passed over belongs to the part in front, an empty one at the start of the block.
                match parts.last_mut() {
                    Some(part) => (part.skip, part.skip_lines) = (skipped.skip, skipped.skip_lines),
                    None => parts.push(skipped),
                }
                parts.push(Part { show: end - start, skip: 0, skip_lines: 0 });
            }
            text.extend_from_slice(&lines[start..end]);
            done = end;
        };
        // Context may reach over the edges of the block.
        if self.after > 0 {
            show(0..self.forward(lines, 0, self.after));
        }
        let mut at = 0;
        while let Some(line) = matcher.next_line(lines, at)? {
            let end = lines.len().min(line.end + 1);
            show(self.back(lines, line.start, self.before)..self.forward(lines, end, self.after));
            at = line.end + 1;
            if at >= lines.len() {
                break;
            }
        }
        // An open last line is not a whole one, and cannot be passed over.
        let open = u64::from(lines.last().is_some_and(|last| *last != self.delimiter));
        show(self.back(lines, lines.len(), self.before.max(open))..lines.len());
        Ok(Sieved::Parts { text, parts })
    }

    fn count(self, lines: &[u8]) -> u64 {
        memchr::memchr_iter(self.delimiter, lines).count() as u64
    }

    /// Where the line starts that is `count` lines before the one that starts at `at`.
    fn back(self, lines: &[u8], at: usize, count: u64) -> usize {
        let mut at = at;
        for _ in 0..count {
            let Some(before) = at.checked_sub(1) else { break };
            at = memchr::memrchr(self.delimiter, &lines[..before]).map_or(0, |newline| newline + 1);
        }
        at
    }

    /// Where the line starts that is `count` lines after the one that starts at `at`.
    fn forward(self, lines: &[u8], at: usize, count: u64) -> usize {
        let mut at = at;
        for _ in 0..count {
            at = memchr::memchr(self.delimiter, &lines[at..]).map_or(lines.len(), |newline| at + newline + 1);
        }
        at
    }
}

/// The whole chain, whose first view is the `grep` of `sieve`.
///
/// # Errors
///
/// As [`super::project_file`].
pub(super) fn sieved(job: Job<'_>, size: u64, sieve: Sieve, sink: &mut Sink<'_>) -> Result<FileProjection> {
    let Some(ViewSpec::Grep(grep)) = job.pipeline.views.first() else {
        return stream::from_start(job, size, sink);
    };
    let matcher = grep.matcher(job.env)?;
    if grep.must_see_all(job.env)? {
        return stream::from_start(job, size, sink);
    }
    let worker = || {
        let reader = BlockReader::new(job.source, size, sieve.delimiter, job.geometry);
        Ok(SieveWorker { job, sieve, matcher: matcher.clone(), reader })
    };
    let mut chain = Rest::new(&job.pipeline.views, job.env, sink)?;
    let mut position = 0;
    let mut everything = false;
    drive(job.geometry, job.geometry.forward(size), worker, |block| {
        match block {
            Sieved::Everything => everything = true,
            Sieved::Parts { text, parts } => {
                let mut text = text.as_slice();
                for part in parts {
                    let (shown, rest) = text.split_at(part.show);
                    chain.take_slice(shown)?;
                    position += shown.len() as u64;
                    text = rest;
                    if part.skip == 0 {
                        continue;
                    }
                    if !chain.skip(part.skip, part.skip_lines) {
                        // Satisfied, or it has to see everything from here on.
                        everything = true;
                        break;
                    }
                    position += part.skip;
                }
            }
        }
        Ok(if everything || chain.satisfied() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    })?;
    if !chain.satisfied() {
        stream::read(job, position, size, |bytes| {
            chain.take_slice(bytes)?;
            Ok(!chain.satisfied())
        })?;
    }
    let complete = !chain.satisfied();
    let end = chain.finish(Vec::new(), String::new())?;
    Ok(FileProjection { input_bytes: complete.then_some(size), ..end })
}
