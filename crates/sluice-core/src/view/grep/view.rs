//! The running `grep`: cuts the stream into blocks of whole lines and keeps what spans them.

use super::binary::{ZeroRuns, zap};
use super::kept::Kept;
use super::lines::Lines;
use super::printer::Printer;
use super::text::Text;
use super::{BinaryFiles, GrepColors, GrepOutput, GrepSpec, Limits, Obsolescent};
use crate::matcher::{Locale, Matcher};
use crate::view::{View, ViewEnv};
use crate::{Error, Result};

/// The longest line that is held until its end has been seen, in bytes: 256 MiB.
const LONGEST_HELD: usize = 256 << 20;

/// From this length on a line is cut down that does not have to be held, in bytes.
const CUT_FROM: usize = 64 * 1024;

/// What is done with the lines.
enum Mode {
    /// They are written.
    Lines(Box<Lines>),
    /// They are counted.
    Count,
    /// One selected line is enough: `-q`, `-l`, `-L`, and a binary input after its first NUL byte.
    First,
}

/// What is known about NUL bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Nul {
    /// They are bytes like others, or they end lines.
    Ignored,
    /// None so far.
    Watched,
    /// The input has some, and they end lines like newlines do.
    Found,
}

pub(super) struct Grep {
    matcher: Matcher,
    mode: Mode,
    output: GrepOutput,
    invert: bool,
    max_count: Option<u64>,
    terminator: u8,
    binary_files: BinaryFiles,
    null_after_name: bool,
    label: String,
    /// Writes the name for `-c`, `-l` and `-L`.
    names: Printer,
    /// Selected lines, at most `max_count`; with [`Mode::Lines`] whether there are any.
    selected: u64,
    nul: Nul,
    /// Whether a NUL byte was met while they were watched for.
    met_nul: bool,
    /// Whether a message says that the input is binary.
    reports_binary: bool,
    /// Present if long runs of NUL bytes cannot be exact.
    zeros: Option<ZeroRuns>,
    limits: Limits,
    /// grep ends at once.
    ends_at_once: bool,
    /// No more input counts.
    done: bool,
    /// grep ends without reading the rest of its input.
    leaves: bool,
    /// The start of a line whose end has not been seen: all of it, or as much as decides about the line if
    /// only that is asked.
    partial: Vec<u8>,
    /// Complete lines in front of the next block, for leading context.
    kept: Kept,
    /// Bytes searched.
    offset: u64,
    scratch: Vec<u8>,
    stderr: String,
}

impl Grep {
    pub(super) fn new(
        spec: &GrepSpec,
        matcher: Matcher,
        locale: Locale,
        limits: Limits,
        env: &ViewEnv,
    ) -> Result<Self> {
        let mut stderr = String::new();
        if env.egrep_warns {
            match spec.obsolescent {
                Some(Obsolescent::Egrep) => {
                    stderr.push_str("egrep: warning: egrep is obsolescent; using grep -E\n");
                }
                Some(Obsolescent::Fgrep) => {
                    stderr.push_str("fgrep: warning: fgrep is obsolescent; using grep -F\n");
                }
                None => {}
            }
        }
        let ends_at_once = spec.selects_nothing();
        let mut warn = |text: &str| {
            if !ends_at_once {
                stderr.push_str(&format!("grep: {text}\n"));
            }
        };
        let mut colors = None;
        if spec.color {
            let (chosen, warning) =
                GrepColors::from_env(env.grep_color.as_deref(), env.grep_colors.as_deref());
            warning.iter().for_each(|text| warn(text));
            colors = Some(chosen);
        }
        let warnings = if env.grep_warns { matcher.warnings_with_backslashes() } else { matcher.warnings() };
        warnings.iter().for_each(|text| warn(text));
        let checks_encoding = locale == Locale::Utf8 && spec.binary_files != BinaryFiles::Text;
        let printer = || Printer::new(spec, matcher.clone(), colors.clone(), checks_encoding);
        let skips_empty = matcher.is_match(b"")? == spec.invert;
        let mode = match spec.output {
            GrepOutput::Lines => Mode::Lines(Box::new(Lines::new(spec, printer()))),
            GrepOutput::Count => Mode::Count,
            GrepOutput::Quiet | GrepOutput::FilesWithMatches | GrepOutput::FilesWithoutMatch => Mode::First,
        };
        Ok(Grep {
            mode,
            output: spec.output,
            invert: spec.invert,
            max_count: spec.max_count,
            terminator: spec.terminator(),
            binary_files: spec.binary_files,
            null_after_name: spec.null_after_name,
            label: String::from_utf8_lossy(&spec.label).into_owned(),
            names: printer(),
            selected: 0,
            nul: if spec.detects_nul() { Nul::Watched } else { Nul::Ignored },
            met_nul: false,
            reports_binary: false,
            zeros: (skips_empty && (spec.null_data || spec.detects_nul())).then(ZeroRuns::default),
            limits,
            matcher,
            ends_at_once,
            done: ends_at_once,
            leaves: ends_at_once,
            partial: Vec::new(),
            kept: Kept::default(),
            offset: 0,
            scratch: Vec::new(),
            stderr,
        })
    }

