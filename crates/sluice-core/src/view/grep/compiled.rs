//! Keeps the compiled patterns of a command line that is built more than once.

use std::sync::{Arc, Mutex, PoisonError};

use crate::Result;
use crate::matcher::{Matcher, MatcherOptions};

/// The last matcher that was compiled, and what from. Clones share it; it never makes two specs differ.
#[derive(Clone, Debug, Default)]
pub(in crate::view) struct Compiled(Arc<Mutex<Option<Entry>>>);

#[derive(Debug)]
struct Entry {
    patterns: Vec<Vec<u8>>,
    options: MatcherOptions,
    matcher: Matcher,
}

impl Compiled {
    /// The matcher for these patterns, compiled now or before.
    ///
    /// # Errors
    ///
    /// As [`Matcher::new`].
    pub(super) fn matcher(&self, patterns: &[Vec<u8>], options: &MatcherOptions) -> Result<Matcher> {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(entry) = &*last
            && entry.patterns == patterns
            && entry.options == *options
        {
            return Ok(entry.matcher.clone());
        }
        let matcher = Matcher::new(patterns, options)?;
        *last =
            Some(Entry { patterns: patterns.to_vec(), options: options.clone(), matcher: matcher.clone() });
        Ok(matcher)
    }
}

impl PartialEq for Compiled {
    fn eq(&self, _other: &Self) -> bool {
        true
    }
}

impl Eq for Compiled {}

#[cfg(test)]
mod tests {
    use crate::view::{ViewEnv, ViewSpec};

    #[test]
    fn a_changed_spec_is_compiled_anew() {
        let Ok(ViewSpec::Grep(spec)) = ViewSpec::parse(&["grep", "a"]) else { panic!("not grep") };
        let env = ViewEnv::default();
        assert!(spec.matcher(&env).unwrap().is_match(b"a").unwrap());
        let mut other = spec.clone();
        other.patterns = vec![b"b".to_vec()];
        assert!(!other.matcher(&env).unwrap().is_match(b"a").unwrap());
        assert!(other.matcher(&env).unwrap().is_match(b"b").unwrap());
        assert!(spec.matcher(&env).unwrap().is_match(b"a").unwrap());
    }
}
