//! What the shell function announces, as a stream of NUL-terminated fields.
//!
//! | message | fields |
//! |---|---|
//! | begin | nonce `B` window tag stdout LC_ALL LC_CTYPE LANG GREP_COLORS odd options argc argv… names |
//! | relay | nonce `P` window pid |
//! | end   | nonce `E` window |
//! | exit  | nonce `X` count status… |
//!
//! `tag` is the process that asks, or `-` if the shell does not know; every answer begins with it. `options` is
//! `$SHELLOPTS:$-`. `stdout` is `1` if the window's stdout is the command's own. `odd` is empty unless a variable is set that
//! changes what the tools do (`GREP_OPTIONS`, `POSIXLY_CORRECT`, …). `names` is what `command -v` printed
//! for each view, a line each.

use crate::view::ViewEnv;

/// A message from the shell.
#[derive(Debug, PartialEq)]
pub(super) enum Message {
    Begin(Box<Begin>),
    /// The process that relays the window's bytes.
    Relay {
        window: usize,
        pid: i32,
    },
    /// The relay has ended: every byte of the window is in the pipe.
    End {
        window: usize,
    },
    /// The statuses of the command's last pipeline.
    PipeStatus(Vec<i32>),
}

impl Message {
    /// The process that begins a window, where it said so.
    pub(super) fn sender(&self) -> Option<i32> {
        if let Message::Begin(begin) = self { begin.tag.parse().ok() } else { None }
    }
}

/// A window is about to start, and the shell waits for a decision.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Begin {
    pub(super) window: usize,
    /// What the answers begin with.
    pub(super) tag: String,
    pub(super) stdout_is_ours: bool,
    pub(super) env: ViewEnv,
    pub(super) odd_environment: bool,
    pub(super) pipefail: bool,
    pub(super) errexit: bool,
    /// The words that would be run in place of the window, as the shell expanded them.
    pub(super) argv: Vec<Vec<u8>>,
    /// What `command -v` says of each view.
    pub(super) resolved: Vec<String>,
}

/// Cuts the stream into messages.
#[derive(Debug)]
pub(super) struct Parser {
    nonce: Vec<u8>,
    buffer: Vec<u8>,
}

/// A message that does not end.
#[derive(Debug, PartialEq)]
pub(super) struct Garbled;

/// Longest unfinished message that is kept, in bytes; `argv` cannot be longer than the system's own limit.
const MAX_MESSAGE: usize = 4 << 20;

impl Parser {
    pub(super) fn new(nonce: &str) -> Self {
        Parser { nonce: nonce.as_bytes().to_vec(), buffer: Vec::new() }
    }

    pub(super) fn append(&mut self, bytes: &[u8]) {
        self.buffer.extend_from_slice(bytes);
    }

    /// The next complete message. What others wrote in between is passed over: only our messages begin with the nonce.
    pub(super) fn next(&mut self) -> Result<Option<Message>, Garbled> {
        loop {
            self.drop_foreign_bytes();
            let mut fields = Fields { rest: &self.buffer };
            let parsed = self.parse(&mut fields);
            let used = self.buffer.len() - fields.rest.len();
            match parsed {
                Ok(message) => {
                    self.buffer.drain(..used);
                    return Ok(Some(message));
                }
                Err(Stop::Incomplete) if self.buffer.len() <= MAX_MESSAGE => return Ok(None),
                Err(Stop::Incomplete) => return Err(Garbled),
                Err(Stop::Garbled) => drop(self.buffer.drain(..self.nonce.len())),
            }
        }
    }

    /// Drops what stands before the next message, or before what may become one.
    fn drop_foreign_bytes(&mut self) {
        let keep = match memchr::memmem::find(&self.buffer, &self.nonce) {
            Some(at) => at,
            None => (self.buffer.len().saturating_sub(self.nonce.len() - 1)..self.buffer.len())
                .find(|&at| self.nonce.starts_with(&self.buffer[at..]))
                .unwrap_or(self.buffer.len()),
        };
        self.buffer.drain(..keep);
    }

