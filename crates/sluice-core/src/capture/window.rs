//! A window that runs, and what the engine decides about it.

use super::feed::{Feed, PAGE};
use super::protocol::Begin;
use super::tools::{ask, is_reproducible};
use super::{ViewStderr, WindowOptions};
use crate::Result;
use crate::pipeline::{Pipeline, ProjectionEnd, Projector};
use crate::view::{HeadMode, HeadSpec, ViewEnv, ViewSpec};

/// How a window is run.
pub(super) enum Mode {
    /// The engine projects.
    Native(Box<Native>),
    /// The views run as written; a copy of their input comes to the log.
    RealWithLog,
    /// The views run as if the engine were not there.
    Plain,
    /// The views run as written, and the engine hands them their input, from the producer or from the log.
    Feed(Feed),
    /// The data showed that only the real tool is exact: it runs over a file of the window's bytes, and the first
    /// `already_out` bytes of what it writes are out.
    Replay { already_out: u64 },
}

/// What a native window has still to write, and how far it is.
pub(super) struct Native {
    projector: Projector,
    held: Vec<u8>,
    end: Option<ProjectionEnd>,
    may_need_real_tool: bool,
    needs_real_tool: bool,
    may_end_early: bool,
    pace: Option<Pace>,
    pipefail: bool,
}

/// Where it can be seen how early the views end, nothing is read that they would not have read.
#[derive(Clone, Copy)]
struct Pace {
    /// How many bytes they read at most: `head -c 5`.
    limit: u64,
}

/// glibc's buffer of a stream into a pipe: a tool's output appears in blocks of this size.
const STDIO_BLOCK: usize = 4096;
/// How much of a projection that may turn out to need the real tool is held back.
const HOLD: usize = 1 << 20;

/// Decides how a window is run. Exactness first: what cannot be shown equal runs as written. `direct`: the engine has the
/// producer's pipe itself; `retains`: it can keep what the real tool may have to read again.
pub(super) fn decide(window: &WindowOptions, begin: &Begin, direct: bool, retains: bool) -> Result<Mode> {
    if !begin.stdout_is_ours {
        return Ok(Mode::Plain);
    }
    let pipeline = match &window.views {
        Some(text) => Pipeline::parse(text),
        None => Pipeline::from_words(std::slice::from_ref(&begin.argv)),
    };
    let may_end_early = match &pipeline {
        Ok(pipeline) => pipeline.may_end_early(),
        Err(_) => words_may_end_early(window, begin),
    };
    // How early the views stop a producer depends on when and how they read. Where it can be seen, the engine stands in
    // for one view only: a chain's views end one after the other, as their buffers fill.
    let stop_visible = begin.pipefail || window.stop_visible;
    let paced = may_end_early && stop_visible;
    if paced && !(direct && window.names.len() == 1) {
        return as_written(begin, direct, may_end_early, stop_visible);
    }
    let may_need_real_tool = pipeline.as_ref().is_ok_and(Pipeline::may_need_real_tool);
    let exact =
        !begin.odd_environment && window.stderr != ViewStderr::Other && (retains || !may_need_real_tool);
    let projector = pipeline.ok().filter(|_| exact).and_then(|pipeline| {
        let env = tools_env(window, begin, &pipeline)?;
        let pace = paced.then(|| Pace { limit: read_limit(&pipeline) });
        Some((Projector::new(&pipeline, &env).ok()?, pace))
    });
    match projector {
        Some((projector, pace)) => Ok(Mode::Native(Box::new(Native {
            projector,
            held: Vec::new(),
            end: None,
            may_end_early,
            pace,
            may_need_real_tool,
            needs_real_tool: false,
            pipefail: begin.pipefail,
        }))),
        None => as_written(begin, direct, may_end_early, stop_visible),
    }
}

/// The real views, with a copy for the log where that cannot be noticed.
fn as_written(begin: &Begin, direct: bool, may_end_early: bool, stop_visible: bool) -> Result<Mode> {
    // Only a plain stage leaves `set -e` in force inside a function of the user's.
    if begin.errexit && !begin.resolved.iter().all(|path| path.starts_with('/')) {
        return Ok(Mode::Plain);
    }
    Ok(match direct {
        true => Mode::Feed(Feed::new(stop_visible)?),
        // A copier would notice only at its next write that the views have gone, a follower never.
        false if may_end_early => Mode::Plain,
        false => Mode::RealWithLog,
    })
}

/// How many bytes the first view reads at most.
fn read_limit(pipeline: &Pipeline) -> u64 {
    match pipeline.views.first() {
        Some(ViewSpec::Head(HeadSpec { mode: HeadMode::FirstBytes(bytes), .. })) => *bytes,
        _ => u64::MAX,
    }
}

