//! Searching files for a pattern, as `rg --json` does, with results in path order and an exact limit.

mod collect;
mod file;
mod pattern;
mod text;

use std::path::PathBuf;

use bstr::ByteSlice;
use grep_regex::RegexMatcher;
use ignore::overrides::OverrideBuilder;

use crate::walk::{Report, Run, Visitor, WalkOptions, walk};
use crate::{CancelToken, Error, Result};
use collect::{FileMatches, Wanted};
use file::FileSearcher;

pub use pattern::PatternOptions;
pub use text::GrepText;

/// What to search for, and where.
#[derive(Clone, Debug)]
pub struct GrepOptions {
    /// The pattern and how it is read.
    pub pattern: PatternOptions,
    /// The file or directory to search, absolute.
    pub path: PathBuf,
    /// A glob that files must match, relative to `path`; `!` excludes.
    pub glob: Option<String>,
    /// Lines of context before and after each match.
    pub context: u64,
    /// Matches to return at most, at least 1.
    pub limit: u64,
    /// UTF-16 code units after which a line is cut.
    pub max_line_length: u64,
    /// Whether names that begin with a dot are searched.
    pub hidden: bool,
    /// Whether ignore files are obeyed.
    pub ignore_files: bool,
}

/// Searches a file or a tree.
///
/// # Errors
///
/// [`Error::InvalidPattern`] for the pattern or the glob, [`Error::Io`] if `path` cannot be read,
/// [`Error::Aborted`].
pub fn grep(options: &GrepOptions, cancel: &CancelToken) -> Result<GrepText> {
    let matcher = pattern::compile(&options.pattern)?;
    let wanted = Wanted::of(options);
    let io_error = |source| Error::io(options.path.display().to_string(), source);
    if !options.path.metadata().map_err(io_error)?.is_dir() {
        return grep_file(options, matcher, wanted, cancel);
    }
    let walk_options = WalkOptions {
        hidden: options.hidden,
        ignore_files: options.ignore_files,
        globs: options.glob.iter().map(|glob| without_dot_slash(glob)).collect(),
        ..WalkOptions::new(options.path.clone(), ".rgignore")
    };
    let visitor = TreeSearch { matcher, wanted, cancel };
    let walked = walk(&walk_options, &visitor, options.limit.saturating_add(1), cancel)?;
    let mut binary = 0;
    let mut files = Vec::new();
    for found in walked.found {
        binary += found.binary;
        files.extend(found.files);
    }
    let mut text = text::assemble(&files, options.limit, options.context);
    text.binary = binary;
    text.unreadable = walked.unreadable;
    text.messages = walked.messages;
    Ok(text)
}

/// A file that was named is searched whatever it is, as ripgrep does: no globs, no ignore rules, and NUL bytes
/// are ordinary bytes.
fn grep_file(
    options: &GrepOptions,
    matcher: RegexMatcher,
    wanted: Wanted,
    cancel: &CancelToken,
) -> Result<GrepText> {
    let searcher = FileSearcher::new(matcher, wanted, cancel);
    let found = searcher.search_named(&options.path)?;
    let name = options.path.file_name().map_or(&[][..], |name| name.as_encoded_bytes());
    let files: Vec<FileMatches> =
        found.into_iter().map(|lines| FileMatches::new(name.to_vec(), lines)).collect();
    Ok(text::assemble(&files, options.limit, options.context))
}

/// Searches contents in memory, as if they were the files of a tree with these paths, in the order given.
/// `glob` selects files by path; `path`, `hidden` and `ignore_files` are not used.
///
/// # Errors
///
/// [`Error::InvalidPattern`] for the pattern or the glob, [`Error::Aborted`].
pub fn grep_contents(
    options: &GrepOptions,
    contents: &[(String, Vec<u8>)],
    cancel: &CancelToken,
) -> Result<GrepText> {
    let mut globs = OverrideBuilder::new("");
    if let Some(glob) = &options.glob {
        globs.add(&without_dot_slash(glob)).map_err(|error| Error::InvalidPattern(error.to_string()))?;
    }
    let globs = globs.build().map_err(|error| Error::InvalidPattern(error.to_string()))?;
    let mut searcher = FileSearcher::new(pattern::compile(&options.pattern)?, Wanted::of(options), cancel);
    let mut files = Vec::new();
    let mut binary = 0;
    for (path, bytes) in contents {
        cancel.check()?;
        if globs.matched(path, false).is_ignore() {
            continue;
        }
        let searched = searcher.search_bytes(bytes).map_err(|source| Error::io(path, source))?;
        binary += u64::from(searched.binary);
        files.extend(searched.lines.map(|lines| FileMatches::new(path.clone().into_bytes(), lines)));
    }
    let mut text = text::assemble(&files, options.limit, options.context);
    text.binary = binary;
    Ok(text)
}

/// `rg` never matches a leading `./`.
fn without_dot_slash(glob: &str) -> String {
    let (not, rest) = glob.strip_prefix('!').map_or(("", glob), |rest| ("!", rest));
    format!("{not}{}", rest.trim_start_matches("./"))
}

struct TreeSearch<'a> {
    matcher: RegexMatcher,
    wanted: Wanted,
    cancel: &'a CancelToken,
}

struct RunMatches {
    files: Vec<FileMatches>,
    binary: u64,
}

impl<'a> Visitor for TreeSearch<'a> {
    type Scratch = FileSearcher<'a>;
    type Found = RunMatches;
    const READS_FILES: bool = true;

    fn scratch(&self) -> FileSearcher<'a> {
        FileSearcher::new(self.matcher.clone(), self.wanted, self.cancel)
    }

    fn visit(
        &self,
        searcher: &mut FileSearcher<'a>,
        run: &Run<'_>,
        report: &Report,
    ) -> Result<Option<(u64, RunMatches)>> {
        let mut found = RunMatches { files: Vec::new(), binary: 0 };
        let mut weight = 0;
        for entry in run.entries {
            self.cancel.check()?;
            let name = run.name(entry);
            let path = || [run.path, name].concat();
            let outcome = run.open(entry).and_then(|file| searcher.search(file));
            match outcome {
                Ok(searched) => {
                    found.binary += u64::from(searched.binary);
                    if let Some(lines) = searched.lines {
                        weight += lines.matches;
                        found.files.push(FileMatches::new(path(), lines));
                    }
                }
                Err(error) => {
                    self.cancel.check()?;
                    report.unreadable(&path(), &error);
                }
            }
        }
        Ok((weight > 0 || found.binary > 0).then_some((weight, found)))
    }

    fn join(found: &mut RunMatches, next: RunMatches) {
        found.files.extend(next.files);
        found.binary += next.binary;
    }
}

/// A path as it is printed: text, with `/` between names.
fn printed_path(path: &[u8]) -> String {
    path.to_str_lossy().replace('\\', "/")
}