    fn parse(&self, fields: &mut Fields<'_>) -> Result<Message, Stop> {
        if fields.next()? != self.nonce {
            return Err(Stop::Garbled);
        }
        let kind = fields.next()?;
        let window = fields.number()?;
        match kind {
            b"P" => Ok(Message::Relay {
                window,
                pid: i32::try_from(fields.number()?).map_err(|_| Stop::Garbled)?,
            }),
            b"E" => Ok(Message::End { window }),
            b"X" => {
                let status = |_| fields.number()?.try_into().map_err(|_| Stop::Garbled);
                Ok(Message::PipeStatus((0..window).map(status).collect::<Result<_, _>>()?))
            }
            b"B" => {
                let tag = fields.tag()?;
                let stdout_is_ours = fields.next()? == b"1";
                let env = ViewEnv {
                    lc_all: fields.variable()?,
                    lc_ctype: fields.variable()?,
                    lang: fields.variable()?,
                    grep_colors: fields.variable()?,
                    ..ViewEnv::default()
                };
                let odd_environment = !fields.next()?.is_empty();
                let options = fields.next()?;
                let flags = options.rsplit(|&b| b == b':').next().unwrap_or_default();
                let pipefail = options.split(|&b| b == b':').any(|option| option == b"pipefail");
                let errexit = flags.contains(&b'e');
                let argc = fields.number()?;
                let argv = (0..argc).map(|_| fields.next().map(<[u8]>::to_vec)).collect::<Result<_, _>>()?;
                let resolved = String::from_utf8_lossy(fields.next()?).lines().map(str::to_owned).collect();
                Ok(Message::Begin(Box::new(Begin {
                    window,
                    tag,
                    stdout_is_ours,
                    env,
                    odd_environment,
                    pipefail,
                    errexit,
                    argv,
                    resolved,
                })))
            }
            _ => Err(Stop::Garbled),
        }
    }
}

enum Stop {
    Incomplete,
    Garbled,
}

struct Fields<'a> {
    rest: &'a [u8],
}

impl<'a> Fields<'a> {
    fn next(&mut self) -> Result<&'a [u8], Stop> {
        let end = memchr::memchr(0, self.rest).ok_or(Stop::Incomplete)?;
        let field = &self.rest[..end];
        self.rest = &self.rest[end + 1..];
        Ok(field)
    }

    fn number(&mut self) -> Result<usize, Stop> {
        std::str::from_utf8(self.next()?).ok().and_then(|s| s.parse().ok()).ok_or(Stop::Garbled)
    }

    fn tag(&mut self) -> Result<String, Stop> {
        let tag = self.next()?;
        let plain = tag == b"-" || (!tag.is_empty() && tag.len() < 20 && tag.iter().all(u8::is_ascii_digit));
        if plain { Ok(String::from_utf8_lossy(tag).into_owned()) } else { Err(Stop::Garbled) }
    }

    /// An environment variable; empty counts as unset, as it does for locales and colours.
    fn variable(&mut self) -> Result<Option<String>, Stop> {
        let value = self.next()?;
        Ok((!value.is_empty()).then(|| String::from_utf8_lossy(value).into_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_arrive_in_any_pieces() {
        let stream = b"n0nce\0B\x002\x0041\x001\0C\0\0\0\0\0braceexpand:pipefail:hBce\x002\0tail\0-5\0/usr/bin/tail\n\0n0nce\0P\x002\x0077\0n0nce\0E\x002\0";
        for step in [1, 3, 1000] {
            let mut parser = Parser::new("n0nce");
            let mut messages = Vec::new();
            for piece in stream.chunks(step) {
                parser.append(piece);
                while let Some(message) = parser.next().unwrap() {
                    messages.push(message);
                }
            }
            let [Message::Begin(begin), Message::Relay { window: 2, pid: 77 }, Message::End { window: 2 }] =
                &messages[..]
            else {
                panic!("{messages:?}")
            };
            assert!(begin.stdout_is_ours && begin.pipefail && begin.errexit && !begin.odd_environment);
            assert_eq!(begin.tag, "41");
            assert_eq!(begin.env.lc_all.as_deref(), Some("C"));
            assert_eq!(begin.argv, [b"tail".to_vec(), b"-5".to_vec()]);
            assert_eq!(begin.resolved, ["/usr/bin/tail"]);
        }
    }

    #[test]
    fn what_others_write_is_passed_over() {
        let stream = b"hello\0E\x001\0n0nce\0junk\0n0nn0nce\0E\x001\0more n0n";
        for step in [1, 2, 1000] {
            let mut parser = Parser::new("n0nce");
            let mut messages = Vec::new();
            for piece in stream.chunks(step) {
                parser.append(piece);
                while let Some(message) = parser.next().unwrap() {
                    messages.push(message);
                }
            }
            assert_eq!(messages, [Message::End { window: 1 }]);
        }
    }
}
