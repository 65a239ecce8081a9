//! The command line of `head`.

use super::{HeadMode, HeadSpec};
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
    ],
    long: &[
        long("bytes", Value::Required, Id::Bytes),
        long("lines", Value::Required, Id::Lines),
        long("quiet", Value::None, Id::Quiet),
        long("silent", Value::None, Id::Quiet),
        long("verbose", Value::None, Id::Verbose),
        long("zero-terminated", Value::None, Id::Zero),
        long("-presume-input-pipe", Value::None, Id::Other),
        long("help", Value::None, Id::Other),
        long("version", Value::None, Id::Other),
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
        let mut mode = HeadMode::FirstLines(10);
        let mut flags = Flags::default();
        let mut args = args;
        if let Some((first, rest)) = args.split_first()
            && matches!(first, [b'-', b'0'..=b'9', ..])
        {
            mode = obsolete(first, &mut flags)?;
            args = rest;
        }
        scan(&OPTIONS, args, &mut flags, |unit, value| {
            let (count, elide) = match value.strip_prefix(b"-") {
                Some(count) => (count, true),
                None => (value, false),
            };
            let count = parse_count(count, value)?;
            mode = match (unit, elide) {
                (Unit::Lines, false) => HeadMode::FirstLines(count),
                (Unit::Lines, true) => HeadMode::AllButLastLines(count),
                (Unit::Bytes, false) => HeadMode::FirstBytes(count),
                (Unit::Bytes, true) => HeadMode::AllButLastBytes(count),
            };
            Ok(())
        })?;
        if let HeadMode::AllButLastBytes(count) = mode
            && i64::try_from(count).is_err()
        {
            return Err(reject(count.to_string().as_bytes(), "count too large"));
        }
        Ok(HeadSpec { mode, delimiter: flags.delimiter, header: flags.header })
    }
}

/// `-5`, `-5c`, `-2kq`: a count and letters, only as the first word.
fn obsolete(word: &[u8], flags: &mut Flags) -> Result<HeadMode> {
    let text = &word[1..];
    let digits = text.iter().take_while(|b| b.is_ascii_digit()).count();
    let (mut lines, mut unit) = (true, None);
    for letter in &text[digits..] {
        match letter {
            b'c' => (lines, unit) = (false, None),
            b'b' | b'k' | b'm' => (lines, unit) = (false, Some(*letter)),
            b'l' => lines = true,
            b'q' => flags.header = false,
            b'v' => flags.header = true,
            b'z' => flags.delimiter = 0,
            _ => return Err(reject(word, "unknown letter after a count")),
        }
    }
    let count = match unit {
        None => decimal(&text[..digits], word)?,
        Some(unit) => parse_count(&[&text[..digits], &[unit]].concat(), word)?,
    };
    Ok(if lines { HeadMode::FirstLines(count) } else { HeadMode::FirstBytes(count) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::view::ends::tests::words;

    fn parse(line: &str) -> Result<HeadSpec> {
        HeadSpec::parse(&words(line))
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
    fn flags_behind_a_count() {
        for (line, header, delimiter) in [("-5v", true, b'\n'), ("-5vq", false, b'\n'), ("-5z", false, 0)] {
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
