//! How one line of output looks: the head, the coloured middle and the tail.

use super::text::{Text, is_valid_utf8};
use super::{GrepColors, GrepSpec};
use crate::Result;
use crate::matcher::Matcher;

/// Why a line is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reason {
    /// It is selected: `:` after each part of the head.
    Selected,
    /// It is context: `-`.
    Context,
}

/// Writes lines. Knows nothing of the lines around them.
pub(super) struct Printer {
    matcher: Matcher,
    invert: bool,
    only_matching: bool,
    line_numbers: bool,
    byte_offsets: bool,
    with_filename: bool,
    null_after_name: bool,
    /// Width of numbers: what the largest offset of a pipe needs with `-T`.
    width: usize,
    initial_tab: bool,
    terminator: u8,
    label: Vec<u8>,
    colors: Option<GrepColors>,
    /// Whether lines with invalid UTF-8 are withheld.
    checks_encoding: bool,
    /// A position and how many lines end before it.
    counted: (u64, u64),
}

impl Printer {
    pub(super) fn new(
        spec: &GrepSpec,
        matcher: Matcher,
        colors: Option<GrepColors>,
        checks_encoding: bool,
    ) -> Self {
        Printer {
            matcher,
            invert: spec.invert,
            only_matching: spec.only_matching,
            line_numbers: spec.line_numbers,
            byte_offsets: spec.byte_offsets,
            with_filename: spec.with_filename,
            null_after_name: spec.null_after_name,
            width: if spec.initial_tab { 19 } else { 0 },
            initial_tab: spec.initial_tab,
            terminator: spec.terminator(),
            label: spec.label.clone(),
            colors,
            checks_encoding,
            counted: (0, 0),
        }
    }

    /// Whether a line is written as it stands in the input, so that runs of lines can be copied.
    pub(super) fn copies(&self) -> bool {
        !(self.only_matching || self.line_numbers || self.byte_offsets || self.with_filename)
            && self.colors.is_none()
    }

    /// Whether `bytes` may be written.
    ///
    /// # Errors
    ///
    /// As [`is_valid_utf8`].
    pub(super) fn accepts(&self, bytes: &[u8]) -> Result<bool> {
        if self.checks_encoding { is_valid_utf8(bytes) } else { Ok(true) }
    }

    /// Counts lines up to a position, after which the bytes before it are not needed for line numbers
    /// except to go back to kept lines.
    pub(super) fn count_to(&mut self, text: &Text<'_>, at: u64) {
        if self.line_numbers {
            let (from, lines) = self.counted;
            let lines = if at >= from { lines + text.count(from, at) } else { lines - text.count(at, from) };
            self.counted = (at, lines);
        }
    }

    /// Goes on behind `bytes` bytes with `lines` lines that follow what was counted and are not seen.
    pub(super) fn skip(&mut self, bytes: u64, lines: u64) {
        if self.line_numbers {
            self.counted = (self.counted.0 + bytes, self.counted.1 + lines);
        }
    }

    /// Writes the line at `at`. False, and nothing is written from there on, if invalid bytes forbid it.
    ///
    /// # Errors
    ///
    /// As [`is_valid_utf8`].
    pub(super) fn line(
        &mut self,
        text: &Text<'_>,
        at: u64,
        line: &[u8],
        reason: Reason,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        let content = &line[..line.len() - 1];
        if !self.only_matching {
            if !self.accepts(content)? {
                return Ok(false);
            }
            self.head(text, at, at, content.len(), reason, out);
        }
        let matching = (reason == Reason::Selected) != self.invert;
        if self.only_matching {
            return if matching { self.matches(text, at, content, reason, out) } else { Ok(true) };
        }
        let done = if self.colors.is_some() { self.colored(line, matching, reason, out)? } else { 0 };
        out.extend_from_slice(&line[done..]);
        Ok(true)
    }

    /// The name of the input and what follows it, for the lines of `-c`, `-l` and `-L` too.
    pub(super) fn filename(&self, out: &mut Vec<u8>) {
        match &self.colors {
            None => out.extend_from_slice(&self.label),
            Some(colors) => {
                colors.start(out, &colors.filename);
                out.extend_from_slice(&self.label);
                colors.end(out, &colors.filename);
            }
        }
    }

    /// A separator within a line or between groups of lines.
    pub(super) fn separator(&self, text: &[u8], out: &mut Vec<u8>) {
        match &self.colors {
            None => out.extend_from_slice(text),
            Some(colors) => {
                colors.start(out, &colors.separator);
                out.extend_from_slice(text);
                colors.end(out, &colors.separator);
            }
        }
    }

    /// The name in front of a line or a count, if asked for.
    pub(super) fn name_field(&self, separator: &[u8], out: &mut Vec<u8>) {
        if self.with_filename {
            self.filename(out);
            if self.null_after_name {
                out.push(0);
            } else {
                self.separator(separator, out);
            }
        }
    }

