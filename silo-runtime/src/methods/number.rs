//! Methods of numbers, and how text shows them.

use std::fmt::Write as _;

use crate::value::checked::Checked;
use crate::value::decimal::Decimal;
use crate::value::error::{ToolError, ToolResult};

/// `x.min(n)`: the lower of the two.
pub fn min<N: Ord>(x: N, other: N) -> N {
    x.min(other)
}

/// `x.max(n)`: the higher of the two.
pub fn max<N: Ord>(x: N, other: N) -> N {
    x.max(other)
}

/// `x.clamp(low, high)`: `x`, but not below `low`, and not above `high`, which wins if it lies below `low`.
pub fn clamp<N: Ord>(x: N, low: N, high: N) -> N {
    x.max(low).min(high)
}

/// `x.abs()`.
///
/// # Errors
/// `arithmetic`, for the lowest `int`.
pub fn abs<N: Checked>(x: N) -> ToolResult<N> {
    x.magnitude()
}

/// `x.round()`: the nearest int, half away from zero.
///
/// # Errors
/// `arithmetic`, if it does not fit an int.
pub fn round(x: Decimal) -> ToolResult<i64> {
    to_int(x.round_whole())
}

/// `x.floor()`: the largest int not above `x`.
///
/// # Errors
/// `arithmetic`, if it does not fit an int.
pub fn floor(x: Decimal) -> ToolResult<i64> {
    to_int(x.floor())
}

/// `x.ceil()`: the smallest int not below `x`.
///
/// # Errors
/// `arithmetic`, if it does not fit an int.
pub fn ceil(x: Decimal) -> ToolResult<i64> {
    to_int(x.ceil())
}

/// `x.round(n)`: to `n` places after the point, half away from zero; with a negative `n` to tens, hundreds, ….
///
/// # Errors
/// `arithmetic`, if rounding to tens or more takes a 29th digit.
pub fn round_to(x: Decimal, places: i64) -> ToolResult<Decimal> {
    x.round(places)
}

fn to_int(whole: Decimal) -> ToolResult<i64> {
    whole.to_int().ok_or_else(|| {
        ToolError::arithmetic(format!("{whole} does not fit an int, which goes from {} to {}", i64::MIN, i64::MAX))
    })
}

/// `{x:,}`, `{x:.2}`, `{x:,.2}`: with a comma between thousands, and with exactly that many places after the point,
/// rounded half away from zero.
///
/// ```
/// use silo_runtime::methods::number::format;
/// use silo_runtime::value::Decimal;
/// let price: Decimal = "-1234567.885".parse()?;
/// assert_eq!(format(price, true, Some(2))?, "-1,234,567.89");
/// assert_eq!(format(Decimal::from(5), false, Some(2))?, "5.00");
/// assert_eq!(format(Decimal::from(1000), true, None)?, "1,000");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// None today: rounding to places never overflows. Callers treat it as any other method.
pub fn format(x: Decimal, thousands: bool, places: Option<u8>) -> ToolResult<String> {
    let rounded = match places {
        Some(places) => x.round(i64::from(places))?,
        None => x,
    };
    let plain = rounded.abs().to_string();
    let (whole, fraction) = plain.split_once('.').unwrap_or((&plain, ""));
    let mut out = String::with_capacity(plain.len() + plain.len() / 3 + 2);
    if rounded.is_negative() {
        out.push('-');
    }
    for (index, digit) in whole.chars().enumerate() {
        if thousands && index > 0 && (whole.len() - index).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    let width = places.map_or(fraction.len(), usize::from);
    if width > 0 {
        // Writing to a string never fails.
        let written = write!(out, ".{fraction:0<width$}");
        debug_assert!(written.is_ok());
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decimal(text: &str) -> Decimal {
        text.parse().unwrap()
    }

    #[test]
    fn ints_come_out_of_rounding() {
        assert_eq!(round(decimal("2.5")).unwrap(), 3);
        assert_eq!(round(decimal("-2.5")).unwrap(), -3);
        assert_eq!(floor(decimal("-2.1")).unwrap(), -3);
        assert_eq!(ceil(decimal("-2.9")).unwrap(), -2);
        assert_eq!(
            round(decimal("9223372036854775807.5")).unwrap_err().to_string(),
            "arithmetic: 9223372036854775808 does not fit an int, which goes from -9223372036854775808 to 9223372036854775807"
        );
    }

    #[test]
    fn the_upper_limit_of_a_clamp_wins() {
        assert_eq!((clamp(5, 1, 3), clamp(0, 1, 3), clamp(2, 1, 3), clamp(2, 3, 1)), (3, 1, 2, 1));
    }

    #[test]
    fn places_are_exact_and_thousands_grouped() {
        let cases = [
            ("0", true, Some(2), "0.00"),
            ("-0.001", true, Some(2), "0.00"),
            ("999.995", true, Some(2), "1,000.00"),
            ("-999.995", true, Some(2), "-1,000.00"),
            ("123456", true, None, "123,456"),
            ("1234.5", true, None, "1,234.5"),
            ("1234.5", false, Some(0), "1235"),
            ("0.1", false, Some(30), "0.100000000000000000000000000000"),
        ];
        for (number, thousands, places, expected) in cases {
            assert_eq!(
                format(decimal(number), thousands, places).unwrap(),
                expected,
                "{number} {thousands} {places:?}"
            );
        }
    }
}
