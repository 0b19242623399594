//! Reading dates: one shape, no guessing, and a reason where it fails.

use std::fmt;
use std::str::FromStr;

use jiff::civil;

use super::{Date, DateTime};
use crate::value::text::{shorten, visible};

/// Why a text is not a date or an instant; shown as a reason without the text around it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotDate(String);

impl fmt::Display for NotDate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotDate {}

const MONTHS: [&str; 12] = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
];

impl FromStr for Date {
    type Err = NotDate;

    /// Reads exactly `YYYY-MM-DD`.
    fn from_str(text: &str) -> Result<Self, NotDate> {
        let mut reader = Reader(text.as_bytes());
        match reader.date() {
            Some((year, month, day)) if reader.0.is_empty() => day_of(year, month, day),
            Some(_) if reader.0.first() == Some(&b'T') => Err(NotDate(format!(
                "expected a date without a time of day, as 2026-03-31, found `{}`",
                shorten(text, 60)
            ))),
            _ => Err(NotDate(format!("expected a date as YYYY-MM-DD, such as 2026-03-31, found {}", quoted(text)))),
        }
    }
}

impl FromStr for DateTime {
    type Err = NotDate;

    /// Reads RFC 3339: `2026-03-31T09:00:00Z`, with up to nine digits of a second, and with `Z` or an offset, which is
    /// converted to UTC.
    fn from_str(text: &str) -> Result<Self, NotDate> {
        read(text, Form::Strict)
    }
}

impl DateTime {
    /// As `parse`, for seed data: a missing zone means UTC.
    ///
    /// # Errors
    /// [`NotDate`] with the reason.
    pub fn parse_seed(text: &str) -> Result<Self, NotDate> {
        read(text, Form::Seed)
    }

    /// As `parse`, for literals in source: `Z` is the only zone, and seconds may be left out.
    ///
    /// # Errors
    /// [`NotDate`] with the reason.
    pub fn parse_literal(text: &str) -> Result<Self, NotDate> {
        read(text, Form::Literal)
    }
}

#[derive(Clone, Copy, PartialEq)]
enum Form {
    Strict,
    Seed,
    Literal,
}

/// The day, or which part of it does not exist.
pub(super) fn day_of(year: i64, month: i64, day: i64) -> Result<Date, NotDate> {
    if !(0..=9999).contains(&year) {
        return Err(NotDate(format!("the year {year} is outside 0000 to 9999")));
    }
    let name = usize::try_from(month - 1).ok().and_then(|index| MONTHS.get(index));
    let Some(name) = name else {
        return Err(NotDate(format!("there is no month {month}")));
    };
    let date = i16::try_from(year)
        .ok()
        .zip(i8::try_from(month).ok())
        .zip(i8::try_from(day).ok())
        .and_then(|((year, month), day)| civil::Date::new(year, month, day).ok());
    date.map(Date).ok_or_else(|| NotDate(format!("there is no {day} {name} {year:04}")))
}

fn read(text: &str, form: Form) -> Result<DateTime, NotDate> {
    let mut reader = Reader(text.as_bytes());
    let Some((year, month, day)) = reader.date() else { return Err(unshaped(text, form)) };
    if reader.0.is_empty() {
        return Err(NotDate(format!(
            "expected a date with a time of day, as {}, found `{}`",
            example(form),
            shorten(text, 60)
        )));
    }
    if reader.byte(b'T').is_none() {
        return Err(unshaped(text, form));
    }
    let Some((hour, minute)) = reader.clock() else { return Err(unshaped(text, form)) };
    let has_seconds = reader.0.first() == Some(&b':');
    let seconds = if has_seconds || form != Form::Literal {
        reader.seconds().ok_or_else(|| unshaped(text, form))?
    } else {
        (0, 0)
    };
    let Some(zone) = reader.zone() else { return Err(unshaped(text, form)) };
    if !reader.0.is_empty() {
        return Err(unshaped(text, form));
    }
    let offset = match zone {
        Zone::Utc => 0,
        Zone::Offset { negative, hours, minutes } if form != Form::Literal => {
            if hours > 23 || minutes > 59 {
                return Err(NotDate(format!("there is no offset {hours:02}:{minutes:02}")));
            }
            let seconds = (hours * 60 + minutes) * 60;
            if negative { -seconds } else { seconds }
        }
        Zone::Missing if form == Form::Seed => 0,
        Zone::Offset { .. } => {
            return Err(NotDate(format!("expected an instant in UTC, ending in `Z`, found `{}`", shorten(text, 60))));
        }
        Zone::Missing => {
            return Err(NotDate(format!(
                "expected a time zone (`Z` or an offset) at the end of `{}`",
                shorten(text, 60)
            )));
        }
    };
    let date = day_of(year, month, day)?;
    let (second, nanosecond) = seconds;
    if second == 60 {
        return Err(NotDate("there is no second 60: leap seconds are not kept".to_owned()));
    }
    let small = |number: i64| i8::try_from(number).ok();
    small(hour)
        .zip(small(minute))
        .zip(small(second))
        .and_then(|((hour, minute), second)| DateTime::new(date, hour, minute, second, nanosecond))
        .ok_or_else(|| NotDate(format!("there is no time {hour:02}:{minute:02}:{second:02}")))?
        .plus_seconds(-offset)
        .ok_or_else(|| NotDate(format!("`{}` in UTC is outside the years 0000 to 9999", shorten(text, 60))))
}

