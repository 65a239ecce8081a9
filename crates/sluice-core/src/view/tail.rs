//! `tail`: the last lines or bytes, or everything from a line or byte on (GNU coreutils 9.1).

use super::View;
use super::count::{decimal, parse_count};
use super::getopt::{Item, Long, Options, Short, Value, reject};
use super::header::Header;
use super::ring::{Ring, count_delimiters, nth_last_line_end, skip_lines};
use crate::Result;

/// How much `tail` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TailMode {
    /// The last lines: `-n 5`.
    LastLines(u64),
    /// From a line on, counted from 1: `-n +5`. 0 is the same as 1.
    FromLine(u64),
    /// The last bytes: `-c 5`.
    LastBytes(u64),
    /// From a byte on, counted from 1: `-c +5`. 0 is the same as 1.
    FromByte(u64),
}

/// A parsed `tail`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TailSpec {
    /// How much is shown. Ten lines if the command does not say.
    pub mode: TailMode,
    /// What ends a line: a newline, or NUL with `-z`.
    pub delimiter: u8,
    /// Whether a header that names standard input comes first (`-v`).
    pub header: bool,
}

#[derive(Clone, Copy, PartialEq)]
enum Id {
    Bytes,
    Lines,
    Quiet,
    Verbose,
    Zero,
    Follow,
    Other,
}

const OPTIONS: Options<Id> = Options {
    short: &[
        Short { letter: b'c', value: Value::Required, id: Id::Bytes },
        Short { letter: b'n', value: Value::Required, id: Id::Lines },
        Short { letter: b'q', value: Value::None, id: Id::Quiet },
        Short { letter: b'v', value: Value::None, id: Id::Verbose },
        Short { letter: b'z', value: Value::None, id: Id::Zero },
        Short { letter: b'f', value: Value::None, id: Id::Follow },
        Short { letter: b'F', value: Value::None, id: Id::Follow },
        Short { letter: b's', value: Value::Required, id: Id::Follow },
    ],
    long: &[
        Long { name: "bytes", value: Value::Required, id: Id::Bytes },
        Long { name: "follow", value: Value::Optional, id: Id::Follow },
        Long { name: "lines", value: Value::Required, id: Id::Lines },
        Long { name: "max-unchanged-stats", value: Value::Required, id: Id::Follow },
        Long { name: "-disable-inotify", value: Value::None, id: Id::Follow },
        Long { name: "pid", value: Value::Required, id: Id::Follow },
        Long { name: "-presume-input-pipe", value: Value::None, id: Id::Other },
        Long { name: "quiet", value: Value::None, id: Id::Quiet },
        Long { name: "retry", value: Value::None, id: Id::Follow },
        Long { name: "silent", value: Value::None, id: Id::Quiet },
        Long { name: "sleep-interval", value: Value::Required, id: Id::Follow },
        Long { name: "verbose", value: Value::None, id: Id::Verbose },
        Long { name: "zero-terminated", value: Value::None, id: Id::Zero },
        Long { name: "help", value: Value::None, id: Id::Other },
        Long { name: "version", value: Value::None, id: Id::Other },
    ],
    numbers: false,
};

impl TailSpec {
    /// Parses the words after the name.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] names the word: a file operand, an option that follows a
    /// file or that `tail` does not have, or a count that it rejects.
    pub fn parse(args: &[&[u8]]) -> Result<Self> {
        let (mut lines, mut from_start, mut count) = (true, false, 10);
        let (mut delimiter, mut header) = (b'\n', false);
        let mut args = args;
        if let Some(old) = obsolete(args)? {
            (lines, from_start, count) = (old.lines, old.from_start, old.count);
            args = &args[1..];
        }
        let mut operands = 0;
        for item in OPTIONS.scan(args)? {
            match item {
                Item::Option { id: id @ (Id::Lines | Id::Bytes), value, .. } => {
                    let value = value.unwrap_or_default();
                    lines = id == Id::Lines;
                    // As in GNU, once `+` was seen a later count without it still counts from the start.
                    from_start |= value.first() == Some(&b'+');
                    count = parse_count(value.strip_prefix(b"-").unwrap_or(value), value)?;
                }
                Item::Option { id: Id::Quiet, .. } => header = false,
                Item::Option { id: Id::Verbose, .. } => header = true,
                Item::Option { id: Id::Zero, .. } => delimiter = 0,
                Item::Option { id: Id::Follow, word, .. } => return Err(reject(word, "follows a file")),
                Item::Option { id: Id::Other, word, .. } => {
                    return Err(reject(word, "not an output of its input"));
                }
                Item::Operand(b"-") if operands == 0 => operands = 1,
                Item::Operand(word) | Item::Number(word) => return Err(reject(word, "file operand")),
            }
        }
        let mode = match (lines, from_start) {
            (true, false) => TailMode::LastLines(count),
            (true, true) => TailMode::FromLine(count),
            (false, false) => TailMode::LastBytes(count),
            (false, true) => TailMode::FromByte(count),
        };
        Ok(TailSpec { mode, delimiter, header })
    }

