//! Strings, numbers and the hints for what is neither.

use std::sync::Arc;

use super::{JsonError, Parsed, Parser, Tree, narrow};
use crate::value::decimal::Decimal;
use crate::value::json::locate::Span;
use crate::value::json::number::Number;
use crate::value::text::Text;

/// The bytes that end a run of plain characters in a string: the quote, the backslash, control characters.
pub(super) static ENDS_RUN: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    #[expect(clippy::indexing_slicing, reason = "evaluated when compiling, where a wrong index is an error")]
    while byte < 256 {
        table[byte] = byte < 0x20 || byte == 0x22 || byte == 0x5c;
        byte += 1;
    }
    table
};

impl<'a, T: Tree> Parser<'a, T> {
    /// A string; the opening quote stands here.
    pub(super) fn string(&mut self) -> Parsed<Text> {
        let open = self.at;
        self.at += 1;
        let run = self.run();
        if self.take(b'"') {
            return Ok(Arc::from(run));
        }
        let mut unescaped = String::from(run);
        loop {
            match self.peek() {
                Some(b'"') => {
                    self.at += 1;
                    return Ok(Arc::from(unescaped));
                }
                Some(b'\\') => unescaped.push(self.escape()?),
                Some(control) => {
                    let shown = match control {
                        b'\n' => "a line break, write it as `\\n`".to_owned(),
                        b'\r' => "a carriage return, write it as `\\r`".to_owned(),
                        b'\t' => "a tab, write it as `\\t`".to_owned(),
                        _ => format!("the control character U+{control:04X}, write it as `\\u{control:04x}`"),
                    };
                    return Err(JsonError::new(self.here(1), format!("a string may not hold {shown}")));
                }
                None => {
                    let span = Span::new(narrow(open), narrow(self.at));
                    return Err(JsonError::new(span, "this string has no closing `\"`"));
                }
            }
            unescaped.push_str(self.run());
        }
    }

    /// Plain characters up to the next byte that is none.
    fn run(&mut self) -> &'a str {
        let start = self.at;
        let rest = self.bytes.get(start..).unwrap_or_default();
        let length = rest.iter().position(|byte| ENDS_RUN.get(usize::from(*byte)) == Some(&true));
        self.at += length.unwrap_or(rest.len());
        self.text.get(start..self.at).unwrap_or_default()
    }

    fn escape(&mut self) -> Parsed<char> {
        let start = self.at;
        self.at += 1;
        let letter = self.rest().chars().next();
        self.at += letter.map_or(0, char::len_utf8);
        Ok(match letter {
            Some(same @ ('"' | '\\' | '/')) => same,
            Some('b') => '\u{8}',
            Some('f') => '\u{c}',
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('u') => return self.code_point(start),
            Some(other) => {
                let message = format!(
                    "`\\{}` is no escape in JSON; a backslash itself is `\\\\`",
                    crate::value::text::visible(other.encode_utf8(&mut [0; 4]))
                );
                return Err(JsonError::new(self.span_from(start), message));
            }
            None => return Err(JsonError::new(self.span_from(start), "expected an escape, found the end of the text")),
        })
    }

    /// What `\u` stands for, with a second one where the first is half of a pair.
    fn code_point(&mut self, start: usize) -> Parsed<char> {
        let unit = self.four_digits(start)?;
        if let Some(c) = char::from_u32(unit) {
            return Ok(c);
        }
        let half = self.span_from(start);
        let lone =
            || JsonError::new(half, format!("`\\u{unit:04x}` is one half of a surrogate pair without the other"));
        if unit >= 0xdc00 || !self.rest().starts_with("\\u") {
            return Err(lone());
        }
        let second_start = self.at;
        self.at += 2;
        let second = self.four_digits(second_start)?;
        if !(0xdc00..0xe000).contains(&second) {
            return Err(lone());
        }
        char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (second - 0xdc00)).ok_or_else(lone)
    }

    fn four_digits(&mut self, start: usize) -> Parsed<u32> {
        let digits = self.bytes.get(self.at..self.at + 4).unwrap_or_default();
        let unit =
            digits.iter().try_fold(0, |unit, byte| char::from(*byte).to_digit(16).map(|digit| unit * 16 + digit));
        match unit {
            Some(unit) if digits.len() == 4 => {
                self.at += 4;
                Ok(unit)
            }
            _ => Err(JsonError::new(self.span_from(start), "expected four hexadecimal digits after `\\u`")),
        }
    }
}

/// A number of up to 18 digits in its one spelling, and its length; `None` for any other, and for what is no number.
pub(super) fn short_number(bytes: &[u8]) -> Option<(Number, usize)> {
    const MOST: usize = 18;
    let negative = bytes.first() == Some(&b'-');
    let signed = |magnitude: i64| if negative { -magnitude } else { magnitude };
    let start = usize::from(negative);
    let (whole, value) = digits(bytes.get(start..)?, 0);
    if whole == 0 || whole > MOST || (whole > 1 && bytes.get(start) == Some(&b'0')) {
        return None;
    }
    let mut end = start + whole;
    if bytes.get(end) != Some(&b'.') {
        let ends = !bytes.get(end).copied().is_some_and(in_word);
        return (ends && !(negative && value == 0)).then(|| (Number::Int(signed(value)), end));
    }
    let (places, value) = digits(bytes.get(end + 1..)?, value);
    end += 1 + places;
    if places == 0 || whole + places > MOST || bytes.get(end - 1) == Some(&b'0') {
        return None;
    }
    let ends = !bytes.get(end).copied().is_some_and(in_word);
    let scale = u32::try_from(places).ok()?;
    ends.then(|| (Number::Decimal(Decimal::from_normal(signed(value), scale)), end))
}

/// How many digits lead, and the value they make behind what came before; wrong beyond 18 of them.
fn digits(bytes: &[u8], before: i64) -> (usize, i64) {
    let mut value = before;
    let mut count = 0;
    for byte in bytes {
        if !byte.is_ascii_digit() {
            break;
        }
        value = value.wrapping_mul(10).wrapping_add(i64::from(byte - b'0'));
        count += 1;
    }
    (count, value)
}

/// The bytes of numbers and of words that someone may have taken for values.
pub(super) fn in_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.' | b'_')
}

/// Why a word that begins like a number is none.
pub(super) fn number_hint(word: &str) -> &'static str {
    let digits = word.trim_start_matches('-');
    if digits.starts_with("0x") || digits.starts_with("0X") {
        "; it has no hexadecimal numbers"
    } else if digits.starts_with('0') && digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit) {
        "; it has no leading zeros"
    } else if word.contains('_') {
        "; it has no `_` between digits"
    } else if word.ends_with('.') || word.contains(".e") || word.contains(".E") {
        "; a digit must follow the point"
    } else {
        ""
    }
}

/// What to write instead of something from another language.
pub(super) fn hint(found: &str, expected: &str) -> &'static str {
    match found {
        "NaN" | "Infinity" | "-Infinity" => "; JSON has no such number",
        "True" => "; write `true`",
        "False" => "; write `false`",
        "None" | "undefined" | "nil" | "NULL" | "Null" => "; write `null`",
        "'" => "; JSON takes double quotes",
        "/" | "#" => "; JSON has no comments",
        _ if found.starts_with('+') => "; a number has no leading `+`",
        _ if found.starts_with('.') && expected == "a value" => "; a digit must stand before the point",
        _ => "",
    }
}