    /// Searches `input`, of which the last line may go on in the next call.
    fn feed(&mut self, mut input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if !self.partial.is_empty() {
            let Some(end) = memchr::memchr(self.terminator, input) else {
                return self.hold(input);
            };
            self.partial.extend_from_slice(&input[..=end]);
            input = &input[end + 1..];
            let mut line = std::mem::take(&mut self.partial);
            self.search(&line, out)?;
            line.clear();
            self.partial = line;
        }
        if self.done {
            return Ok(());
        }
        let end = memchr::memrchr(self.terminator, input).map_or(0, |last| last + 1);
        if end > 0 {
            self.search(&input[..end], out)?;
        }
        self.hold(&input[end..])
    }

    /// Keeps what an unfinished line begins with, or goes on with.
    fn hold(&mut self, input: &[u8]) -> Result<()> {
        self.partial.extend_from_slice(input);
        if self.partial.len() > CUT_FROM && self.limits.none() && !matches!(self.mode, Mode::Lines(_)) {
            self.matcher.cut(&mut self.partial);
        }
        if self.partial.len() > LONGEST_HELD {
            return Err(needs_tool("a line of more than 256 MiB"));
        }
        Ok(())
    }

    /// Searches complete lines.
    fn search(&mut self, block: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.limits.check(block, self.terminator)?;
        match &mut self.mode {
            Mode::Lines(lines) => {
                let text =
                    Text { kept: self.kept.lines(), block, start: self.offset, terminator: self.terminator };
                lines.search(&text, &self.matcher, out)?;
                if lines.before() > 0 {
                    self.kept.advance(block, lines.before(), self.terminator);
                }
                self.selected = lines.selected.into();
                self.done = lines.is_done();
                self.leaves = self.done;
            }
            Mode::Count => {
                let limit = self.max_count.unwrap_or(u64::MAX);
                let matching =
                    self.count_matching(block, if self.invert { u64::MAX } else { limit - self.selected })?;
                let selected = if self.invert {
                    memchr::memchr_iter(self.terminator, block).count() as u64 - matching
                } else {
                    matching
                };
                self.selected = limit.min(self.selected + selected);
                self.done = self.selected == limit;
                self.leaves = self.done;
            }
            Mode::First => {
                if self.max_count != Some(0) && self.selects_any(block)? {
                    self.selected = 1;
                }
                // A binary input whose lines are withheld is read to its end, unless -m was reached.
                self.leaves = match self.output {
                    GrepOutput::Lines => self.selected > 0 && self.max_count == Some(1),
                    _ => self.selected > 0 || self.max_count == Some(0),
                };
                self.done = self.selected > 0 || self.leaves;
            }
        }
        self.offset += block.len() as u64;
        Ok(())
    }

    /// How many lines of `block` match, counted up to `limit`.
    fn count_matching(&self, block: &[u8], limit: u64) -> Result<u64> {
        let mut count = 0;
        let mut at = 0;
        while count < limit {
            let Some(line) = self.matcher.next_line(block, at)? else { break };
            count += 1;
            at = line.end + 1;
        }
        Ok(count)
    }

    /// Whether any line of `block` is selected.
    fn selects_any(&self, block: &[u8]) -> Result<bool> {
        let mut at = 0;
        while at < block.len() {
            match self.matcher.next_line(block, at)? {
                Some(line) if !self.invert || line.start > at => return Ok(true),
                Some(line) => at = line.end + 1,
                None => return Ok(self.invert),
            }
        }
        Ok(false)
    }