    pub(super) fn build(&self) -> Box<dyn View> {
        let (delimiter, header) = (self.delimiter, Header::new(self.header));
        match self.mode {
            TailMode::LastLines(0) | TailMode::LastBytes(0) => Box::new(Nothing),
            TailMode::LastLines(keep) => {
                Box::new(LastLines { keep, delimiter, ring: Ring::new(Some(delimiter)), header })
            }
            TailMode::LastBytes(keep) => Box::new(LastBytes { keep, ring: Ring::new(None), header }),
            TailMode::FromLine(first) => {
                Box::new(FromLine { skip: first.saturating_sub(1), delimiter, header })
            }
            TailMode::FromByte(first) => Box::new(FromByte { skip: first.saturating_sub(1), header }),
        }
    }
}

/// What `-5`, `+5`, `-5c`, `-b` say.
struct Obsolete {
    lines: bool,
    from_start: bool,
    count: u64,
}

/// Reads the first word as a count with an optional unit letter, if GNU would: it must be the only
/// option, with at most one operand.
fn obsolete(args: &[&[u8]]) -> Result<Option<Obsolete>> {
    let (word, fits) = match args {
        [word] => (*word, true),
        [word, b"--"] | [word, b"--", _] => (*word, true),
        [word, operand] => (*word, !matches!(operand, [b'-', _, ..])),
        _ => return Ok(None),
    };
    let (from_start, text) = match word {
        [b'+', text @ ..] => (true, text),
        // `-` is standard input, and `-c` wants a value.
        [b'-'] | [b'-', b'c'] => return Ok(None),
        [b'-', text @ ..] => (false, text),
        _ => return Ok(None),
    };
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (lines, unit, rest) = match &text[digits..] {
        [b'b', rest @ ..] => (false, 512, rest),
        [b'c', rest @ ..] => (false, 1, rest),
        [b'l', rest @ ..] => (true, 1, rest),
        rest => (true, 1, rest),
    };
    match rest {
        _ if !fits => Ok(None),
        [] => {
            let count = if digits == 0 { 10 } else { decimal(&text[..digits], word)? };
            let count = count.checked_mul(unit).ok_or_else(|| reject(word, "count too large"))?;
            Ok(Some(Obsolete { lines, from_start, count }))
        }
        [b'f'] => Err(reject(word, "follows a file")),
        _ => Ok(None),
    }
}

/// `-n 0`, `-c 0`: exits without reading, and without a header.
struct Nothing;

impl View for Nothing {
    fn push(&mut self, _input: &[u8], _out: &mut Vec<u8>) -> Result<()> {
        Ok(())
    }

    fn finish(&mut self, _out: &mut Vec<u8>) -> Result<i32> {
        Ok(0)
    }

    fn satisfied(&self) -> bool {
        true
    }
}

/// Keeps the last `keep` lines, which is not 0.
struct LastLines {
    keep: u64,
    delimiter: u8,
    ring: Ring,
    header: Header,
}

impl View for LastLines {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        let delimiters = count_delimiters(input, self.delimiter);
        // Behind this many delimiters from the end lie the last `keep` lines, whether or not the last one is terminated.
        let needed = self.keep.saturating_add(1);
        if delimiters >= needed {
            self.ring.take_all(None);
            let start = nth_last_line_end(input, self.delimiter, needed).unwrap_or(0);
            self.ring.append(&input[start..], self.keep);
        } else {
            self.ring.append(input, delimiters);
            self.ring.drop_chunks_keeping(needed);
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.header.write(out);
        let unterminated = self.ring.last().is_some_and(|last| last != self.delimiter);
        let lines = self.ring.delimiters() + u64::from(unterminated);
        self.ring.take_lines(lines.saturating_sub(self.keep), None);
        self.ring.take_all(Some(out));
        Ok(0)
    }

    fn preview(&self, out: &mut Vec<u8>) {
        if self.ring.bytes() <= PREVIEW_BYTES {
            let unterminated = self.ring.last().is_some_and(|last| last != self.delimiter);
            let lines = self.ring.delimiters() + u64::from(unterminated);
            let mut ring = self.ring.clone();
            ring.take_lines(lines.saturating_sub(self.keep), None);
            ring.take_all(Some(out));
        }
    }
}

/// More than this many kept bytes are not copied for a preview.
const PREVIEW_BYTES: u64 = 256 * 1024;

/// Keeps the last `keep` bytes, which is not 0.
struct LastBytes {
    keep: u64,
    ring: Ring,
    header: Header,
}

