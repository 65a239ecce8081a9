//! Searching one file.

use std::fs::File;
use std::io::{self, Read, Seek};
use std::path::Path;

use grep_matcher::Matcher;
use grep_regex::RegexMatcher;
use grep_searcher::{BinaryDetection, Searcher, SearcherBuilder};

use super::collect::{Collector, FileLines, Wanted};
use crate::lines::Source;
use crate::{CancelToken, Error, Result};

/// Files up to this size are read whole; larger ones are searched in a rolling buffer.
const WHOLE: usize = 1024 * 1024;

/// The longest line that is searched. A file with a longer one counts as unreadable.
const MAX_LINE: usize = 256 * 1024 * 1024;

/// What a file of a tree yielded.
#[derive(Debug)]
pub(super) struct Searched {
    /// The lines, if any matched.
    pub(super) lines: Option<FileLines>,
    /// Whether the file has a NUL byte, so that its search ended there.
    pub(super) binary: bool,
}

/// Searches files one after the other; holds the buffers.
pub(super) struct FileSearcher<'a> {
    matcher: RegexMatcher,
    searcher: Searcher,
    wanted: Wanted,
    cancel: &'a CancelToken,
    buffer: Vec<u8>,
}

impl<'a> FileSearcher<'a> {
    pub(super) fn new(matcher: RegexMatcher, wanted: Wanted, cancel: &'a CancelToken) -> Self {
        let searcher = searcher(wanted, BinaryDetection::none());
        FileSearcher { matcher, searcher, wanted, cancel, buffer: Vec::new() }
    }

    /// Searches a stream. The searcher is a new one: where a NUL byte ends the search depends on the size of
    /// the rolling buffer, which grows with the lines of earlier files.
    fn stream(
        &self,
        reader: impl Read,
        binary: BinaryDetection,
        collector: &mut Collector,
    ) -> io::Result<()> {
        let reader = Cancellable { reader, cancel: self.cancel };
        searcher(self.wanted, binary).search_reader(&self.matcher, reader, collector)
    }

    /// Searches a file of a tree, which is binary if it has a NUL byte: ripgrep then ends the search at the
    /// buffer with that byte, and keeps the matches of earlier buffers.
    pub(super) fn search(&mut self, mut file: File) -> io::Result<Searched> {
        if self.buffer.is_empty() {
            self.buffer = vec![0; WHOLE];
        }
        let mut len = 0;
        while len < WHOLE {
            match file.read(&mut self.buffer[len..]) {
                Ok(0) => break,
                Ok(n) => len += n,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        if len == WHOLE {
            let mut collector = Collector::new(self.wanted);
            file.rewind()?;
            self.stream(file, BinaryDetection::quit(b'\0'), &mut collector)?;
            return Ok(Searched { lines: lines_of(collector.found), binary: collector.binary });
        }
        let buffer = std::mem::take(&mut self.buffer);
        let searched = self.search_bytes(&buffer[..len]);
        self.buffer = buffer;
        searched
    }

    /// Searches the content of a file of a tree.
    pub(super) fn search_bytes(&mut self, bytes: &[u8]) -> io::Result<Searched> {
        let mut collector = Collector::new(self.wanted);
        if starts_with_mark(bytes) || memchr::memchr(b'\0', bytes).is_some() {
            self.stream(bytes, BinaryDetection::quit(b'\0'), &mut collector)?;
        } else if self.may_match(bytes) {
            self.searcher.search_slice(&self.matcher, bytes, &mut collector)?;
        }
        Ok(Searched { lines: lines_of(collector.found), binary: collector.binary })
    }

    fn may_match(&self, bytes: &[u8]) -> bool {
        // A candidate may be wrong, but what has none has no match: unless `\A` and `\z` are the ends of lines.
        self.matcher.line_terminator().is_none()
            || (!bytes.is_empty() && !matches!(self.matcher.find_candidate_line(bytes), Ok(None)))
    }

    /// Searches a file that was named. NUL bytes are ordinary, as in ripgrep's search of a mapped file; only
    /// after a byte order mark, where ripgrep decodes, they end lines.
    pub(super) fn search_named(&self, path: &Path) -> Result<Option<FileLines>> {
        let name = path.display().to_string();
        let io_error = |source| Error::io(name.clone(), source);
        let source = Source::open(path, self.cancel)?;
        let mut start = [0; 3];
        let len = usize::try_from(source.len().min(3)).unwrap_or(3);
        source.read_exact_at(&mut start[..len], 0)?;
        let binary = if starts_with_mark(&start[..len]) {
            BinaryDetection::convert(b'\0')
        } else {
            BinaryDetection::none()
        };
        let mut collector = Collector::new(self.wanted);
        let outcome = self.stream(SourceReader { source: &source, at: 0 }, binary, &mut collector);
        self.cancel.check()?;
        outcome.map_err(io_error)?;
        Ok(lines_of(collector.found))
    }
}

fn searcher(wanted: Wanted, binary: BinaryDetection) -> Searcher {
    let context = usize::try_from(wanted.context).unwrap_or(usize::MAX);
    SearcherBuilder::new()
        .line_number(true)
        .before_context(context)
        .after_context(context)
        .binary_detection(binary)
        .heap_limit(Some(MAX_LINE))
        .build()
}

fn lines_of(found: FileLines) -> Option<FileLines> {
    (found.matches > 0).then_some(found)
}

/// Whether a text begins with a byte order mark, so that it is decoded.
fn starts_with_mark(bytes: &[u8]) -> bool {
    bytes.starts_with(b"\xEF\xBB\xBF") || bytes.starts_with(b"\xFE\xFF") || bytes.starts_with(b"\xFF\xFE")
}

/// Fails once the job was cancelled.
struct Cancellable<'a, R> {
    reader: R,
    cancel: &'a CancelToken,
}

impl<R: Read> Read for Cancellable<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.cancel.check().map_err(io::Error::other)?;
        self.reader.read(buffer)
    }
}

/// Reads a source from its beginning.
struct SourceReader<'a> {
    source: &'a Source,
    at: u64,
}

impl Read for SourceReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let left = self.source.len() - self.at;
        let len = usize::try_from(left).unwrap_or(usize::MAX).min(buffer.len());
        self.source.read_exact_at(&mut buffer[..len], self.at).map_err(io::Error::other)?;
        self.at += len as u64;
        Ok(len)
    }
}
