//! The result as one text.

use super::collect::FileMatches;
use super::printed_path;

/// Matching lines as `path:line: text` and context lines as `path-line- text`, in path order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrepText {
    /// The lines, each with a final newline.
    pub text: String,
    /// For each line, where it begins in `text` and how long its path is, in bytes.
    pub lines: Vec<(usize, usize)>,
    /// Matches, at most the limit.
    pub match_count: u64,
    /// Whether there are more matches than the limit.
    pub limit_reached: bool,
    /// Whether a line was cut.
    pub lines_cut: bool,
    /// Files whose search ended at a NUL byte.
    pub binary: u64,
    /// Directories and files that could not be read.
    pub unreadable: u64,
    /// Paths and messages of the first of them.
    pub messages: Vec<(Vec<u8>, String)>,
}

/// Takes lines up to the limit. The last match keeps its trailing context, where further matches show as
/// context.
pub(super) fn assemble(files: &[FileMatches], limit: u64, context: u64) -> GrepText {
    let mut result = GrepText::default();
    // Once the limit is reached: the last line of the last match's context.
    let mut window_end = None;
    for file in files {
        let path = printed_path(&file.path);
        let mut start = 0;
        for line in &file.lines.lines {
            let text = &file.lines.text[start..line.end];
            start = line.end;
            let mut is_match = line.is_match;
            if let Some(end) = window_end {
                result.limit_reached |= is_match;
                if line.number > end {
                    continue;
                }
                is_match = false;
            }
            push(&mut result, &path, line.number, text, is_match);
            result.lines_cut |= line.is_cut;
            if is_match {
                result.match_count += 1;
                if result.match_count >= limit {
                    window_end = Some(line.number.saturating_add(context));
                }
            }
        }
        if let Some(end) = &mut window_end {
            // The window is in this file only; line numbers begin at 1.
            *end = 0;
        }
    }
    result
}

fn push(result: &mut GrepText, path: &str, number: u64, text: &str, is_match: bool) {
    let mark = if is_match { ':' } else { '-' };
    result.lines.push((result.text.len(), path.len()));
    result.text.push_str(path);
    result.text.push(mark);
    result.text.push_str(&number.to_string());
    result.text.push(mark);
    result.text.push(' ');
    result.text.push_str(text);
    result.text.push('\n');
}
