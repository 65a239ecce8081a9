//! Walking a directory tree in parallel, with the results in path order.
//!
//! Ignore rules are those of ripgrep and fd (the `ignore` crate's matchers do the matching), but the tree is
//! read here: a directory is opened relative to its parent, its ignore files are known from its own listing
//! instead of being probed for, and the workers always take the smallest pending path. So the first results
//! in path order are complete early, and [`walk`] can stop as soon as enough of them are certain.
//!
//! Paths are relative to the root, as bytes, separated by `/`, in byte order; a directory's path ends with
//! `/`, so that it comes right before what it contains.

mod cache;
mod directory;
mod options;
mod queue;
mod rules;
mod visitor;
mod walker;
mod watched;

pub use directory::{Directory, Entry, EntryKind, Listing};
pub use options::WalkOptions;
pub use visitor::{Report, Run, Visitor};
pub use walker::{Walked, walk};
