//! A chain of views: parsing its text, and driving bytes through it.

mod ansi_c;
mod file;
mod projector;
mod words;

pub use file::{FileProjection, Sink, Watch, project_file};
pub use projector::{ProjectionEnd, Projector};

use crate::view::ViewSpec;
use crate::{Error, Result};

/// One or more views, in order: `grep FAIL | tail -5`.
#[derive(Clone, Debug, PartialEq)]
pub struct Pipeline {
    /// The views, first to last; never empty.
    pub views: Vec<ViewSpec>,
}

impl Pipeline {
    /// Parses text: literal words (quotes, `$'…'` and backslashes are fine) and `|`, nothing else of the shell.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] with the word that was not understood.
    pub fn parse(text: &str) -> Result<Self> {
        Self::from_words(&words::split(text)?)
    }

    /// Builds a pipeline from words that the shell has already expanded, one list per view.
    ///
    /// # Errors
    ///
    /// [`Error::UnsupportedView`] with the word that was not understood.
    pub fn from_words(stages: &[Vec<Vec<u8>>]) -> Result<Self> {
        if stages.is_empty() {
            return Err(Error::unsupported("", "no view"));
        }
        let views = stages.iter().map(|words| ViewSpec::parse(words)).collect::<Result<Vec<_>>>()?;
        Ok(Pipeline { views })
    }

    /// Whether a view of the chain may exit before its input ends.
    #[must_use]
    pub fn may_end_early(&self) -> bool {
        self.views.iter().any(ViewSpec::may_end_early)
    }

    /// Whether some input can make the projection end with [`Error::NeedsRealTool`].
    #[must_use]
    pub fn may_need_real_tool(&self) -> bool {
        self.views.iter().any(ViewSpec::may_need_real_tool)
    }
}
