//! `head`: the first lines or bytes, or all but the last (GNU coreutils 9.1).

use super::View;
use super::count::{decimal, parse_count};
use super::getopt::{Item, Long, Options, Short, Value, reject};
use super::header::Header;
use super::ring::{Ring, count_delimiters, nth_last_line_end, skip_lines};
use crate::Result;

/// How much `head` shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HeadMode {
    /// The first lines: `-n 5`.
    FirstLines(u64),
    /// All lines but the last: `-n -5`.
    AllButLastLines(u64),
    /// The first bytes: `-c 5`.
    FirstBytes(u64),
    /// All bytes but the last: `-c -5`.
    AllButLastBytes(u64),
}

/// A parsed `head`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HeadSpec {
    /// How much is shown. Ten lines if the command does not say.
    pub mode: HeadMode,
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
    Other,
}

const OPTIONS: Options<Id> = Options {
    short: &[
        Short { letter: b'c', value: Value::Required, id: Id::Bytes },
        Short { letter: b'n', value: Value::Required, id: Id::Lines },
        Short { letter: b'q', value: Value::None, id: Id::Quiet },
        Short { letter: b'v', value: Value::None, id: Id::Verbose },
        Short { letter: b'z', value: Value::None, id: Id::Zero },
    ],
    long: &[
        Long { name: "bytes", value: Value::Required, id: Id::Bytes },
        Long { name: "lines", value: Value::Required, id: Id::Lines },
        Long { name: "quiet", value: Value::None, id: Id::Quiet },
        Long { name: "silent", value: Value::None, id: Id::Quiet },
        Long { name: "verbose", value: Value::None, id: Id::Verbose },
        Long { name: "zero-terminated", value: Value::None, id: Id::Zero },
        Long { name: "-presume-input-pipe", value: Value::None, id: Id::Other },
        Long { name: "help", value: Value::None, id: Id::Other },
        Long { name: "version", value: Value::None, id: Id::Other },
    ],
    numbers: false,
};

impl HeadSpec {
    /// Parses the words after the name.
    ///
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] names the word: a file operand, an option that `head` does
    /// not have, or a count that it rejects.
    pub fn parse(args: &[&[u8]]) -> Result<Self> {
        let mut spec = HeadSpec { mode: HeadMode::FirstLines(10), delimiter: b'\n', header: false };
        let mut args = args;
        if let Some((first, rest)) = args.split_first()
            && matches!(first, [b'-', b'0'..=b'9', ..])
        {
            spec.obsolete(first)?;
            args = rest;
        }
        let mut operands = 0;
        for item in OPTIONS.scan(args)? {
            match item {
                Item::Option { id, value, word } => {
                    let value = value.unwrap_or_default();
                    let (count, elide) = match value.strip_prefix(b"-") {
                        Some(count) => (count, true),
                        None => (value, false),
                    };
                    match (id, elide) {
                        (Id::Lines, false) => spec.mode = HeadMode::FirstLines(parse_count(count, value)?),
                        (Id::Lines, true) => {
                            spec.mode = HeadMode::AllButLastLines(parse_count(count, value)?)
                        }
                        (Id::Bytes, false) => spec.mode = HeadMode::FirstBytes(parse_count(count, value)?),
                        (Id::Bytes, true) => {
                            spec.mode = HeadMode::AllButLastBytes(parse_count(count, value)?)
                        }
                        (Id::Quiet, _) => spec.header = false,
                        (Id::Verbose, _) => spec.header = true,
                        (Id::Zero, _) => spec.delimiter = 0,
                        (Id::Other, _) => return Err(reject(word, "not an output of its input")),
                    }
                }
                Item::Operand(b"-") if operands == 0 => operands = 1,
                Item::Operand(word) | Item::Number(word) => return Err(reject(word, "file operand")),
            }
        }
        if let HeadMode::AllButLastBytes(count) = spec.mode
            && i64::try_from(count).is_err()
        {
            return Err(reject(count.to_string().as_bytes(), "count too large"));
        }
        Ok(spec)
    }

    /// `-5`, `-5c`, `-2kq`: a count and letters, only as the first word.
    fn obsolete(&mut self, word: &[u8]) -> Result<()> {
        let text = &word[1..];
        let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
        let (mut lines, mut unit) = (true, None);
        for letter in &text[digits..] {
            match letter {
                b'c' => (lines, unit) = (false, None),
                b'b' | b'k' | b'm' => (lines, unit) = (false, Some(*letter)),
                b'l' => lines = true,
                b'q' => self.header = false,
                b'v' => self.header = true,
                b'z' => self.delimiter = 0,
                _ => return Err(reject(word, "unknown letter after a count")),
            }
        }
        let count = match unit {
            None => decimal(&text[..digits], word)?,
            Some(unit) => parse_count(&[&text[..digits], &[unit]].concat(), word)?,
        };
        self.mode = if lines { HeadMode::FirstLines(count) } else { HeadMode::FirstBytes(count) };
        Ok(())
    }

    pub(super) fn build(&self) -> Box<dyn View> {
        let header = Header::new(self.header);
        let delimiter = self.delimiter;
        match self.mode {
            HeadMode::FirstLines(left) => Box::new(FirstLines { left, delimiter, header }),
            HeadMode::FirstBytes(left) => Box::new(FirstBytes { left, header }),
            HeadMode::AllButLastLines(0) | HeadMode::AllButLastBytes(0) => {
                Box::new(FirstBytes { left: u64::MAX, header })
            }
            HeadMode::AllButLastLines(keep) => {
                Box::new(AllButLastLines { keep, delimiter, ring: Ring::new(Some(delimiter)), header })
            }
            HeadMode::AllButLastBytes(keep) => {
                Box::new(AllButLastBytes { keep, ring: Ring::new(None), header })
            }
        }
    }
}

