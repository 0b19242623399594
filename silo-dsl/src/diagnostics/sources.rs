//! Source files and places in them.

use std::fmt;

/// A file of [`Sources`]: a `.silo` file or a data file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FileId(pub u32);

/// A stretch of a file in bytes: `start` is its first byte, `end` the first byte after it.
///
/// A span with `start == end` is a place between two characters, such as the one where a comma is missing.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The file.
    pub file: FileId,
    /// The first byte.
    pub start: u32,
    /// The first byte after it.
    pub end: u32,
}

impl Span {
    /// The bytes `start..end` of `file`. Files are at most a few hundred megabytes, so 32 bits are enough.
    pub fn new(file: FileId, start: u32, end: u32) -> Self {
        Self { file, start, end }
    }

    /// The smallest span that holds both; both must lie in one file.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { file: self.file, start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// The place just before the first byte.
    #[must_use]
    pub fn before(self) -> Self {
        Self { end: self.start, ..self }
    }

    /// The place just after the last byte.
    #[must_use]
    pub fn after(self) -> Self {
        Self { start: self.end, ..self }
    }

    /// True if `other` lies within this span.
    pub fn holds(self, other: Self) -> bool {
        self.file == other.file && self.start <= other.start && other.end <= self.end
    }

    /// The bytes as a range of indices into the text of the file.
    pub fn range(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }
}

/// A place as a person counts it; see [`Sources::position`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Position {
    /// The line, from 1.
    pub line: u32,
    /// The column, from 1, in characters (Unicode scalar values).
    pub column: u32,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// One file: its name for people and its text.
#[derive(Debug, Clone)]
pub struct Source {
    name: String,
    text: String,
    /// The byte at which each line begins.
    lines: Vec<u32>,
}

impl Source {
    fn new(name: String, text: String) -> Self {
        let mut lines = vec![0];
        let bytes = text.as_bytes();
        // Each byte with the one behind it: a CR ends a line unless an LF follows, which then ends it.
        let behind = bytes.iter().copied().skip(1).map(Some).chain([None]);
        let pairs = bytes.iter().copied().zip(behind).zip(1u32..);
        lines.extend(pairs.filter_map(|((byte, next), after)| {
            (byte == b'\n' || (byte == b'\r' && next != Some(b'\n'))).then_some(after)
        }));
        Self { name, text, lines }
    }

    /// The name that diagnostics show: a path relative to the environment's folder.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The whole text, byte order mark included.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text from `start` to `end`; empty where that is no stretch of whole characters of the file.
    pub fn slice(&self, start: u32, end: u32) -> &str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// The number of lines; a file that ends in a line end has an empty last line.
    pub fn line_count(&self) -> u32 {
        u32::try_from(self.lines.len()).unwrap_or(u32::MAX)
    }

    /// The text of a line (from 1) without its end, or nothing if the file has no such line.
    pub fn line(&self, line: u32) -> Option<&str> {
        let index = line.checked_sub(1)? as usize;
        let start = *self.lines.get(index)?;
        let end = self.lines.get(index + 1).copied().unwrap_or(u32::try_from(self.text.len()).unwrap_or(u32::MAX));
        let text = self.slice(start, end);
        let ends = ["\r\n", "\n", "\r"];
        Some(ends.iter().find_map(|end| text.strip_suffix(end)).unwrap_or(text))
    }

    /// The line (from 1) that holds the byte `offset`.
    pub fn line_of(&self, offset: u32) -> u32 {
        u32::try_from(self.lines.partition_point(|start| *start <= offset)).unwrap_or(u32::MAX).max(1)
    }

    /// The byte at which a line (from 1) begins.
    pub fn line_start(&self, line: u32) -> u32 {
        let index = (line as usize).saturating_sub(1);
        self.lines.get(index).copied().unwrap_or(u32::try_from(self.text.len()).unwrap_or(u32::MAX))
    }

