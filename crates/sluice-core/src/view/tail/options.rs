//! The command line of `tail`.

use super::{TailMode, TailSpec};
use crate::Result;
use crate::view::count::{decimal, parse_count};
use crate::view::ends::{Flags, Id, Unit, scan};
use crate::view::getopt::{Options, Value, long, reject, short};

const OPTIONS: Options<Id> = Options {
    short: &[
        short(b'c', Value::Required, Id::Bytes),
        short(b'n', Value::Required, Id::Lines),
        short(b'q', Value::None, Id::Quiet),
        short(b'v', Value::None, Id::Verbose),
        short(b'z', Value::None, Id::Zero),
        short(b'f', Value::None, Id::Follow),
        short(b'F', Value::None, Id::Follow),
        short(b's', Value::Required, Id::Follow),
    ],
    long: &[
        long("bytes", Value::Required, Id::Bytes),
        long("follow", Value::Optional, Id::Follow),
        long("lines", Value::Required, Id::Lines),
        long("max-unchanged-stats", Value::Required, Id::Follow),
        long("-disable-inotify", Value::None, Id::Follow),
        long("pid", Value::Required, Id::Follow),
        long("-presume-input-pipe", Value::None, Id::Other),
        long("quiet", Value::None, Id::Quiet),
        long("retry", Value::None, Id::Follow),
        long("silent", Value::None, Id::Quiet),
        long("sleep-interval", Value::Required, Id::Follow),
        long("verbose", Value::None, Id::Verbose),
        long("zero-terminated", Value::None, Id::Zero),
        long("help", Value::None, Id::Other),
        long("version", Value::None, Id::Other),
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
        let (mut unit, mut from_start, mut count) = (Unit::Lines, false, 10);
        let mut flags = Flags::default();
        let mut args = args;
        if let Some(old) = obsolete(args)? {
            (unit, from_start, count) = (old.unit, old.from_start, old.count);
            args = &args[1..];
        }
        scan(&OPTIONS, args, &mut flags, |of, value| {
            unit = of;
            // As in GNU, once `+` was seen a later count without it still counts from the start.
            from_start |= value.first() == Some(&b'+');
            count = parse_count(value.strip_prefix(b"-").unwrap_or(value), value)?;
            Ok(())
        })?;
        let mode = match (unit, from_start) {
            (Unit::Lines, false) => TailMode::LastLines(count),
            (Unit::Lines, true) => TailMode::FromLine(count),
            (Unit::Bytes, false) => TailMode::LastBytes(count),
            (Unit::Bytes, true) => TailMode::FromByte(count),
        };
        Ok(TailSpec { mode, delimiter: flags.delimiter, header: flags.header })
    }
}

/// What `-5`, `+5`, `-5c`, `-b` say.
struct Obsolete {
    unit: Unit,
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
    let (unit, size, rest) = match &text[digits..] {
        [b'b', rest @ ..] => (Unit::Bytes, 512, rest),
        [b'c', rest @ ..] => (Unit::Bytes, 1, rest),
        [b'l', rest @ ..] => (Unit::Lines, 1, rest),
        rest => (Unit::Lines, 1, rest),
    };
    match rest {
        _ if !fits => Ok(None),
        [] => {
            let count = if digits == 0 { 10 } else { decimal(&text[..digits], word)? };
            let count = count.checked_mul(size).ok_or_else(|| reject(word, "count too large"))?;
            Ok(Some(Obsolete { unit, from_start, count }))
        }
        [b'f'] => Err(reject(word, "follows a file")),
        _ => Ok(None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ends::tests::words;

    fn parse(line: &str) -> Result<TailSpec> {
        TailSpec::parse(&words(line))
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
}
