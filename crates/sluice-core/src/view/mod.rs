//! Views: the filters that only select from a stream (`head`, `tail`, `grep`, …).
//!
//! A [`ViewSpec`] is a parsed command line; [`ViewSpec::build`] makes the running [`View`].
//! Each view reproduces the GNU tool of its name byte for byte, or refuses while it is parsed.

mod count;
mod ends;
mod getopt;
mod grep;
mod head;
mod header;
mod locale;
mod pass;
mod rg;
mod ring;
mod tail;

pub use grep::{BinaryFiles, GrepColors, GrepOutput, GrepSpec, Obsolescent};
pub use head::{HeadMode, HeadSpec};
pub use pass::PassSpec;
pub use rg::RgSpec;
pub use tail::{TailMode, TailSpec};

use crate::{Error, Result};

/// A view that runs: bytes in, bytes out.
pub trait View: Send {
    /// Consumes the next bytes of the stream, of any length, and appends to `out` what the tool
    /// would write for them. How the stream is cut into chunks never changes the output.
    ///
    /// # Errors
    ///
    /// [`Error::NeedsRealTool`] if the data shows that the answer cannot be exact, or takes too long, or that
    /// a line of more than 256 MiB would have to be held.
    fn push(&mut self, input: &[u8], out: &mut Vec<u8>) -> Result<()>;

    /// Ends the stream, appends the rest to `out` and returns the exit code. Called once. By default there is
    /// no rest, and the code is 0.
    ///
    /// # Errors
    ///
    /// As [`View::push`].
    fn finish(&mut self, _out: &mut Vec<u8>) -> Result<i32> {
        Ok(0)
    }

    /// True once the tool would have exited: further input changes neither output nor status.
    fn satisfied(&self) -> bool {
        false
    }

    /// True once the input so far has changed how later input is treated, because it turned out to be
    /// binary. Until then a [line-local](ViewSpec::line_local) view treats each line on its own.
    fn met_binary(&self) -> bool {
        false
    }

    /// Passes over whole lines without being shown them: `bytes` bytes with `lines` line ends (which
    /// matter only to a view that numbers lines). The caller knows that the view neither selects
    /// them nor writes them as context. False, and nothing has happened, if the view has to see them.
    fn skip(&mut self, _bytes: u64, _lines: u64) -> bool {
        false
    }

    /// Appends what [`View::finish`] would write now, for showing progress. Nothing where that is not cheap.
    fn preview(&self, _out: &mut Vec<u8>) {}

    /// What the tool writes to standard error, known once [`View::finish`] has returned.
    fn stderr(&self) -> &str {
        ""
    }
}

/// The environment variables that views read. `None` is unset.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ViewEnv {
    /// `LC_ALL`
    pub lc_all: Option<String>,
    /// `LC_CTYPE`
    pub lc_ctype: Option<String>,
    /// `LANG`
    pub lang: Option<String>,
    /// `GREP_COLORS`
    pub grep_colors: Option<String>,
    /// `GREP_COLOR`, the older variable.
    pub grep_color: Option<String>,
    /// Whether this machine's `grep` warns about stray backslashes in patterns. Upstream's does since
    /// 3.8, Debian's 3.8 does not. Default: false.
    pub grep_warns: bool,
    /// Whether this machine's `egrep` and `fgrep` warn that they are obsolescent. Upstream's do since
    /// 3.8, Debian's do not. Default: false.
    pub egrep_warns: bool,
}

/// A parsed view, ready to be built any number of times.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ViewSpec {
    /// `head`
    Head(HeadSpec),
    /// `tail`
    Tail(TailSpec),
    /// `grep`, `egrep`, `fgrep`
    Grep(Box<GrepSpec>),
    /// `rg`
    Rg(Box<RgSpec>),
    /// `less`, `more`
    Pass(PassSpec),
}

impl ViewSpec {
    /// Parses the words of one view, the name first: `["tail", "-n", "5"]`.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] names the first word that cannot be reproduced exactly, which
    /// includes every command line that the real tool rejects.
    pub fn parse<W: AsRef<[u8]>>(words: &[W]) -> Result<Self> {
        let words: Vec<&[u8]> = words.iter().map(AsRef::as_ref).collect();
        let Some((name, args)) = words.split_first() else {
            return Err(Error::unsupported("", "no view"));
        };
        // `/usr/bin/head` is head, which says nothing of its own. grep puts its name, as called, into its messages.
        let base = &name[memchr::memrchr(b'/', name).map_or(0, |slash| slash + 1)..];
        let name = if matches!(base, b"head" | b"tail") { base } else { name };
        match name {
            b"head" => HeadSpec::parse(args).map(ViewSpec::Head),
            b"tail" => TailSpec::parse(args).map(ViewSpec::Tail),
            b"grep" | b"egrep" | b"fgrep" => {
                GrepSpec::parse(name, args).map(|spec| ViewSpec::Grep(Box::new(spec)))
            }
            b"rg" => RgSpec::parse(args).map(|spec| ViewSpec::Rg(Box::new(spec))),
            b"less" => PassSpec::parse_less(args).map(ViewSpec::Pass),
            b"more" => PassSpec::parse_more(args).map(ViewSpec::Pass),
            other => Err(Error::unsupported(String::from_utf8_lossy(other), "not a view")),
        }
    }

    /// Whether the tool may exit before its input ends.
    #[must_use]
    pub fn may_end_early(&self) -> bool {
        match self {
            ViewSpec::Head(_) => true,
            ViewSpec::Tail(spec) => matches!(spec.mode, TailMode::LastLines(0) | TailMode::LastBytes(0)),
            ViewSpec::Grep(spec) => spec.may_end_early(),
            ViewSpec::Rg(spec) => spec.grep.may_end_early(),
            ViewSpec::Pass(_) => false,
        }
    }

    /// Whether some input can make the view end with [`Error::NeedsRealTool`].
    #[must_use]
    pub fn may_need_real_tool(&self) -> bool {
        match self {
            ViewSpec::Head(_) | ViewSpec::Tail(_) | ViewSpec::Pass(_) => false,
            ViewSpec::Grep(_) | ViewSpec::Rg(_) => true,
        }
    }

    /// The byte that ends a line, if the view treats each line on its own: what it writes for whole lines
    /// depends on nothing before or after them, and is written as soon as they are pushed. Its exit code
    /// is the least of those of the parts.
    #[must_use]
    pub fn line_local(&self) -> Option<u8> {
        match self {
            ViewSpec::Head(_) | ViewSpec::Tail(_) => None,
            ViewSpec::Grep(spec) => spec.is_line_local().then(|| spec.terminator()),
            ViewSpec::Rg(spec) => spec.grep.is_line_local().then_some(b'\n'),
            ViewSpec::Pass(_) => Some(b'\n'),
        }
    }

    /// Makes the running view.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] if the view cannot be exact in this environment (its locale).
    pub fn build(&self, env: &ViewEnv) -> Result<Box<dyn View>> {
        Ok(match self {
            ViewSpec::Head(spec) => spec.build(),
            ViewSpec::Tail(spec) => spec.build(),
            ViewSpec::Grep(spec) => spec.build(env)?,
            ViewSpec::Rg(spec) => spec.build(env)?,
            ViewSpec::Pass(spec) => spec.build(),
        })
    }
}
