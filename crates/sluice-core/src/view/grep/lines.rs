//! Which lines are written: the selected ones, their context, and the separators between groups.
//!
//! Withheld lines (see [`Printer::line`]) have effects that reach further than the line: grep takes
//! the end of its last written line for the start of the context still due. Where that would depend
//! on how its buffers cut the input, the answer is [`Error::NeedsRealTool`].

use super::GrepSpec;
use super::printer::{Printer, Reason};
use super::text::Text;
use crate::matcher::Matcher;
use crate::{Error, Result};

/// Writes the selected lines of one block after the other.
pub(super) struct Lines {
    pub printer: Printer,
    invert: bool,
    only_matching: bool,
    before: u64,
    after: u64,
    /// Whether any context option was given.
    context: bool,
    separator: Option<Vec<u8>>,
    /// How many more lines may be selected; None is no limit.
    left: Option<u64>,
    /// Just after the last line that was written.
    last_out: Option<u64>,
    /// Lines of trailing context that are due.
    pending: u64,
    /// Whether anything was selected.
    pub selected: bool,
    /// Whether a line was withheld because of invalid UTF-8.
    pub withheld: bool,
}

impl Lines {
    pub(super) fn new(spec: &GrepSpec, printer: Printer) -> Self {
        Lines {
            printer,
            invert: spec.invert,
            only_matching: spec.only_matching,
            before: spec.before.unwrap_or(0),
            after: spec.after.unwrap_or(0),
            context: spec.before.is_some() || spec.after.is_some(),
            separator: spec.group_separator.clone(),
            left: spec.max_count,
            last_out: None,
            pending: 0,
            selected: false,
            withheld: false,
        }
    }

    /// True once nothing more can be written.
    pub(super) fn is_done(&self) -> bool {
        self.left == Some(0) && self.pending == 0
    }

    /// How many lines of trailing context are due.
    pub(super) fn pending(&self) -> u64 {
        self.pending
    }

    /// How many lines before a selected one can be written.
    pub(super) fn before(&self) -> u64 {
        self.before
    }

    /// Searches the block of `text`, which follows that of the last call.
    ///
    /// # Errors
    ///
    /// [`Error::NeedsRealTool`], see the module's documentation.
    pub(super) fn search(&mut self, text: &Text<'_>, matcher: &Matcher, out: &mut Vec<u8>) -> Result<()> {
        let mut at = 0;
        while at < text.block.len() && self.left != Some(0) {
            let found = matcher.next_line(text.block, at)?;
            if self.invert {
                let (stop, next) = match found {
                    Some(line) => (line.start, line.end + 1),
                    None => (text.block.len(), text.block.len()),
                };
                if at < stop {
                    self.select_run(text, text.start + at as u64, text.start + stop as u64, out)?;
                }
                at = next;
            } else {
                let Some(line) = found else { break };
                let end = line.end + 1;
                self.select(text, text.start + line.start as u64, &text.block[line.start..end], out)?;
                at = end;
            }
        }
        if self.pending > 0 {
            self.write_pending(text, text.end(), out)?;
        }
        self.printer.count_to(text, text.end());
        Ok(())
    }

    /// One selected line.
    fn select(&mut self, text: &Text<'_>, at: u64, line: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if !self.context && self.printer.copies() {
            if self.printer.accepts(line)? {
                out.extend_from_slice(line);
            } else {
                self.withheld = true;
            }
            self.take(1);
            return Ok(());
        }
        let (first, written) = self.write_leading(text, at, out)?;
        if self.write(text, at, line, Reason::Selected, out)? {
            self.pending = self.after;
        } else if self.after > 0 {
            // grep goes on from the last line it wrote: a line that was withheld too, unless that line
            // is further back than what its buffer is sure to hold.
            if self.only_matching || !(written || first == self.last_out.unwrap_or(0)) {
                return Err(undecided());
            }
            self.last_out = Some(self.last_out.unwrap_or(0));
            self.pending = 0;
        }
        self.take(1);
        Ok(())
    }

    /// A run of lines that are selected because they do not match.
    fn select_run(&mut self, text: &Text<'_>, from: u64, to: u64, out: &mut Vec<u8>) -> Result<()> {
        let plain = !self.context && self.printer.copies();
        if plain && self.left.is_none() {
            let run = text.between(from, to);
            if self.printer.accepts(run)? {
                out.extend_from_slice(run);
                self.take(1);
                return Ok(());
            }
        }
        if !plain {
            self.write_leading(text, from, out)?;
        }
        let mut at = from;
        while at < to && self.left != Some(0) {
            let line = text.line(at);
            if !self.write(text, at, line, Reason::Selected, out)? && self.context {
                return Err(undecided());
            }
            self.take(1);
            at += line.len() as u64;
        }
        self.pending = self.after;
        Ok(())
    }

    /// What comes before selected lines at `at`: due context, the separator, leading context. Returns
    /// where the leading context starts, and whether any of it was written.
    fn write_leading(&mut self, text: &Text<'_>, at: u64, out: &mut Vec<u8>) -> Result<(u64, bool)> {
        if self.pending > 0 {
            self.write_pending(text, at, out)?;
        }
        let bound = self.last_out.unwrap_or(0).max(text.first());
        let mut first = at;
        for _ in 0..self.before {
            if first <= bound {
                break;
            }
            first = text.line_before(first);
        }
        if let Some(separator) = &self.separator
            && self.context
            && self.selected
            && Some(first) != self.last_out
        {
            self.printer.separator(separator, out);
            out.push(b'\n');
        }
        let mut written = false;
        let mut line_at = first;
        while line_at < at {
            let line = text.line(line_at);
            written |= self.write(text, line_at, line, Reason::Context, out)?;
            line_at += line.len() as u64;
        }
        Ok((first, written))
    }

    /// Trailing context up to `limit`. A withheld line ends it.
    fn write_pending(&mut self, text: &Text<'_>, limit: u64, out: &mut Vec<u8>) -> Result<()> {
        let mut at = self.last_out.unwrap_or(text.start);
        while self.pending > 0 && at < limit {
            let line = text.line(at);
            if !self.write(text, at, line, Reason::Context, out)? {
                self.pending = 0;
                break;
            }
            self.pending -= 1;
            at += line.len() as u64;
        }
        Ok(())
    }

    fn write(
        &mut self,
        text: &Text<'_>,
        at: u64,
        line: &[u8],
        reason: Reason,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let written = self.printer.line(text, at, line, reason, out)?;
        if written {
            self.last_out = Some(at + line.len() as u64);
        } else {
            self.withheld = true;
        }
        Ok(written)
    }

    fn take(&mut self, lines: u64) {
        self.selected = true;
        if let Some(left) = &mut self.left {
            *left -= lines;
        }
    }
}

fn undecided() -> Error {
    Error::NeedsRealTool { reason: "invalid UTF-8 next to context lines".into() }
}
