//! grep, find and ls over the file system.

use std::path::PathBuf;

use napi::bindgen_prelude::{AsyncTask, Buffer, Uint32Array};
use napi_derive::napi;
use sluice_core::find::{self, FindOptions};
use sluice_core::list;
use sluice_core::search::{self, PatternOptions};

use crate::cancel::Cancellation;
use crate::number::{to_count, to_js_count};
use crate::task::{self, Job};

/// What to search for. Every field is decided by the caller.
#[napi(object, object_to_js = false)]
pub struct GrepRequest {
    /// A regular expression, or text if `literal`.
    pub pattern: String,
    /// An absolute path.
    pub path: String,
    /// A glob relative to the path.
    pub glob: Option<String>,
    /// Whether letters match in either case.
    pub ignore_case: bool,
    /// Whether the pattern is text.
    pub literal: bool,
    /// Lines of context on either side.
    pub context: f64,
    /// Matches at most.
    pub limit: f64,
    /// Code units of a line at most.
    pub max_line_length: f64,
    /// Whether names with a leading dot are searched.
    pub hidden: bool,
    /// Whether ignore files are obeyed.
    pub ignore_files: bool,
}

/// What could not be read.
#[napi(object, object_from_js = false)]
pub struct Unreadable {
    /// The path relative to the root.
    pub path: String,
    /// The system's message.
    pub message: String,
}

/// Lines found, as one text.
#[napi(object, object_from_js = false)]
pub struct GrepReply {
    /// `path:line: text` or `path-line- text`, each with a final newline; UTF-8.
    pub text: Buffer,
    /// For each line, where it begins in `text` and the length of its path, in bytes.
    pub lines: Uint32Array,
    /// Matches.
    pub match_count: f64,
    /// Whether there are more.
    pub limit_reached: bool,
    /// Whether a line was cut.
    pub lines_cut: bool,
    /// Binary files.
    pub binary: f64,
    /// Number of files and directories that could not be read.
    pub unreadable: f64,
    /// The first of them.
    pub messages: Vec<Unreadable>,
}

fn unreadable(messages: Vec<(Vec<u8>, String)>) -> Vec<Unreadable> {
    messages
        .into_iter()
        .map(|(path, message)| Unreadable { path: find::display_path(&path), message })
        .collect()
}

impl From<GrepRequest> for search::GrepOptions {
    fn from(request: GrepRequest) -> Self {
        search::GrepOptions {
            pattern: PatternOptions {
                pattern: request.pattern,
                ignore_case: request.ignore_case,
                literal: request.literal,
            },
            path: PathBuf::from(request.path),
            glob: request.glob,
            context: to_count(request.context),
            limit: to_count(request.limit),
            max_line_length: to_count(request.max_line_length),
            hidden: request.hidden,
            ignore_files: request.ignore_files,
        }
    }
}

fn reply(found: search::GrepText) -> GrepReply {
    let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    let lines: Vec<u32> = found.lines.iter().flat_map(|&(at, path)| [number(at), number(path)]).collect();
    GrepReply {
        text: found.text.into_bytes().into(),
        lines: lines.into(),
        match_count: to_js_count(found.match_count),
        limit_reached: found.limit_reached,
        lines_cut: found.lines_cut,
        binary: to_js_count(found.binary),
        unreadable: to_js_count(found.unreadable),
        messages: unreadable(found.messages),
    }
}

/// Searches a file or a tree, in path order.
#[napi(ts_return_type = "Promise<GrepReply>")]
pub fn grep(
    request: GrepRequest,
    cancellation: &Cancellation,
) -> AsyncTask<Job<search::GrepText, GrepReply>> {
    let token = cancellation.0.clone();
    let options = request.into();
    task::spawn(move || search::grep(&options, &token), reply)
}

/// Searches contents in memory, as files of a tree with these paths. The contents are copied.
#[napi(ts_return_type = "Promise<GrepReply>")]
pub fn grep_contents(
    request: GrepRequest,
    paths: Vec<String>,
    contents: Vec<Buffer>,
    cancellation: &Cancellation,
) -> AsyncTask<Job<search::GrepText, GrepReply>> {
    let token = cancellation.0.clone();
    let options = request.into();
    let files: Vec<(String, Vec<u8>)> =
        paths.into_iter().zip(contents.iter().map(|content| content.to_vec())).collect();
    task::spawn(move || search::grep_contents(&options, &files, &token), reply)
}

/// What to find.
#[napi(object, object_to_js = false)]
pub struct FindRequest {
    /// A glob.
    pub pattern: String,
    /// An absolute path.
    pub path: String,
    /// Paths at most.
    pub limit: f64,
    /// Whether names with a leading dot are found.
    pub hidden: bool,
    /// Whether ignore files are obeyed.
    pub ignore_files: bool,
}

/// Paths found.
#[napi(object, object_from_js = false)]
pub struct FindReply {
    /// The paths in byte order, each followed by a NUL.
    pub paths: Buffer,
    /// Whether there are more.
    pub limit_reached: bool,
    /// Number of directories that could not be read.
    pub unreadable: f64,
    /// The first of them.
    pub messages: Vec<Unreadable>,
}

/// Finds paths by a glob.
#[napi(ts_return_type = "Promise<FindReply>")]
pub fn find_paths(
    request: FindRequest,
    cancellation: &Cancellation,
) -> AsyncTask<Job<find::Found, FindReply>> {
    let token = cancellation.0.clone();
    let options = FindOptions {
        pattern: request.pattern,
        root: PathBuf::from(request.path),
        limit: to_count(request.limit),
        hidden: request.hidden,
        ignore_files: request.ignore_files,
    };
    task::spawn(
        move || find::find(&options, &token),
        |found| FindReply {
            paths: found.paths.into(),
            limit_reached: found.limit_reached,
            unreadable: to_js_count(found.unreadable),
            messages: unreadable(found.messages),
        },
    )
}

/// The entries of a directory, in byte order.
#[napi(object, object_from_js = false)]
pub struct Listing {
    /// The names, each followed by a NUL.
    pub names: Buffer,
    /// For each name: 0 no directory, 1 a directory, 2 unknown.
    pub targets: Buffer,
}

/// Lists a directory.
#[napi(ts_return_type = "Promise<Listing>")]
pub fn list_directory(path: String, cancellation: &Cancellation) -> AsyncTask<Job<list::Listing, Listing>> {
    let token = cancellation.0.clone();
    task::spawn(
        move || list::list(&PathBuf::from(path), &token),
        |listing| Listing { names: listing.names.into(), targets: listing.targets.into() },
    )
}
