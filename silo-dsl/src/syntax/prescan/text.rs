//! Strings, piece by piece from hole to hole.

use super::borders::is_head;
use super::brackets::{Bracket, Opener};
use super::lexer::{Lexer, offset};
use super::{FaultKind, TokenKind};

impl Lexer<'_> {
    pub(super) fn text_start(&mut self) {
        let start = self.here();
        let triple = self.starts_with("\"\"\"");
        self.pos += if triple { 3 } else { 1 };
        self.text(start, start, triple, TokenKind::Text, TokenKind::TextStart);
    }

    /// Reads text up to its end, which makes a token `whole`, or up to a hole, which makes a token `part`.
    pub(super) fn text(&mut self, start: u32, text_at: u32, triple: bool, whole: TokenKind, part: TokenKind) {
        loop {
            match self.peek(0) {
                None => {
                    self.torn(text_at, triple);
                    return self.push(whole, start);
                }
                Some(b'\n' | b'\r') if !triple => {
                    self.torn(text_at, triple);
                    return self.push(whole, start);
                }
                Some(b'\n' | b'\r') => {
                    self.pos += if self.starts_with("\r\n") { 2 } else { 1 };
                    self.begin_line();
                    // The rest of the line of the closing quotes has a token before it.
                    self.line_used = true;
                    self.line_has_token = true;
                    if is_head(self.text.get(self.pos..self.line_end()).unwrap_or_default()) {
                        self.scan.suspicious_text = true;
                        if self.recover {
                            self.torn(text_at, triple);
                            self.push(whole, start);
                            return self.begin_line();
                        }
                    }
                }
                Some(b'"') if !triple || self.starts_with("\"\"\"") => {
                    self.pos += if triple { 3 } else { 1 };
                    return self.push(whole, start);
                }
                Some(b'\\') => self.escape(),
                Some(b'{') if self.peek(1) == Some(b'{') => self.pos += 2,
                Some(b'{') => {
                    let at = self.here();
                    self.pos += 1;
                    self.push(part, start);
                    let (indent, angles) = (self.indent, self.angles);
                    return self.push_opener(Opener { bracket: Bracket::Hole, at, indent, triple, text_at, angles });
                }
                Some(b'}') if self.peek(1) == Some(b'}') => self.pos += 2,
                Some(b'}') => {
                    let at = self.here();
                    self.fault(FaultKind::LoneBrace, at, at + 1);
                    self.pos += 1;
                }
                Some(_) => self.pos += 1,
            }
        }
    }

    /// Notes that text which began at `text_at` has no end.
    fn torn(&mut self, text_at: u32, triple: bool) {
        let here = self.here();
        if triple {
            let until = self.last_text_end();
            return self.fault(FaultKind::OpenTriple { until }, text_at, text_at + 3);
        }
        // In a hole, the quote that seems to open a string is more likely to close the one around the hole.
        match self.brackets.leave_line() {
            Some(hole) => self.fault(FaultKind::OpenHole { line_end: here }, hole.at, hole.at + 1),
            None => self.fault(FaultKind::OpenText { line_end: here }, text_at, text_at + 1),
        }
    }

    /// The end of the last line before here that is not blank.
    fn last_text_end(&self) -> u32 {
        let before = self.bytes.get(..self.pos).unwrap_or_default();
        offset(before.iter().rposition(|byte| !byte.is_ascii_whitespace()).map_or(0, |index| index + 1))
    }

    fn escape(&mut self) {
        let start = self.here();
        let length = match self.peek(1) {
            Some(b'n' | b't' | b'r' | b'"' | b'\\') => Some(2),
            Some(b'u') => unicode_escape_length(self.text.get(self.pos..).unwrap_or_default()),
            _ => None,
        };
        if let Some(length) = length {
            self.pos += length;
            return;
        }
        let rest = self.text.get(self.pos + 1..).unwrap_or_default();
        let next = rest.chars().next().filter(|character| !matches!(character, '\n' | '\r'));
        self.pos += 1 + next.map_or(0, char::len_utf8);
        self.fault(FaultKind::Escape, start, self.here());
    }
}

/// The length of `\u{…}` at the start of the text, if it names a character.
fn unicode_escape_length(text: &str) -> Option<usize> {
    let inner = text.strip_prefix("\\u{")?;
    let digits = inner.bytes().take_while(u8::is_ascii_hexdigit).count();
    let value = u32::from_str_radix(inner.get(..digits.min(7))?, 16).ok()?;
    char::from_u32(value)?;
    let closed = digits <= 6 && inner.as_bytes().get(digits) == Some(&b'}');
    closed.then_some(digits + 4)
}
