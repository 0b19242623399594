//! Cuts a stream of bytes into lines without holding more than one line and one read.

/// A line of the stream, without its end.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line<'a> {
    /// A whole line and its number, from 1.
    Whole(u64, &'a [u8]),
    /// A line that is over the limit, and its number: its beginning. Nothing after it can be read.
    TooLong(u64, &'a [u8]),
}

/// Lines of bytes that arrive in pieces.
#[derive(Debug)]
pub(super) struct Lines {
    buffer: Vec<u8>,
    /// Where the next line begins; everything before has been given out.
    start: usize,
    /// Up to where no line end was found.
    searched: usize,
    number: u64,
    limit: usize,
}

impl Lines {
    /// Lines of at most `limit` bytes.
    pub(super) fn new(limit: usize) -> Self {
        Self { buffer: Vec::new(), start: 0, searched: 0, number: 0, limit }
    }

    /// Adds what was read.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        if self.start > 0 {
            self.buffer.drain(..self.start);
            self.searched -= self.start;
            self.start = 0;
        }
        self.buffer.extend_from_slice(bytes);
    }

    /// The next line, if its end or too much of it has arrived. At the end of the stream, what is left counts as a line.
    pub(super) fn next(&mut self, at_end: bool) -> Option<Line<'_>> {
        let found = self.buffer[self.searched..].iter().position(|&byte| byte == b'\n');
        let (from, end) = (self.start, found.map_or(self.buffer.len(), |at| self.searched + at));
        if end - from > self.limit {
            self.number += 1;
            return Some(Line::TooLong(self.number, &self.buffer[from..end]));
        }
        if found.is_none() {
            self.searched = end;
            if !at_end || from == end {
                return None;
            }
        }
        self.number += 1;
        self.start = if found.is_some() { end + 1 } else { end };
        self.searched = self.start;
        Some(Line::Whole(self.number, &self.buffer[from..end]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_the_same_however_the_bytes_arrive() {
        let text = b"one\n\nthree\r\nfour";
        for size in 1..=text.len() {
            let mut lines = Lines::new(100);
            let mut seen = Vec::new();
            let mut take = |lines: &mut Lines, at_end| {
                while let Some(Line::Whole(number, line)) = lines.next(at_end) {
                    seen.push((number, String::from_utf8(line.to_vec()).unwrap()));
                }
            };
            for piece in text.chunks(size) {
                lines.push(piece);
                take(&mut lines, false);
            }
            take(&mut lines, true);
            let expected = [(1, "one"), (2, ""), (3, "three\r"), (4, "four")];
            assert_eq!(seen, expected.map(|(number, line)| (number, line.to_owned())));
        }
    }

    #[test]
    fn a_line_over_the_limit_is_told_before_it_ends() {
        let mut lines = Lines::new(4);
        lines.push(b"1234\n12345");
        assert_eq!(lines.next(false), Some(Line::Whole(1, b"1234")));
        assert_eq!(lines.next(false), Some(Line::TooLong(2, b"12345")));
    }

    #[test]
    fn an_ended_stream_has_no_empty_last_line() {
        let mut lines = Lines::new(4);
        lines.push(b"1\n");
        assert_eq!(lines.next(true), Some(Line::Whole(1, b"1")));
        assert_eq!(lines.next(true), None);
    }
}
