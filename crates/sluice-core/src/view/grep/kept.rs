//! What `-B` may still need of the lines that were searched.

/// The last lines before a block, in one piece of memory.
#[derive(Default)]
pub(super) struct Kept {
    bytes: Vec<u8>,
    /// Where the first line starts; what is in front of it is dropped now and then.
    from: usize,
    count: u64,
}

impl Kept {
    pub(super) fn lines(&self) -> &[u8] {
        &self.bytes[self.from..]
    }

    /// Goes on behind `block`, keeping at most `limit` lines.
    pub(super) fn advance(&mut self, block: &[u8], limit: u64, terminator: u8) {
        let mut start = block.len();
        let mut count = 0;
        while count < limit && start > 0 {
            start = memchr::memrchr(terminator, &block[..start - 1]).map_or(0, |newline| newline + 1);
            count += 1;
        }
        if count == limit {
            self.bytes.clear();
            (self.from, self.count) = (0, 0);
        }
        while self.count + count > limit {
            let line = memchr::memchr(terminator, self.lines()).map_or(self.lines().len(), |end| end + 1);
            self.from += line;
            self.count -= 1;
        }
        if self.from > self.bytes.len() / 2 {
            self.bytes.drain(..self.from);
            self.from = 0;
        }
        self.bytes.extend_from_slice(&block[start..]);
        self.count += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_lines_whatever_the_blocks() {
        let text: Vec<u8> = (0..500).flat_map(|n| format!("{n}\n").into_bytes()).collect();
        let ends: Vec<usize> = memchr::memchr_iter(b'\n', &text).map(|newline| newline + 1).collect();
        for limit in [1, 2, 7, 499, 1000] {
            for step in [1, 3, 100] {
                let mut kept = Kept::default();
                let mut from = 0;
                for (index, &end) in ends.iter().enumerate() {
                    if (index + 1) % step != 0 {
                        continue;
                    }
                    kept.advance(&text[from..end], limit, b'\n');
                    from = end;
                    let first = (index + 1).saturating_sub(limit as usize);
                    let start = if first == 0 { 0 } else { ends[first - 1] };
                    assert!(kept.lines() == &text[start..end], "{limit} {step} {index}");
                }
            }
        }
    }
}
