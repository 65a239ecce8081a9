//! What is fuzzed: each body takes arbitrary bytes and panics if a promise is broken. `fuzz/` runs them under
//! libFuzzer, `tests/fuzz_bodies.rs` over seeded random bytes.

use sluice_core::find::{FindOptions, find};
use sluice_core::lines::{self, Selection};
use sluice_core::matcher::{Locale, Matcher, MatcherOptions, Syntax};
use sluice_core::pipeline::{Pipeline, Projector};
use sluice_core::search::{GrepOptions, PatternOptions, grep_contents};
use sluice_core::truncate::{StreamCount, count_utf8};
use sluice_core::view::ViewEnv;
use sluice_core::{CancelToken, Error};

/// A name, and what runs under it.
pub type Body = (&'static str, fn(&[u8]));
/// All bodies.
pub const BODIES: [Body; 6] = [
    ("view_text", view_text),
    ("patterns", patterns),
    ("views", views),
    ("truncation", truncation),
    ("globs", globs),
    ("line_index", line_index),
];

/// Cuts `data` at the first 0xFF, which no UTF-8 text has.
fn halves(data: &[u8]) -> (&[u8], &[u8]) {
    let at = data.iter().position(|&byte| byte == 0xff).unwrap_or(data.len());
    (&data[..at], data.get(at + 1..).unwrap_or(&[]))
}

/// The output and exit code of a pipeline over chunks of `step` bytes; `None` if only the real tool knows.
fn project(pipeline: &Pipeline, input: &[u8], step: usize) -> Option<(Vec<u8>, i32)> {
    let mut projector = Projector::new(pipeline, &ViewEnv::default()).ok()?;
    let mut out = Vec::new();
    for chunk in input.chunks(step.max(1)) {
        projector.push(chunk, &mut out).ok()?;
        let mut preview = Vec::new();
        projector.preview(&mut preview);
    }
    let end = projector.finish(&mut out).ok()?;
    Some((out, end.exit_code))
}

/// Any text is a pipeline or is refused; a pipeline's output does not depend on the chunks.
pub fn view_text(data: &[u8]) {
    let (text, input) = halves(data);
    match Pipeline::parse(&String::from_utf8_lossy(text)) {
        Ok(pipeline) => {
            let whole = project(&pipeline, input, input.len());
            let cut = project(&pipeline, input, 3);
            if let (Some(whole), Some(cut)) = (whole, cut) {
                assert_eq!(whole, cut, "{:?}", String::from_utf8_lossy(text));
            }
        }
        Err(Error::UnsupportedView { .. } | Error::InvalidPattern(_) | Error::InvalidArgument(_)) => {}
        Err(error) => panic!("{error}"),
    }
}

/// Any bytes are a pattern or are refused; the lines found in a buffer are those that match one by one.
pub fn patterns(data: &[u8]) {
    let Some((&flags, rest)) = data.split_first() else { return };
    let (pattern, haystack) = halves(rest);
    let syntax = [Syntax::Basic, Syntax::Extended, Syntax::Fixed, Syntax::Rust, Syntax::RustFixed]
        [usize::from(flags) % 5];
    let options = MatcherOptions {
        syntax,
        ignore_case: flags & 0x20 != 0,
        word: flags & 0x40 != 0,
        line: flags & 0x80 != 0,
        locale: if flags & 0x10 == 0 { Locale::Utf8 } else { Locale::C },
        ..MatcherOptions::default()
    };
    let patterns: Vec<Vec<u8>> = pattern.split(|&byte| byte == b'\n').map(<[u8]>::to_vec).collect();
    let Ok(matcher) = Matcher::new(&patterns, &options) else { return };
    if matcher.requires_valid_utf8() && std::str::from_utf8(haystack).is_err() {
        return;
    }
    let mut wanted = Vec::new();
    let mut start = 0;
    while start < haystack.len() {
        let end =
            haystack[start..].iter().position(|&byte| byte == b'\n').map_or(haystack.len(), |n| start + n);
        let line = &haystack[start..end];
        let found = matcher.find_at(line, 0).unwrap();
        if let Some(found) = &found {
            assert!(found.start <= found.end && found.end <= line.len());
        }
        if matcher.is_match(line).unwrap() {
            wanted.push(start..end);
        }
        start = end + 1;
    }
    let mut forwards = Vec::new();
    let mut at = 0;
    while let Some(line) = matcher.next_line(haystack, at).unwrap() {
        at = line.end + 1;
        forwards.push(line);
        if at > haystack.len() {
            break;
        }
    }
    assert_eq!(forwards, wanted, "{options:?} {:?}", String::from_utf8_lossy(pattern));
    let mut backwards = Vec::new();
    let mut end = haystack.len();
    while let Some(line) = matcher.prev_line(haystack, end).unwrap() {
        end = line.start;
        backwards.push(line);
    }
    backwards.reverse();
    assert_eq!(backwards, wanted, "backwards {options:?} {:?}", String::from_utf8_lossy(pattern));
}

/// `head` and `tail` over any chunks are what a naive twin gives.
pub fn views(data: &[u8]) {
    let [which, count, step, input @ ..] = data else { return };
    let n = usize::from(*count % 12);
    let lines: Vec<&[u8]> = input.split_inclusive(|&byte| byte == b'\n').collect();
    let (text, wanted): (String, Vec<u8>) = match which % 10 {
        0 => (format!("head -n {n}"), lines[..n.min(lines.len())].concat()),
        1 => (format!("head -n -{n}"), lines[..lines.len().saturating_sub(n)].concat()),
        2 => (format!("tail -n {n}"), lines[lines.len().saturating_sub(n)..].concat()),
        3 => (format!("tail -n +{n}"), lines[n.saturating_sub(1).min(lines.len())..].concat()),
        4 => (format!("head -c {n}"), input[..n.min(input.len())].to_vec()),
        5 => (format!("head -c -{n}"), input[..input.len().saturating_sub(n)].to_vec()),
        6 => (format!("tail -c {n}"), input[input.len().saturating_sub(n)..].to_vec()),
        7 => (format!("tail -c +{n}"), input[n.saturating_sub(1).min(input.len())..].to_vec()),
        // A NUL byte makes grep count otherwise; the views' own tests ask the real tool.
        8 if input.contains(&0) => return,
        8 => {
            let count = lines.iter().filter(|line| line.contains(&b'a')).count();
            ("grep -c a".to_owned(), format!("{count}\n").into_bytes())
        }
        _ => {
            let first = &lines[..lines.len().min(n + 3)];
            (format!("head -n {} | tail -n {n}", n + 3), first[first.len().saturating_sub(n)..].concat())
        }
    };
    let Ok(pipeline) = Pipeline::parse(&text) else { panic!("{text} is refused") };
    if let Some((out, _)) = project(&pipeline, input, usize::from(*step)) {
        assert_eq!(out, wanted, "{text}");
    }
}

/// Counts of a text are those of its decoded form, whole or in chunks.
pub fn truncation(data: &[u8]) {
    let text = String::from_utf8_lossy(data);
    let newlines = data.iter().filter(|&&byte| byte == b'\n').count() as u64;
    let whole = count_utf8(data);
    assert_eq!((whole.newlines, whole.utf8_bytes), (newlines, text.len() as u64));
    let step = 1 + usize::from(data.first().copied().unwrap_or(0) % 7);
    let mut stream = StreamCount::default();
    data.chunks(step).for_each(|chunk| stream.push(chunk));
    stream.finish();
    assert_eq!((stream.count().newlines, stream.count().utf8_bytes), (newlines, text.len() as u64));
}

/// Any text is a glob, and a line of an ignore file, or is refused.
pub fn globs(data: &[u8]) {
    let (glob, ignore) = halves(data);
    let glob = String::from_utf8_lossy(glob).into_owned();
    let Ok(folder) = tempfile::tempdir() else { return };
    let write = |name: &str, bytes: &[u8]| std::fs::write(folder.path().join(name), bytes).is_ok();
    assert!(write("a.txt", b"a\n") && write("B", b"b\n") && write(".gitignore", ignore));
    let cancel = CancelToken::default();
    let find_options = |pattern: &str| FindOptions {
        pattern: pattern.to_owned(),
        root: folder.path().to_owned(),
        limit: 10,
        hidden: true,
        ignore_files: true,
    };
    assert!(find(&find_options("*"), &cancel).is_ok());
    assert!(matches!(find(&find_options(&glob), &cancel), Ok(_) | Err(Error::InvalidPattern(_))));
    let options = GrepOptions {
        pattern: PatternOptions { pattern: glob.clone(), ignore_case: false, literal: false },
        path: folder.path().to_owned(),
        glob: Some(glob),
        context: 1,
        limit: 10,
        max_line_length: 10,
        hidden: true,
        ignore_files: false,
    };
    let files = [("a.txt".to_owned(), ignore.to_vec())];
    assert!(matches!(grep_contents(&options, &files, &cancel), Ok(_) | Err(Error::InvalidPattern(_))));
}

/// A window of a file is what splitting the whole at newlines gives.
pub fn line_index(data: &[u8]) {
    let [start, limit, content @ ..] = data else { return };
    let (start, limit) = (usize::from(*start % 16), usize::from(*limit % 16));
    let Ok(folder) = tempfile::tempdir() else { return };
    let path = folder.path().join("file");
    assert!(std::fs::write(&path, content).is_ok());
    let selection =
        Selection { start: start as u64, limit: Some(limit as u64), max_lines: 1 << 20, max_bytes: 1 << 20 };
    let Ok(window) = lines::read_window(&path, &selection, &CancelToken::default()) else {
        panic!("the file is there")
    };
    let all: Vec<&[u8]> = content.split(|&byte| byte == b'\n').collect();
    let chosen: Vec<&[u8]> = all.iter().skip(start).take(limit).copied().collect();
    assert!(window.complete);
    assert_eq!(window.total_lines, all.len() as u64);
    assert_eq!(window.bytes, chosen.join(&b'\n'));
    assert_eq!(window.selected_lines, chosen.len() as u64);
}