struct FirstLines {
    left: u64,
    delimiter: u8,
    header: Header,
}

impl View for FirstLines {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        let (end, left) = skip_lines(input, self.delimiter, self.left);
        self.left = left;
        out.extend_from_slice(&input[..end]);
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.header.write(out);
        Ok(0)
    }

    fn satisfied(&self) -> bool {
        self.left == 0
    }
}

struct FirstBytes {
    left: u64,
    header: Header,
}

impl View for FirstBytes {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        let end = usize::try_from(self.left).map_or(input.len(), |left| left.min(input.len()));
        self.left -= end as u64;
        out.extend_from_slice(&input[..end]);
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.header.write(out);
        Ok(0)
    }

    fn satisfied(&self) -> bool {
        self.left == 0
    }
}

/// Holds the last `keep` lines back; `keep` is not 0.
struct AllButLastLines {
    keep: u64,
    delimiter: u8,
    ring: Ring,
    header: Header,
}

impl View for AllButLastLines {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        let Some(last) = input.last() else { return Ok(()) };
        let unterminated = u64::from(*last != self.delimiter);
        let delimiters = count_delimiters(input, self.delimiter);
        // The line that is still open is one of those held back.
        let held = self.keep - unterminated;
        if delimiters > held {
            // Whatever was held before this input is certain now, and the start of the input too.
            self.ring.take_all(Some(out));
            let start = nth_last_line_end(input, self.delimiter, held + 1).unwrap_or(0);
            out.extend_from_slice(&input[..start]);
            self.ring.append(&input[start..], held);
        } else {
            self.ring.append(input, delimiters);
            let certain = self.ring.delimiters().saturating_sub(held);
            self.ring.take_lines(certain, Some(out));
        }
        Ok(())
    }

    fn finish(&mut self, out: &mut Vec<u8>) -> Result<i32> {
        self.header.write(out);
        Ok(0)
    }
}

/// Holds the last `keep` bytes back; `keep` is not 0.
struct AllButLastBytes {
    keep: u64,
    ring: Ring,
    header: Header,
}

impl View for AllButLastBytes {
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()> {
        self.header.write(out);
        match usize::try_from(self.keep).ok().and_then(|keep| input.len().checked_sub(keep)) {
            Some(certain) => {
                self.ring.take_all(Some(out));
                out.extend_from_slice(&input[..certain]);
                self.ring.append(&input[certain..], 0);
            }
            None => {
                self.ring.append(input, 0);
                let certain = self.ring.bytes().saturating_sub(self.keep);
                self.ring.take_bytes(certain, Some(out));
            }
        }
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

    fn parse(line: &str) -> Result<HeadSpec> {
        let words: Vec<&[u8]> = line.split(' ').filter(|w| !w.is_empty()).map(str::as_bytes).collect();
        HeadSpec::parse(&words)
    }

    #[test]
    fn modes() {
        use HeadMode::{AllButLastBytes, AllButLastLines, FirstBytes, FirstLines};
        for (line, want) in [
            ("", FirstLines(10)),
            ("-5", FirstLines(5)),
            ("-0", FirstLines(0)),
            ("-n5", FirstLines(5)),
            ("-n +5", FirstLines(5)),
            ("-n -5", AllButLastLines(5)),
            ("-n -+5", AllButLastLines(5)),
            ("-n -0", AllButLastLines(0)),
            ("--lines=-5", AllButLastLines(5)),
            ("--li 7", FirstLines(7)),
            ("-c 1K", FirstBytes(1024)),
            ("-c -70", AllButLastBytes(70)),
            ("--bytes 7", FirstBytes(7)),
            ("-5 -c 4", FirstBytes(4)),
            ("-5 -n 2", FirstLines(2)),
            ("-n 1 -c 2 -n 3", FirstLines(3)),
            ("-5c", FirstBytes(5)),
            ("-2k", FirstBytes(2048)),
            ("-2kl", FirstLines(2048)),
            ("-2kc", FirstBytes(2)),
            ("-1m", FirstBytes(1 << 20)),
            ("-3b", FirstBytes(1536)),
            ("-n 3 -", FirstLines(3)),
            ("-n 3 -- -", FirstLines(3)),
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
            ("-5v", true, b'\n'),
            ("-5vq", false, b'\n'),
            ("-5z", false, 0),
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
            "-n x",
            "-n 5x",
            "-n --2",
            "-5x",
            "-n 2 -5",
            "-5 -3",
            "file",
            "- -",
            "--ver",
            "--v",
            "--help",
            "-c -9223372036854775808",
            "-n 99999999999999999999999",
            "-99999999999999999999999",
            "---presume-input-pipe",
        ] {
            assert!(parse(line).is_err(), "{line}");
        }
    }
}
