//! The driver over a stream of chunks.

use super::Pipeline;
use crate::Result;
use crate::view::{View, ViewEnv, ViewSpec};

/// What the C library of the GNU tools gathers before it writes to a pipe, in bytes.
const PIPE_BLOCK: u64 = 4096;

/// What a shell reports for a process that wrote to a pipe without a reader.
const SIGPIPE_STATUS: i32 = 141;

/// One view of the chain.
struct Stage {
    view: Box<dyn View>,
    /// Whether the tool can say anything on standard error.
    speaks: bool,
    /// Bytes written so far.
    written: u64,
    /// The exit code, once the stage has ended.
    code: Option<i32>,
}

/// Where the chain was cut because a view needs no more input.
struct Cut {
    /// The last stage that was satisfied. It and everything behind it have ended.
    at: usize,
    /// How much the stage in front may have written in all before its next write would kill it.
    budget: u64,
}

/// Runs a pipeline over chunks as they arrive. Memory is what the views keep, plus one chunk per stage.
///
/// When a view is satisfied, the views behind it see the end of input at once, so that their output
/// is part of the same push. The views in front of it are cut off, as by SIGPIPE.
pub struct Projector {
    stages: Vec<Stage>,
    cut: Option<Cut>,
    /// Output that was there before the first push: `head -0v` needs no input.
    early: Vec<u8>,
    input_bytes: u64,
    input_newlines: u64,
    last_byte: u8,
    scratch: [Vec<u8>; 2],
}

/// What is known when the stream has ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProjectionEnd {
    /// The exit code of the last view.
    pub exit_code: i32,
    /// The exit code of every view, first to last; 141 for one that was cut off while it had more to write.
    pub exit_codes: Vec<i32>,
    /// What the views write to standard error, in stage order.
    pub stderr: String,
    /// Bytes pushed.
    pub input_bytes: u64,
    /// Lines pushed; an unterminated last line counts.
    pub input_lines: u64,
}

impl Projector {
    /// # Errors
    ///
    /// [`crate::Error::UnsupportedView`] if a view cannot be exact in this environment.
    pub fn new(pipeline: &Pipeline, env: &ViewEnv) -> Result<Self> {
        Self::from_specs(&pipeline.views, env)
    }

    /// As [`Projector::new`], over part of a pipeline.
    pub(in crate::pipeline) fn from_specs(specs: &[ViewSpec], env: &ViewEnv) -> Result<Self> {
        let stages = specs
            .iter()
            .map(|spec| {
                Ok(Stage {
                    view: spec.build(env)?,
                    speaks: !matches!(spec, ViewSpec::Head(_) | ViewSpec::Tail(_)),
                    written: 0,
                    code: None,
                })
            })
            .collect::<Result<Vec<_>>>()?;
        let mut projector = Projector {
            stages,
            cut: None,
            early: Vec::new(),
            input_bytes: 0,
            input_newlines: 0,
            last_byte: b'\n',
            scratch: Default::default(),
        };
        let mut early = Vec::new();
        projector.cut_where_satisfied(&mut early)?;
        projector.early = early;
        Ok(projector)
    }

    /// Pushes the next chunk and appends what the last view writes for it to `out`.
    ///
    /// # Errors
    ///
    /// [`crate::Error::NeedsRealTool`], after which the projector must not be used.
    pub fn push(&mut self, chunk: &[u8], out: &mut Vec<u8>) -> Result<()> {
        if let Some(&last) = chunk.last() {
            self.last_byte = last;
            self.input_bytes += chunk.len() as u64;
            self.input_newlines += memchr::memchr_iter(b'\n', chunk).count() as u64;
        }
        self.push_uncounted(chunk, out)
    }

    /// As [`Projector::push`], without counting the input.
    pub(in crate::pipeline) fn push_uncounted(&mut self, chunk: &[u8], out: &mut Vec<u8>) -> Result<()> {
        out.append(&mut self.early);
        if self.settled() {
            return Ok(());
        }
        match &self.cut {
            None => {
                self.run(chunk, self.stages.len(), Some(out))?;
                self.cut_where_satisfied(out)
            }
            Some(cut) => self.run(chunk, cut.at, None),
        }
    }

    /// Appends what the last view would still write if its input ended now; see [`View::preview`].
    pub fn preview(&self, out: &mut Vec<u8>) {
        if let Some(last) = self.stages.last() {
            last.view.preview(out);
        }
    }

    /// True once further input changes neither output nor exit code.
    #[must_use]
    pub fn satisfied(&self) -> bool {
        self.cut.is_some()
    }

    /// True once further input changes nothing at all. In between, a view in front of the satisfied one
    /// may still have something to say on standard error, since its output so far fits one write.
    #[must_use]
    pub fn settled(&self) -> bool {
        self.cut.as_ref().is_some_and(|cut| match self.stages[..cut.at].split_last() {
            None => true,
            Some((front, rest)) => {
                front.written > cut.budget || !(front.speaks || rest.iter().any(|s| s.speaks))
            }
        })
    }

    /// Lets the first view pass over lines; see [`View::skip`].
    pub(in crate::pipeline) fn skip(&mut self, bytes: u64, lines: u64) -> bool {
        self.cut.is_none() && self.stages.first_mut().is_some_and(|stage| stage.view.skip(bytes, lines))
    }

    /// What each view writes to standard error, once it has ended.
    pub(in crate::pipeline) fn stderr(&self) -> Vec<String> {
        self.stages.iter().map(|stage| stage.view.stderr().to_owned()).collect()
    }

    /// Whether the input has shown a view that it is binary; see [`View::met_binary`].
    pub(in crate::pipeline) fn met_binary(&self) -> bool {
        self.stages.iter().any(|stage| stage.view.met_binary())
    }