    /// The head of an output line: `length` bytes from `from`, out of the line at `at`.
    fn head(
        &mut self,
        text: &Text<'_>,
        at: u64,
        from: u64,
        length: usize,
        reason: Reason,
        out: &mut Vec<u8>,
    ) {
        let separator: &[u8] = if reason == Reason::Selected { b":" } else { b"-" };
        self.name_field(separator, out);
        if self.line_numbers {
            self.count_to(text, at);
            self.offset(self.counted.1 + 1, |colors| &colors.line_number, separator, out);
        }
        if self.byte_offsets {
            self.offset(from, |colors| &colors.byte_offset, separator, out);
        }
        if self.initial_tab && length > 0 && (self.with_filename || self.line_numbers || self.byte_offsets) {
            out.push(b'\t');
        }
    }

    fn offset(&mut self, number: u64, color: fn(&GrepColors) -> &str, separator: &[u8], out: &mut Vec<u8>) {
        if let Some(colors) = &self.colors {
            colors.start(out, color(colors));
        }
        push_number(out, number, self.width);
        if let Some(colors) = &self.colors {
            colors.end(out, color(colors));
        }
        self.separator(separator, out);
    }

    /// `-o`: each non-empty match of a line.
    fn matches(
        &mut self,
        text: &Text<'_>,
        at: u64,
        content: &[u8],
        reason: Reason,
        out: &mut Vec<u8>,
    ) -> Result<bool> {
        // With -v it is the matches of context lines that are written, with the separator of context.
        let reason = if self.invert { Reason::Context } else { reason };
        let mut from = 0;
        while let Some(found) = self.matcher.find_at(content, from)? {
            if found.is_empty() {
                from = found.end + 1;
                continue;
            }
            let matched = &content[found.clone()];
            if !self.accepts(matched)? {
                return Ok(false);
            }
            self.head(text, at, at + found.start as u64, matched.len(), reason, out);
            let color =
                self.colors.as_ref().map(|colors| (colors, match_color(colors, reason_of(self.invert))));
            if let Some((colors, color)) = color {
                colors.start(out, color);
            }
            out.extend_from_slice(matched);
            if let Some((colors, color)) = color {
                colors.end(out, color);
            }
            out.push(self.terminator);
            from = found.end;
        }
        Ok(true)
    }

    /// Writes a line in colours up to where plain text follows, and returns how much that was.
    fn colored(&self, line: &[u8], matching: bool, reason: Reason, out: &mut Vec<u8>) -> Result<usize> {
        let Some(colors) = &self.colors else { return Ok(0) };
        let as_selected = (reason == Reason::Selected) != (self.invert && colors.reverse);
        let line_color = if as_selected { &colors.selected_line } else { &colors.context_line };
        let match_color = match_color(colors, reason);
        let content = &line[..line.len() - 1];
        let mut written = 0;
        if matching && !match_color.is_empty() {
            let mut from = 0;
            while let Some(found) = self.matcher.find_at(content, from)? {
                if found.is_empty() {
                    from = found.end + 1;
                    continue;
                }
                // grep does not switch the line's colour off before it switches the match's on.
                colors.start(out, line_color);
                out.extend_from_slice(&content[written..found.start]);
                colors.start(out, match_color);
                out.extend_from_slice(&content[found.clone()]);
                colors.end(out, match_color);
                written = found.end;
                from = found.end;
            }
        }
        if !line_color.is_empty() {
            let mut end = content.len();
            if end > written && content[end - 1] == b'\r' {
                end -= 1;
            }
            if end > written {
                colors.start(out, line_color);
                out.extend_from_slice(&content[written..end]);
                colors.end(out, line_color);
                written = end;
            }
        }
        Ok(written)
    }
}

/// Appends a decimal number, with blanks in front up to `width`.
fn push_number(out: &mut Vec<u8>, number: u64, width: usize) {
    let mut digits = [b' '; 20];
    let mut at = digits.len();
    let mut rest = number;
    loop {
        at -= 1;
        digits[at] = b'0' + (rest % 10) as u8;
        rest /= 10;
        if rest == 0 {
            break;
        }
    }
    out.extend_from_slice(&digits[at.min(digits.len().saturating_sub(width))..]);
}

fn match_color(colors: &GrepColors, reason: Reason) -> &str {
    match reason {
        Reason::Selected => &colors.selected_match,
        Reason::Context => &colors.context_match,
    }
}

/// Which lines have matches: the selected ones, or with `-v` those of the context.
fn reason_of(invert: bool) -> Reason {
    if invert { Reason::Context } else { Reason::Selected }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_like_printf() {
        for width in [0, 1, 5, 19] {
            for number in [0, 7, 10, 99_999, 123_456, u64::MAX] {
                let mut out = Vec::new();
                push_number(&mut out, number, width);
                assert_eq!(String::from_utf8(out).unwrap(), format!("{number:>width$}"));
            }
        }
    }
}