/// The environment of the views, completed by what their tools say of themselves; `None` unless the engine
/// reproduces every one of them.
fn tools_env(window: &WindowOptions, begin: &Begin, pipeline: &Pipeline) -> Option<ViewEnv> {
    let known = begin.resolved.len() == window.names.len()
        && window.names.iter().zip(&begin.resolved).all(|(name, path)| is_reproducible(name, path));
    let mut env = begin.env.clone();
    let asked =
        known && pipeline.views.iter().zip(&begin.resolved).all(|(view, path)| ask(view, path, &mut env));
    asked.then_some(env)
}

/// Whether views that the engine does not understand may exit before their input ends; yes, when in doubt.
fn words_may_end_early(window: &WindowOptions, begin: &Begin) -> bool {
    let argv = begin.argv.iter().map(|word| String::from_utf8_lossy(word).into_owned());
    let text = window.views.iter().flat_map(|text| text.split_whitespace()).map(str::to_owned);
    window.names.iter().any(|name| name == "head")
        || argv.chain(text).any(|word| match word.trim_matches(['\'', '"']).strip_prefix('-') {
            Some(long) if long.starts_with('-') => {
                ["-m", "-q", "-s", "-f"].iter().any(|p| long.starts_with(p))
            }
            Some(short) => short.contains(['m', 'q', 'l', 'L']),
            None => false,
        })
}

impl Native {
    /// Pushes bytes of the window; output collects in `held`.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.has_ended() || self.needs_real_tool {
            return;
        }
        match self.projector.push(bytes, &mut self.held) {
            Err(_) => self.needs_real_tool = true,
            // The real view exits, and so flushes, as soon as it has seen enough.
            Ok(()) if self.projector.satisfied() => self.finish(),
            Ok(()) => {}
        }
    }

    /// Ends the projection; later calls do nothing.
    pub(super) fn finish(&mut self) {
        if self.end.is_none() && !self.needs_real_tool {
            match self.projector.finish(&mut self.held) {
                Ok(end) => self.end = Some(end),
                Err(_) => self.needs_real_tool = true,
            }
        }
    }

    /// Whether the views have exited.
    pub(super) fn has_ended(&self) -> bool {
        self.end.is_some()
    }

    /// Whether the views may exit before their input ends.
    pub(super) fn may_end_early(&self) -> bool {
        self.may_end_early
    }

    /// Whether it can be seen how early the views end.
    pub(super) fn is_paced(&self) -> bool {
        self.pace.is_some()
    }

    /// How many bytes may be read at once after `taken` bytes.
    pub(super) fn block(&self, taken: u64) -> usize {
        self.pace.map_or(usize::MAX, |Pace { limit }| {
            usize::try_from(limit.saturating_sub(taken)).map_or(PAGE, |left| left.clamp(1, PAGE))
        })
    }

    /// Whether the data showed that only the real tool is exact.
    pub(super) fn needs_real_tool(&self) -> bool {
        self.needs_real_tool
    }

    /// Whether that can still happen.
    pub(super) fn may_need_real_tool(&self) -> bool {
        self.may_need_real_tool && !self.has_ended()
    }

    /// What the views write to stderr.
    pub(super) fn stderr(&self) -> &str {
        self.end.as_ref().map_or("", |end| &end.stderr)
    }

    /// What is not yet placed, and what the views would write if their input ended now.
    pub(super) fn preview(&self) -> Vec<u8> {
        let mut bytes = self.held.clone();
        if !self.has_ended() && !self.needs_real_tool {
            self.projector.preview(&mut bytes);
        }
        bytes
    }

    /// Takes what the real tool would have written by now: whole blocks, or everything once it has ended.
    pub(super) fn take_flushed(&mut self) -> Vec<u8> {
        let ready = match (self.has_ended(), self.held.len()) {
            (true, all) => all,
            (false, len) if self.may_need_real_tool && len <= HOLD => 0,
            (false, len) => len.saturating_sub(1) / STDIO_BLOCK * STDIO_BLOCK,
        };
        let rest = self.held.split_off(ready);
        std::mem::replace(&mut self.held, rest)
    }

    /// The status of the pipeline that the views were.
    pub(super) fn exit_code(&self) -> i32 {
        let Some(end) = &self.end else { return 0 };
        if self.pipefail {
            end.exit_codes.iter().rev().copied().find(|&code| code != 0).unwrap_or(0)
        } else {
            end.exit_code
        }
    }
}