    /// Ends the stream.
    ///
    /// # Errors
    ///
    /// As [`Projector::push`].
    pub fn finish(&mut self, out: &mut Vec<u8>) -> Result<ProjectionEnd> {
        out.append(&mut self.early);
        let mut end = ProjectionEnd {
            input_bytes: self.input_bytes,
            input_lines: self.input_newlines + u64::from(self.last_byte != b'\n'),
            ..ProjectionEnd::default()
        };
        let mut silenced = 0;
        match &self.cut {
            None => self.end(0, self.stages.len(), Some(out))?,
            Some(cut) => {
                let (at, budget) = (cut.at, cut.budget);
                if !self.settled() {
                    self.end(0, at, None)?;
                }
                if at > 0 && self.stages[at - 1].written > budget {
                    silenced = at;
                }
            }
        }
        for (index, stage) in self.stages.iter().enumerate() {
            let killed = index < silenced || stage.code.is_none();
            end.exit_codes.push(stage.code.filter(|_| !killed).unwrap_or(SIGPIPE_STATUS));
            if !killed {
                end.stderr.push_str(stage.view.stderr());
            }
        }
        end.exit_code = end.exit_codes.last().copied().unwrap_or(0);
        Ok(end)
    }

    /// Pushes `chunk` through the first `count` stages; the output of the last of them goes to `out`, or nowhere.
    fn run(&mut self, chunk: &[u8], count: usize, mut out: Option<&mut Vec<u8>>) -> Result<()> {
        let [input, output] = &mut self.scratch;
        for (index, stage) in self.stages[..count].iter_mut().enumerate() {
            let source: &[u8] = if index == 0 { chunk } else { input };
            if source.is_empty() {
                break;
            }
            output.clear();
            let sink = match &mut out {
                Some(out) if index + 1 == count => &mut **out,
                _ => &mut *output,
            };
            let before = sink.len();
            stage.view.push(source, sink)?;
            stage.written += (sink.len() - before) as u64;
            std::mem::swap(input, output);
        }
        Ok(())
    }

    /// Ends the stages `from..to`, in order; the output of the last of them goes to `out`, or nowhere.
    fn end(&mut self, from: usize, to: usize, mut out: Option<&mut Vec<u8>>) -> Result<()> {
        let mut carried = Vec::new();
        for (index, stage) in self.stages[from..to].iter_mut().enumerate() {
            let mut own = Vec::new();
            let sink = match &mut out {
                Some(out) if from + index + 1 == to => &mut **out,
                _ => &mut own,
            };
            let before = sink.len();
            if !carried.is_empty() {
                stage.view.push(&carried, sink)?;
            }
            stage.code = Some(stage.view.finish(sink)?);
            stage.written += (sink.len() - before) as u64;
            carried = own;
        }
        Ok(())
    }

    /// Ends the last satisfied stage and all behind it, if there is one.
    fn cut_where_satisfied(&mut self, out: &mut Vec<u8>) -> Result<()> {
        if let Some(at) = self.stages.iter().rposition(|stage| stage.view.satisfied()) {
            self.end(at, self.stages.len(), Some(out))?;
            let blocks = self.stages[at].written.div_ceil(PIPE_BLOCK).max(1);
            self.cut = Some(Cut { at, budget: blocks * PIPE_BLOCK });
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn projector(text: &str) -> Projector {
        Projector::new(&Pipeline::parse(text).unwrap(), &ViewEnv::default()).unwrap()
    }

    #[test]
    fn a_satisfied_head_ends_the_views_behind_it_at_once() {
        let mut projector = projector("head -3 | tail -1");
        let mut out = Vec::new();
        projector.push(b"a\nb\nc", &mut out).unwrap();
        assert!(!projector.satisfied() && out.is_empty());
        projector.push(b"\n", &mut out).unwrap();
        assert!(projector.satisfied() && projector.settled());
        assert_eq!(out, b"c\n");
        projector.push(b"d\ne", &mut out).unwrap();
        let end = projector.finish(&mut out).unwrap();
        assert_eq!(out, b"c\n");
        assert_eq!((end.exit_code, end.input_lines, end.input_bytes), (0, 5, 9));
    }

    #[test]
    fn a_later_head_cuts_the_earlier_views_off() {
        let mut projector = projector("head -n -1 | head -2");
        let mut out = Vec::new();
        projector.push(b"a\nb\nc\nd\n", &mut out).unwrap();
        assert!(projector.satisfied());
        assert_eq!(out, b"a\nb\n");
        let end = projector.finish(&mut out).unwrap();
        assert_eq!((out.as_slice(), end.exit_code), (&b"a\nb\n"[..], 0));
    }

    #[test]
    fn views_that_need_no_input() {
        for (text, want) in [
            ("head -0v", &b"==> standard input <==\n"[..]),
            ("tail -v -n 0", b""),
            ("head -0 | tail -v -n 3", b"==> standard input <==\n"),
            ("tail -3 | tail -n 0", b""),
        ] {
            let mut pushed = projector(text);
            let mut out = Vec::new();
            assert!(pushed.satisfied(), "{text}");
            pushed.push(b"a\n", &mut out).unwrap();
            pushed.finish(&mut out).unwrap();
            assert_eq!(out, want, "{text}");
            out.clear();
            projector(text).finish(&mut out).unwrap();
            assert_eq!(out, want, "{text}");
        }
    }

    #[test]
    fn empty_chunks_and_no_input() {
        let mut projector = projector("tail -2");
        let mut out = Vec::new();
        projector.push(b"", &mut out).unwrap();
        let end = projector.finish(&mut out).unwrap();
        assert_eq!((out.len(), end.input_lines, end.input_bytes), (0, 0, 0));
    }
}