impl View for LastBytes {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        match usize::try_from(self.keep).ok().and_then(|keep| input.len().checked_sub(keep)) {
            Some(start) => {
                self.ring.take_all(None);
                self.ring.append(&input[start..], 0);
            }
            None => {
                self.ring.append(input, 0);
                let surplus = self.ring.bytes().saturating_sub(self.keep);
                self.ring.take_bytes(surplus, None);
            }
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.header.write(out);
        self.ring.take_all(Some(out));
        Ok(0)
    }
}

struct FromLine {
    /// Delimiters still to be passed over.
    skip: u64,
    delimiter: u8,
    header: Header,
}

impl View for FromLine {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        let (start, skip) = skip_lines(input, self.delimiter, self.skip);
        self.skip = skip;
        out.extend_from_slice(&input[start..]);
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.header.write(out);
        Ok(0)
    }
}

struct FromByte {
    /// Bytes still to be passed over.
    skip: u64,
    header: Header,
}

impl View for FromByte {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        let start = usize::try_from(self.skip).map_or(input.len(), |skip| skip.min(input.len()));
        self.skip -= start as u64;
        out.extend_from_slice(&input[start..]);
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.header.write(out);
        Ok(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<TailSpec> {
        let words: Vec<&[u8]> = line.split(' ').filter(|w| !w.is_empty()).map(str::as_bytes).collect();
        TailSpec::parse(&words)
    }

    #[test]
    fn modes() {
        use TailMode::{FromByte, FromLine, LastBytes, LastLines};
        for (line, want) in [
            ("", LastLines(10)),
            ("-", LastLines(10)),
            ("-5", LastLines(5)),
            ("-0", LastLines(0)),
            ("+5", FromLine(5)),
            ("+", FromLine(10)),
            ("+c", FromByte(10)),
            ("-l", LastLines(10)),
            ("-b", LastBytes(5120)),
            ("-5c", LastBytes(5)),
            ("+5c", FromByte(5)),
            ("-1b", LastBytes(512)),
            ("-2l", LastLines(2)),
            ("-2 -", LastLines(2)),
            ("-2 --", LastLines(2)),
            ("-2 -- -", LastLines(2)),
            ("+3 -", FromLine(3)),
            ("-n3", LastLines(3)),
            ("-n -3", LastLines(3)),
            ("-n +3", FromLine(3)),
            ("-n +0", FromLine(0)),
            ("-n -+3", LastLines(3)),
            ("--lines=+29", FromLine(29)),
            ("--bytes=+78", FromByte(78)),
            ("-c 10", LastBytes(10)),
            ("-n 3 -c 4", LastBytes(4)),
            ("-n +3 -n 2", FromLine(2)),
            ("-c +3 -n 2", FromLine(2)),
            ("-n 1k", LastLines(1024)),
            ("-n 2 -", LastLines(2)),
        ] {
            assert_eq!(parse(line).map(|spec| spec.mode).ok(), Some(want), "{line}");
        }
    }

    #[test]
    fn flags() {
        for (line, header, delimiter) in [
            ("-v", true, b'\n'),
            ("-v -q", false, b'\n'),
            ("-qv", true, b'\n'),
            ("-z -n 2", false, 0),
            ("--verb --zero", true, 0),
        ] {
            let spec = parse(line).unwrap();
            assert_eq!((spec.header, spec.delimiter), (header, delimiter), "{line}");
        }
    }

    #[test]
    fn refused() {
        for line in [
            "-n",
            "-c",
            "-n x",
            "-n 5x",
            "-n --2",
            "-n ++2",
            "-n +-2",
            "-5 -n 2",
            "-n 2 -5",
            "-5x",
            "-0x",
            "-2f",
            "-2lf",
            "-f",
            "-F",
            "-f -n 2",
            "--follow",
            "--follow=name",
            "--retry",
            "-s 1",
            "--pid=1",
            "--s",
            "--r",
            "-r",
            "--bogus",
            "file",
            "- -",
            "-n 2 +3",
            "-- -2",
            "+3 file",
            "--version",
            "--help",
            "-18446744073709551616",
            "-36028797018963968b",
            "-n 99999999999999999999999",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }

    #[test]
    fn small_pieces_keep_little() {
        let mut view =
            LastLines { keep: 3, delimiter: b'\n', ring: Ring::new(Some(b'\n')), header: Header::new(false) };
        let mut out = Vec::new();
        for n in 0..200_000 {
            view.push(format!("{n}\n").as_bytes(), &mut out).unwrap();
        }
        assert!(view.ring.bytes() <= 2 * super::super::ring::CHUNK_BYTES as u64);
        view.finish(&mut out).unwrap();
        assert_eq!(out, b"199997\n199998\n199999\n");
    }
}
