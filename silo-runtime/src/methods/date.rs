//! The function that makes a date.

use crate::value::date::Date;
use crate::value::error::ToolResult;

/// `date(y, m, d)`.
///
/// # Errors
/// `invalid_input`, if there is no such day in the years 0000 to 9999.
pub fn date(year: i64, month: i64, day: i64) -> ToolResult<Date> {
    Date::of(year, month, day)
}
