//! Strings: escapes, holes, and the indentation of `"""` text.

use std::sync::Arc;

use super::Builder;
use crate::diagnostics::Span;
use crate::syntax::parse::grammar::{Pair, Parts, Rule};
use crate::syntax::tree::{Format, Piece, Quoted, Text};

impl<'a> Builder<'a> {
    /// A string that holds no hole.
    pub(super) fn quoted(&mut self, pair: &Pair<'a>) -> Quoted {
        let span = self.span(pair);
        let inner = self.slice(span);
        let inner = inner.strip_prefix('"').and_then(|inner| inner.strip_suffix('"')).unwrap_or(inner);
        let text = if inner.contains(['\\', '{', '}']) { Arc::from(decoded(inner)) } else { self.shared(inner) };
        Quoted { text, span }
    }

    pub(super) fn string(&mut self, pair: Pair<'a>) -> Option<Text> {
        let span = self.span(&pair);
        let triple = pair.as_str().starts_with("\"\"\"");
        let quotes = if triple { 3 } else { 1 };
        let mut holes = Vec::new();
        for part in pair.into_inner().filter(|part| part.as_rule() == Rule::interp) {
            let span = self.span(&part);
            let mut parts = Parts::of(part);
            let value = Box::new(self.expr(parts.next()?)?);
            let format = parts.next_if(Rule::format).map(|format| self.format(&format));
            holes.push((span, Piece::Hole { value, format, span }));
        }
        let mut from = span.start + quotes;
        let mut literals = Vec::with_capacity(holes.len() + 1);
        for (hole, _) in &holes {
            literals.push(self.at(from, hole.start));
            from = hole.end;
        }
        literals.push(self.at(from, span.end.saturating_sub(quotes).max(from)));

        let indent = if triple { self.indentation(&literals) } else { "" };
        let last = literals.len().saturating_sub(1);
        let mut pieces = Vec::with_capacity(literals.len() + holes.len());
        let mut holes = holes.into_iter();
        for (index, literal) in literals.into_iter().enumerate() {
            let raw = self.slice(literal);
            let place = Place { first: index == 0, last: index == last };
            let text = if triple { decoded(&dedented(raw, indent, place)) } else { decoded(raw) };
            if !text.is_empty() {
                pieces.push(Piece::Literal { text: Arc::from(text), span: literal });
            }
            pieces.extend(holes.next().map(|(_, hole)| hole));
        }
        Some(Text { pieces, triple, span })
    }

    fn format(&self, pair: &Pair<'a>) -> Format {
        let text = pair.as_str();
        let digits = text.trim_start_matches(',').strip_prefix('.').map(|digits| digits.parse().unwrap_or(u32::MAX));
        Format { thousands: text.starts_with(','), digits, span: self.span(pair) }
    }

    /// The blanks that all lines of `"""` text begin with; lines of blanks alone do not count.
    fn indentation(&self, literals: &[Span]) -> &'a str {
        let last = literals.len().saturating_sub(1);
        let mut common: Option<&'a str> = None;
        for (index, literal) in literals.iter().enumerate() {
            let lines: Vec<&'a str> = lines(self.slice(*literal)).collect();
            let end = lines.len().saturating_sub(1);
            // The first line of a literal follows quotes or a hole.
            for (number, line) in lines.iter().enumerate().skip(1) {
                let blanks = line.len() - line.trim_start_matches([' ', '\t']).len();
                let before_hole = number == end && index != last;
                if blanks == line.len() && !before_hole {
                    continue;
                }
                let blanks = line.get(..blanks).unwrap_or_default();
                common = Some(common.map_or(blanks, |common| shared_start(common, blanks)));
            }
        }
        common.unwrap_or_default()
    }
}

/// Where a literal stands in its string.
#[derive(Clone, Copy)]
struct Place {
    first: bool,
    last: bool,
}

/// A literal of `"""` text without its indentation, its lines ended by LF.
fn dedented(raw: &str, indent: &str, place: Place) -> String {
    let lines: Vec<&str> = lines(raw).collect();
    let end = lines.len().saturating_sub(1);
    let is_blank = |line: &str| line.trim_matches([' ', '\t']).is_empty();
    let mut result = String::with_capacity(raw.len());
    let mut begun = false;
    for (number, line) in lines.iter().enumerate() {
        let opens = number == 0 && place.first && end > 0 && is_blank(line);
        let closes = number == end && place.last && end > 0 && is_blank(line);
        if opens || closes {
            continue;
        }
        if begun {
            result.push('\n');
        }
        begun = true;
        let before_hole = number == end && !place.last;
        result.push_str(match line.strip_prefix(indent) {
            _ if number == 0 => line,
            _ if is_blank(line) && !before_hole => "",
            Some(line) => line,
            None => line,
        });
    }
    result
}

/// The lines of a text, ended by LF, CRLF or CR; the last one is what follows the last line end.
fn lines(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let text = rest?;
        match text.find(['\n', '\r']) {
            Some(end) => {
                let line = text.get(..end)?;
                let after = text.get(end..)?;
                rest = after.strip_prefix("\r\n").or_else(|| after.get(1..));
                Some(line)
            }
            None => {
                rest = None;
                Some(text)
            }
        }
    })
}

fn shared_start<'a>(a: &'a str, b: &str) -> &'a str {
    let length = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    a.get(..length).unwrap_or_default()
}

/// A literal with its escapes and doubled braces decoded.
fn decoded(raw: &str) -> String {
    let mut result = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find(['\\', '{', '}']) {
        result.push_str(rest.get(..at).unwrap_or_default());
        rest = rest.get(at..).unwrap_or_default();
        let (character, length) = escape(rest);
        result.push(character);
        rest = rest.get(length..).unwrap_or_default();
    }
    result.push_str(rest);
    result
}

/// The character that an escape or a doubled brace at the start of the text stands for, and its length.
fn escape(text: &str) -> (char, usize) {
    let mut characters = text.chars();
    match (characters.next(), characters.next()) {
        (Some('\\'), Some('n')) => ('\n', 2),
        (Some('\\'), Some('t')) => ('\t', 2),
        (Some('\\'), Some('r')) => ('\r', 2),
        (Some('\\'), Some('u')) => {
            let end = text.find('}').unwrap_or(text.len());
            let digits = text.get(3..end).unwrap_or_default();
            let character = u32::from_str_radix(digits, 16).ok().and_then(char::from_u32);
            (character.unwrap_or('\u{fffd}'), (end + 1).min(text.len()))
        }
        (Some(_), Some(second)) => (second, 1 + second.len_utf8()),
        (first, _) => (first.unwrap_or_default(), 1),
    }
}