fn unshaped(text: &str, form: Form) -> NotDate {
    NotDate(format!("expected an instant such as {}, found {}", example(form), quoted(text)))
}

fn example(form: Form) -> &'static str {
    match form {
        Form::Strict | Form::Literal => "2026-03-31T09:00:00Z",
        Form::Seed => "2026-03-31T09:00:00Z or 2026-03-31T09:00:00",
    }
}

/// The text as found, with what cannot be seen made visible.
fn quoted(text: &str) -> String {
    if text.is_empty() { "an empty text".to_owned() } else { format!("`{}`", visible(&shorten(text, 60))) }
}

enum Zone {
    Missing,
    Utc,
    Offset { negative: bool, hours: i64, minutes: i64 },
}

/// Takes fixed shapes off the front of a text.
struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn byte(&mut self, expected: u8) -> Option<()> {
        let (first, rest) = self.0.split_first()?;
        (*first == expected).then(|| self.0 = rest)
    }

    fn number(&mut self, digits: usize) -> Option<i64> {
        let (taken, rest) = self.0.split_at_checked(digits)?;
        let number = taken
            .iter()
            .try_fold(0_i64, |sum, digit| digit.is_ascii_digit().then(|| sum * 10 + i64::from(digit - b'0')))?;
        self.0 = rest;
        Some(number)
    }

    fn date(&mut self) -> Option<(i64, i64, i64)> {
        let year = self.number(4)?;
        self.byte(b'-')?;
        let month = self.number(2)?;
        self.byte(b'-')?;
        Some((year, month, self.number(2)?))
    }

    fn clock(&mut self) -> Option<(i64, i64)> {
        let hour = self.number(2)?;
        self.byte(b':')?;
        Some((hour, self.number(2)?))
    }

    /// `:SS` and up to nine digits of a fraction, as seconds and nanoseconds.
    fn seconds(&mut self) -> Option<(i64, i32)> {
        self.byte(b':')?;
        let second = self.number(2)?;
        if self.byte(b'.').is_none() {
            return Some((second, 0));
        }
        let mut nanoseconds = 0;
        let mut unit = 100_000_000;
        while let Some(digit) = self.0.first().filter(|byte| byte.is_ascii_digit()) {
            if unit == 0 {
                return None;
            }
            nanoseconds += i32::from(digit - b'0') * unit;
            unit /= 10;
            self.0 = self.0.get(1..)?;
        }
        (unit != 100_000_000).then_some((second, nanoseconds))
    }

    /// `None` for a zone that has begun and is not one.
    fn zone(&mut self) -> Option<Zone> {
        if self.byte(b'Z').is_some() {
            return Some(Zone::Utc);
        }
        let negative = self.0.first() == Some(&b'-');
        if !negative && self.0.first() != Some(&b'+') {
            return Some(Zone::Missing);
        }
        self.0 = self.0.get(1..)?;
        let (hours, minutes) = self.clock()?;
        Some(Zone::Offset { negative, hours, minutes })
    }
}
