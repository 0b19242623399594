//! Writing dates by a pattern.

use std::fmt::Write as _;

use super::{Date, DateTime};
use crate::value::error::{ToolError, ToolResult};

enum Part {
    Year,
    Month,
    Day,
    Hour,
    Minute,
    Second,
    Other(char),
}

/// Whether a pattern can be written. A pattern is made of `YYYY`, `MM`, `DD` and, for an instant, `HH`, `mm` and `ss`;
/// of the letters `T` and `Z`; and of anything that is not an ASCII letter.
///
/// # Errors
/// What is wrong with it, in words.
pub fn check_format(pattern: &str, instant: bool) -> Result<(), String> {
    parts(pattern, instant).try_for_each(|part| part.map(|_| ()))
}

pub(super) fn write(pattern: &str, date: Date, instant: Option<DateTime>) -> ToolResult<String> {
    let mut out = String::with_capacity(pattern.len());
    let clock = instant.map_or((0, 0, 0), |instant| (instant.hour(), instant.minute(), instant.second()));
    for part in parts(pattern, instant.is_some()) {
        let written = match part.map_err(ToolError::invalid_input)? {
            Part::Year => write!(out, "{:04}", date.year()),
            Part::Month => write!(out, "{:02}", date.month()),
            Part::Day => write!(out, "{:02}", date.day()),
            Part::Hour => write!(out, "{:02}", clock.0),
            Part::Minute => write!(out, "{:02}", clock.1),
            Part::Second => write!(out, "{:02}", clock.2),
            Part::Other(c) => out.write_char(c),
        };
        // Writing to a string never fails.
        debug_assert!(written.is_ok());
    }
    Ok(out)
}

fn parts(pattern: &str, instant: bool) -> impl Iterator<Item = Result<Part, String>> {
    let mut rest = pattern;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let run = rest.chars().take_while(|c| *c == first).count();
        let (part, taken) = match (first, run) {
            ('Y', 4) => (Part::Year, 4),
            ('M', 2) => (Part::Month, 2),
            ('D', 2) => (Part::Day, 2),
            ('H', 2) if instant => (Part::Hour, 2),
            ('m', 2) if instant => (Part::Minute, 2),
            ('s', 2) if instant => (Part::Second, 2),
            ('H' | 'm' | 's', 2) => {
                rest = "";
                return Some(Err(format!("a date has no time of day, so `{first}{first}` cannot be written")));
            }
            (letter, _) if letter.is_ascii_alphabetic() && letter != 'T' && letter != 'Z' => {
                let found: String = rest.chars().take_while(char::is_ascii_alphabetic).take(20).collect();
                rest = "";
                let known = if instant { "YYYY, MM, DD, HH, mm and ss" } else { "YYYY, MM and DD" };
                return Some(Err(format!("a date pattern knows {known}, found `{found}`")));
            }
            (other, _) => (Part::Other(other), other.len_utf8()),
        };
        rest = rest.get(taken..).unwrap_or("");
        Some(Ok(part))
    })
}
