//! The lines of a source that a diagnostic shows, made safe for a terminal.
//!
//! A file may be hundreds of megabytes long, on one line, with characters that turn the text round. So only the lines
//! that are marked are taken, long ones are cut around the marks, and every line ends in LF.

use std::ops::Range;

use crate::diagnostics::{Source, Span};

/// How many bytes of a line are shown at most before and behind what is marked.
const REACH: u32 = 240;

/// Some lines of a source.
pub(super) struct Excerpt {
    /// Their text, each ended by LF.
    pub(super) text: String,
    /// The number of the first, from 1.
    pub(super) first_line: u32,
    /// True if something was left out of a line.
    pub(super) cut: bool,
    /// Bytes of the source and where they stand in the text, wherever the distance changes.
    anchors: Vec<(u32, usize)>,
}

impl Excerpt {
    /// The lines from `first` to `last`, cut around `marks`.
    pub(super) fn of(source: &Source, first: u32, last: u32, marks: &[Span]) -> Self {
        let mut excerpt = Self { text: String::new(), first_line: first, cut: false, anchors: Vec::new() };
        for line in first..=last.min(source.line_count()) {
            excerpt.add_line(source, line, marks);
        }
        excerpt
    }

    fn add_line(&mut self, source: &Source, line: u32, marks: &[Span]) {
        let start = source.line_start(line);
        let text = source.line(line).unwrap_or_default();
        let end = start + length(text);
        let bom = if start == 0 && text.starts_with('\u{feff}') { 3 } else { 0 };
        let (mut from, mut to) = (start + bom, end);
        if end - start > 2 * REACH {
            let here = marks.iter().filter(|mark| mark.start <= end && mark.end >= start);
            let marked = here.map(|mark| mark.start.max(start)).min().unwrap_or(start);
            from = from.max(marked.saturating_sub(REACH));
            to = to.min(marked.saturating_add(REACH));
        }
        let mut from = boundary(source, from);
        let to = boundary(source, to);
        if from > start + bom {
            self.cut = true;
            self.text.push('…');
        }
        self.anchors.push((start, self.text.len()));
        self.anchors.push((from, self.text.len()));
        for character in source.slice(from, to).chars() {
            let width = u32::try_from(character.len_utf8()).unwrap_or(1);
            let safe = if turns_text(character) { '\u{fffd}' } else { character };
            self.text.push(safe);
            from += width;
            if safe != character {
                self.anchors.push((from, self.text.len()));
            }
        }
        if to < end {
            self.cut = true;
            self.anchors.push((to, self.text.len()));
            self.text.push('…');
        }
        self.anchors.push((end, self.text.len()));
        self.text.push('\n');
    }

    /// Where a byte of the source stands in the text; what was left out stands at the edge of what was kept.
    fn place(&self, offset: u32) -> usize {
        let index = self.anchors.partition_point(|(byte, _)| *byte <= offset);
        let Some((byte, at)) = index.checked_sub(1).and_then(|index| self.anchors.get(index)) else { return 0 };
        let next = self.anchors.get(index).map_or(self.text.len(), |(_, at)| *at);
        let place = at.saturating_add((offset - byte) as usize).min(next).min(self.text.len().saturating_sub(1));
        (0..=place).rev().find(|place| self.text.is_char_boundary(*place)).unwrap_or(0)
    }

    /// Where a span of the source stands in the text.
    pub(super) fn range(&self, span: Span) -> Range<usize> {
        let start = self.place(span.start);
        start..self.place(span.end).max(start)
    }
}

/// The nearest place at or before `offset` between two characters.
fn boundary(source: &Source, offset: u32) -> u32 {
    let is_boundary = |offset: &u32| source.text().is_char_boundary(*offset as usize);
    (offset.saturating_sub(3)..=offset).rev().find(is_boundary).unwrap_or(offset)
}

fn length(text: &str) -> u32 {
    u32::try_from(text.len()).unwrap_or(u32::MAX)
}

/// Characters that show nothing, end a line for some terminals, or turn the direction of the text.
///
/// Other control characters are replaced by the renderer itself.
pub(super) fn turns_text(character: char) -> bool {
    matches!(
        character,
        '\u{80}'..='\u{9f}' | '\u{61c}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}' | '\u{feff}'
    )
}