    /// The first NUL byte of the input is at `nul`.
    fn meet_nul(&mut self, input: &[u8], nul: usize, out: &mut Vec<u8>) -> Result<()> {
        self.met_nul = true;
        // grep looks at a whole buffer before it searches its first line. Lines in front of the NUL byte
        // may be in the same buffer or in an earlier one; what is exact must not depend on that.
        let lines = memchr::memrchr(b'\n', &input[..nul]).map_or(0, |last| last + 1);
        self.feed(&input[..lines], out)?;
        let rest = &input[lines..];
        let counts_all = self.output == GrepOutput::Count && self.max_count.is_none();
        match (self.binary_files, self.output) {
            (BinaryFiles::WithoutMatch, output) => {
                if self.selected > 0 && !counts_all {
                    return Err(needs_tool("a NUL byte after a selected line, with -I"));
                }
                self.selected = 0;
                self.done = true;
                self.leaves = matches!(output, GrepOutput::FilesWithMatches | GrepOutput::FilesWithoutMatch);
                Ok(())
            }
            (_, GrepOutput::Lines) if self.selected > 0 => {
                Err(needs_tool("a NUL byte after a selected line"))
            }
            (_, output) => {
                self.nul = Nul::Found;
                if output == GrepOutput::Lines {
                    self.mode = Mode::First;
                    self.reports_binary = true;
                }
                if self.done { Ok(()) } else { self.feed_zapped(rest, out) }
            }
        }
    }

    fn feed_zapped(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.check_zeros(input)?;
        let mut bytes = std::mem::take(&mut self.scratch);
        bytes.clear();
        bytes.extend_from_slice(input);
        zap(&mut bytes);
        let fed = self.feed(&bytes, out);
        self.scratch = bytes;
        fed
    }

    fn check_zeros(&mut self, input: &[u8]) -> Result<()> {
        if self.zeros.as_mut().is_some_and(|zeros| zeros.long_run(input)) {
            return Err(needs_tool("a long run of NUL bytes"));
        }
        Ok(())
    }
}

impl View for Grep {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if self.done {
            return Ok(());
        }
        match self.nul {
            Nul::Watched => match memchr::memchr(0, input) {
                Some(nul) => self.meet_nul(input, nul, out),
                None => self.feed(input, out),
            },
            Nul::Found => self.feed_zapped(input, out),
            Nul::Ignored => {
                if self.terminator == 0 {
                    self.check_zeros(input)?;
                }
                self.feed(input, out)
            }
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        if !self.done && !self.partial.is_empty() {
            let mut line = std::mem::take(&mut self.partial);
            line.push(self.terminator);
            self.search(&line, out)?;
        }
        let names = match self.output {
            GrepOutput::FilesWithMatches => self.selected > 0,
            GrepOutput::FilesWithoutMatch => self.selected == 0,
            _ => false,
        };
        if names && !self.ends_at_once {
            self.names.filename(out);
            out.push(if self.null_after_name { 0 } else { b'\n' });
        }
        if self.output == GrepOutput::Count && !self.ends_at_once {
            self.names.name_field(b":", out);
            out.extend_from_slice(format!("{}\n", self.selected).as_bytes());
        }
        let withheld = match &self.mode {
            Mode::Lines(lines) => lines.withheld,
            _ => self.reports_binary && self.selected > 0,
        };
        if withheld && self.binary_files == BinaryFiles::Binary {
            self.stderr.push_str(&format!("grep: {}: binary file matches\n", self.label));
        }
        Ok(i32::from(self.selected == 0))
    }

    fn satisfied(&self) -> bool {
        self.leaves
    }

    fn skip(&mut self, bytes: u64, lines: u64) -> bool {
        let Mode::Lines(printing) = &mut self.mode else {
            self.offset += bytes;
            return true;
        };
        if printing.pending() > 0 || !self.partial.is_empty() || self.nul == Nul::Found {
            return false;
        }
        self.offset += bytes;
        self.kept = Kept::default();
        printing.printer.skip(bytes, lines);
        true
    }

    fn met_binary(&self) -> bool {
        // A line that is withheld for invalid bytes changes nothing but the message at the end.
        self.met_nul
    }

    fn stderr(&self) -> &str {
        &self.stderr
    }
}

fn needs_tool(reason: &str) -> Error {
    Error::NeedsRealTool { reason: reason.into() }
}