    /// The place of the byte `offset`; see [`Sources::position`].
    pub fn position(&self, offset: u32) -> Position {
        let line = self.line_of(offset);
        let start = self.line_start(line) as usize;
        let before = self.text.as_bytes().get(start..(offset as usize).min(self.text.len())).unwrap_or_default();
        let mark = usize::from(line == 1 && self.text.starts_with('\u{feff}') && !before.is_empty());
        let characters = before.iter().filter(|byte| !is_continuation(**byte)).count();
        Position { line, column: u32::try_from(characters + 1 - mark).unwrap_or(u32::MAX) }
    }
}

/// True for the bytes of a character after its first.
fn is_continuation(byte: u8) -> bool {
    byte & 0b1100_0000 == 0b1000_0000
}

/// The files of one compilation, by [`FileId`].
#[derive(Debug, Clone, Default)]
pub struct Sources {
    files: Vec<Source>,
}

impl Sources {
    /// No files yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a file and gives it the next id. `name` is what diagnostics show.
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        let id = FileId(u32::try_from(self.files.len()).unwrap_or(u32::MAX));
        self.files.push(Source::new(name.into(), text.into()));
        id
    }

    /// The same files with their names under a folder, as somebody outside of it would name them.
    #[must_use]
    pub fn under(mut self, folder: &std::path::Path) -> Self {
        for source in &mut self.files {
            source.name = folder.join(&source.name).display().to_string();
        }
        self
    }

    /// The file of an id, or nothing if the id comes from other sources.
    pub fn get(&self, file: FileId) -> Option<&Source> {
        self.files.get(file.0 as usize)
    }

    /// The files in the order they were added, with their ids.
    pub fn iter(&self) -> impl Iterator<Item = (FileId, &Source)> {
        (0..).map(FileId).zip(&self.files)
    }

    /// The text of a span; empty where it lies in no file.
    pub fn text(&self, span: Span) -> &str {
        self.get(span.file).map_or("", |source| source.slice(span.start, span.end))
    }

    /// Where a span begins, as a person counts.
    ///
    /// Lines end in LF, CRLF or a lone CR; U+2028 and other characters that some programs take for line ends stand
    /// inside a line. Columns count characters (Unicode scalar values), so a tab, an emoji and a combining mark are one
    /// each; a byte order mark at the start of the file is none.
    pub fn position(&self, span: Span) -> Position {
        self.get(span.file).map_or(Position { line: 1, column: 1 }, |source| source.position(span.start))
    }
}

#[cfg(test)]
mod tests {
    use super::{FileId, Position, Source, Sources, Span};

    fn places(text: &str, sign: char) -> Vec<(u32, u32)> {
        let source = Source::new("a".to_owned(), text.to_owned());
        let offsets = text.match_indices(sign).map(|(at, _)| u32::try_from(at).expect("short"));
        offsets.map(|at| source.position(at)).map(|Position { line, column }| (line, column)).collect()
    }

    #[test]
    fn lines_end_in_lf_crlf_or_cr() {
        assert_eq!(places("@\n@\r\n@\r@\n\r@", '@'), [(1, 1), (2, 1), (3, 1), (4, 1), (6, 1)]);
        assert_eq!(places("@\u{2028}@\u{85}@", '@'), [(1, 1), (1, 3), (1, 5)]);
    }

    #[test]
    fn columns_count_characters_and_no_byte_order_mark() {
        assert_eq!(places("\u{feff}@é@👩@\t@e\u{301}@", '@'), [(1, 1), (1, 3), (1, 5), (1, 7), (1, 10)]);
    }

    #[test]
    fn lines_are_given_without_their_ends() {
        let source = Source::new("a".to_owned(), "one\r\ntwo\rthree\n".to_owned());
        let lines: Vec<_> = (0..=5).map(|line| source.line(line)).collect();
        assert_eq!(lines, [None, Some("one"), Some("two"), Some("three"), Some(""), None]);
        assert_eq!(source.line_of(u32::MAX), 4);
    }

    #[test]
    fn what_lies_in_no_file_is_empty() {
        let mut sources = Sources::new();
        let file = sources.add("a", "é");
        assert_eq!(sources.text(Span::new(file, 0, 2)), "é");
        for span in [Span::new(file, 0, 1), Span::new(file, 0, 9), Span::new(FileId(3), 0, 0)] {
            assert_eq!(sources.text(span), "");
        }
    }
}
