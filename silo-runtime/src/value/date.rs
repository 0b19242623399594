//! Days and instants of the proleptic Gregorian calendar, years 0000 to 9999, in UTC.
//!
//! There is no local time: nothing here reads a time zone or a clock.

mod format;
mod instant;
mod parse;
#[cfg(test)]
mod tests;

use std::fmt;

use jiff::SignedDuration;
use jiff::civil;

pub use format::check_format;
pub use instant::DateTime;
pub use parse::NotDate;

use super::error::{ToolError, ToolResult};

/// Seconds in a day; there are no leap seconds.
const DAY: i64 = 86_400;

/// A day.
///
/// ```
/// use silo_runtime::value::Date;
/// let end_of_january: Date = "2026-01-31".parse()?;
/// assert_eq!(end_of_january.add_months(1)?.to_string(), "2026-02-28");
/// assert_eq!("2026-02-30".parse::<Date>().unwrap_err().to_string(), "there is no 30 February 2026");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Date(civil::Date);

impl Date {
    /// 0000-01-01.
    pub const MIN: Self = Self(civil::date(0, 1, 1));
    /// 9999-12-31.
    pub const MAX: Self = Self(civil::date(9999, 12, 31));

    /// The day with that year (0 to 9999), month (1 to 12) and day of the month.
    ///
    /// # Errors
    /// [`NotDate`], saying which part is wrong, if there is no such day.
    pub fn new(year: i64, month: i64, day: i64) -> Result<Self, NotDate> {
        parse::day_of(year, month, day)
    }

    /// `date(y, m, d)` of the language: [`Self::new`] with an error for the agent.
    ///
    /// # Errors
    /// `invalid_input`, if there is no such day.
    pub fn of(year: i64, month: i64, day: i64) -> ToolResult<Self> {
        Self::new(year, month, day).map_err(|reason| ToolError::invalid_input(reason.to_string()))
    }

    /// The year, 0 to 9999.
    pub fn year(self) -> i64 {
        self.0.year().into()
    }

    /// The month, 1 to 12.
    pub fn month(self) -> i64 {
        self.0.month().into()
    }

    /// The day of the month, from 1.
    pub fn day(self) -> i64 {
        self.0.day().into()
    }

    /// The day of the week: 1 is Monday, 7 is Sunday.
    pub fn weekday(self) -> i64 {
        self.0.weekday().to_monday_one_offset().into()
    }

    /// The day `days` later, or earlier where negative.
    ///
    /// # Errors
    /// `arithmetic`, if that leaves the years 0000 to 9999.
    pub fn add_days(self, days: i64) -> ToolResult<Self> {
        self.plus_days(days).ok_or_else(|| out_of_range(self, days, "days"))
    }

    fn plus_days(self, days: i64) -> Option<Self> {
        // In two steps: the calendar below refuses more than about 8000 years at once.
        let [first, second] = halves(days.checked_mul(DAY)?);
        self.0.checked_add(first).and_then(|date| date.checked_add(second)).ok().and_then(Self::within)
    }

    /// The same day of the month `months` later, or the last day of that month where it is shorter: 31 January plus one
    /// month is 28 (or 29) February.
    ///
    /// # Errors
    /// `arithmetic`, if that leaves the years 0000 to 9999.
    pub fn add_months(self, months: i64) -> ToolResult<Self> {
        self.plus_months(months).ok_or_else(|| out_of_range(self, months, "months"))
    }

    fn plus_months(self, months: i64) -> Option<Self> {
        let counted = (self.year() * 12 + self.month() - 1).checked_add(months)?;
        let (year, month) = (counted.div_euclid(12), counted.rem_euclid(12) + 1);
        let first = civil::Date::new(i16::try_from(year).ok()?, i8::try_from(month).ok()?, 1).ok()?;
        let day = self.0.day().min(first.days_in_month());
        civil::Date::new(first.year(), first.month(), day).ok().and_then(Self::within)
    }

    /// The first day of the month.
    #[must_use]
    pub fn start_of_month(self) -> Self {
        Self(self.0.first_of_month())
    }

    /// The last day of the month.
    #[must_use]
    pub fn end_of_month(self) -> Self {
        Self(self.0.last_of_month())
    }

    /// How many days from this day to the other; negative if the other is earlier.
    pub fn days_until(self, other: Self) -> i64 {
        self.0.duration_until(other.0).as_secs() / DAY
    }

    /// The date written by a pattern of `YYYY`, `MM` and `DD`; see [`check_format`] for what a pattern may hold.
    ///
    /// # Errors
    /// `invalid_input`, if the pattern holds anything else that looks like a part of a date.
    pub fn format(self, pattern: &str) -> ToolResult<String> {
        format::write(pattern, self, None)
    }

    fn within(date: civil::Date) -> Option<Self> {
        (date.year() >= 0).then_some(Self(date))
    }
}

impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:04}-{:02}-{:02}", self.0.year(), self.0.month(), self.0.day())
    }
}

impl fmt::Debug for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// Two durations of whole days that make up the seconds given, if those are whole days.
fn halves(seconds: i64) -> [SignedDuration; 2] {
    let first = seconds / DAY / 2 * DAY;
    [first, seconds - first].map(SignedDuration::from_secs)
}

#[cold]
fn out_of_range(from: impl fmt::Display, count: i64, unit: &str) -> ToolError {
    let sign = if count < 0 { '-' } else { '+' };
    let count = count.unsigned_abs();
    let unit = if count == 1 { unit.trim_end_matches('s') } else { unit };
    ToolError::arithmetic(format!("{from} {sign} {count} {unit} is outside the years 0000 to 9999"))
}
