//! An instant, in UTC.

use std::fmt::{self, Write as _};

use jiff::civil;

use super::{DAY, Date, format, halves, out_of_range};
use crate::value::error::ToolResult;

/// An instant in UTC, exact to the nanosecond.
///
/// ```
/// use silo_runtime::value::DateTime;
/// let opened: DateTime = "2026-03-31T01:30:00.500+02:00".parse()?;
/// assert_eq!(opened.to_string(), "2026-03-30T23:30:00.5Z");
/// assert_eq!(opened.date().to_string(), "2026-03-30");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// A civil date and time rather than a timestamp: the latter ends a day before the year 9999 does.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DateTime(civil::DateTime);

impl DateTime {
    /// 0000-01-01T00:00:00Z.
    pub const MIN: Self = Self(civil::date(0, 1, 1).at(0, 0, 0, 0));
    /// The last nanosecond of the year 9999.
    pub const MAX: Self = Self(civil::date(9999, 12, 31).at(23, 59, 59, 999_999_999));

    /// A time of a day: the hour (0 to 23), minute, second and nanosecond; `None` if there is no such time.
    pub fn new(date: Date, hour: i8, minute: i8, second: i8, nanosecond: i32) -> Option<Self> {
        let time = civil::Time::new(hour, minute, second, nanosecond).ok()?;
        Some(Self(date.0.to_datetime(time)))
    }

    /// The day, in UTC.
    pub fn date(self) -> Date {
        Date(self.0.date())
    }

    /// The year, 0 to 9999.
    pub fn year(self) -> i64 {
        self.date().year()
    }

    /// The month, 1 to 12.
    pub fn month(self) -> i64 {
        self.date().month()
    }

    /// The day of the month, from 1.
    pub fn day(self) -> i64 {
        self.date().day()
    }

    /// The day of the week: 1 is Monday, 7 is Sunday.
    pub fn weekday(self) -> i64 {
        self.date().weekday()
    }

    pub(super) fn hour(self) -> i8 {
        self.0.hour()
    }

    pub(super) fn minute(self) -> i8 {
        self.0.minute()
    }

    pub(super) fn second(self) -> i8 {
        self.0.second()
    }

    /// The same time of day, `days` later.
    ///
    /// # Errors
    /// `arithmetic`, if that leaves the years 0000 to 9999.
    pub fn add_days(self, days: i64) -> ToolResult<Self> {
        self.plus(days, DAY).ok_or_else(|| out_of_range(self, days, "days"))
    }

    /// `minutes` later.
    ///
    /// # Errors
    /// `arithmetic`, if that leaves the years 0000 to 9999.
    pub fn add_minutes(self, minutes: i64) -> ToolResult<Self> {
        self.plus(minutes, 60).ok_or_else(|| out_of_range(self, minutes, "minutes"))
    }

    /// The same time of the same day of the month, `months` later, or of the month's last day where it is shorter.
    ///
    /// # Errors
    /// `arithmetic`, if that leaves the years 0000 to 9999.
    pub fn add_months(self, months: i64) -> ToolResult<Self> {
        let day = self.date().plus_months(months).ok_or_else(|| out_of_range(self, months, "months"))?;
        Ok(Self(day.0.to_datetime(self.0.time())))
    }

    /// The first instant of the month.
    #[must_use]
    pub fn start_of_month(self) -> Self {
        Self(self.0.first_of_month().start_of_day())
    }

    /// The last instant of the month: the nanosecond before the next one begins.
    #[must_use]
    pub fn end_of_month(self) -> Self {
        Self(self.0.last_of_month().end_of_day())
    }

    /// How many whole days of 24 hours lie between the two instants; negative if the other is earlier. For the
    /// difference of the calendar days take `a.date().days_until(b.date())`.
    pub fn days_until(self, other: Self) -> i64 {
        self.0.duration_until(other.0).as_secs() / DAY
    }

    /// How many whole minutes lie between the two instants; negative if the other is earlier.
    pub fn minutes_until(self, other: Self) -> i64 {
        self.0.duration_until(other.0).as_secs() / 60
    }

    /// The instant written by a pattern of `YYYY`, `MM`, `DD`, `HH`, `mm` and `ss`; see
    /// [`check_format`](super::check_format) for what a pattern may hold.
    ///
    /// # Errors
    /// `invalid_input`, if the pattern holds anything else that looks like a part of a date.
    pub fn format(self, pattern: &str) -> ToolResult<String> {
        format::write(pattern, self.date(), Some(self))
    }

    /// Moves the instant; `None` outside the years.
    pub(super) fn plus_seconds(self, seconds: i64) -> Option<Self> {
        let [first, second] = halves(seconds);
        let moved = self.0.checked_add(first).and_then(|moved| moved.checked_add(second)).ok()?;
        (moved.year() >= 0).then_some(Self(moved))
    }

    fn plus(self, count: i64, seconds: i64) -> Option<Self> {
        self.plus_seconds(count.checked_mul(seconds)?)
    }
}

impl fmt::Display for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}T{:02}:{:02}:{:02}", self.date(), self.0.hour(), self.0.minute(), self.0.second())?;
        let mut nanoseconds = self.0.subsec_nanosecond();
        if nanoseconds != 0 {
            let mut width = 9;
            while nanoseconds % 10 == 0 {
                nanoseconds /= 10;
                width -= 1;
            }
            write!(f, ".{nanoseconds:0width$}")?;
        }
        f.write_char('Z')
    }
}

impl fmt::Debug for DateTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<Date> for DateTime {
    /// The first instant of the day.
    fn from(date: Date) -> Self {
        Self(date.0.to_datetime(civil::Time::midnight()))
    }
}
