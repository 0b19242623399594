//! Arithmetic that is exact or fails: one trait for `int` and `decimal`.

use super::decimal::Decimal;
use super::error::{ToolError, ToolResult};

/// Exact arithmetic. Whatever cannot be given exactly fails with the code `arithmetic`; only quotients are rounded.
///
/// ```
/// use silo_runtime::value::{Checked, Decimal};
/// assert_eq!(7_i64.plus(5)?, 12);
/// assert_eq!((-7_i64).div(2)?, -4);
/// assert_eq!((-7_i64).modulo(2)?, 1);
/// assert_eq!(7_i64.over(2)?, "3.5".parse::<Decimal>()?);
/// assert_eq!(i64::MAX.plus(1).unwrap_err().code, "arithmetic");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait Checked: Copy {
    /// `self + other`.
    ///
    /// # Errors
    /// `arithmetic`, if the sum does not fit exactly.
    fn plus(self, other: Self) -> ToolResult<Self>;

    /// `self - other`.
    ///
    /// # Errors
    /// `arithmetic`, if the difference does not fit exactly.
    fn minus(self, other: Self) -> ToolResult<Self>;

    /// `self * other`.
    ///
    /// # Errors
    /// `arithmetic`, if the product does not fit exactly.
    fn times(self, other: Self) -> ToolResult<Self>;

    /// `self / other`, rounded half-even at the 28th digit.
    ///
    /// # Errors
    /// `arithmetic`, if `other` is zero or the quotient is too large.
    fn over(self, other: Self) -> ToolResult<Decimal>;

    /// `self div other`: the quotient rounded down, towards negative infinity.
    ///
    /// # Errors
    /// `arithmetic`, if `other` is zero or the quotient is too large.
    fn div(self, other: Self) -> ToolResult<Self>;

    /// `self % other`: what is left after `div`; it has the sign of `other`.
    ///
    /// # Errors
    /// `arithmetic`, if `other` is zero or the rest does not fit exactly.
    fn modulo(self, other: Self) -> ToolResult<Self>;

    /// `-self`.
    ///
    /// # Errors
    /// `arithmetic`, for the lowest `int`.
    fn negated(self) -> ToolResult<Self>;

    /// The distance from zero.
    ///
    /// # Errors
    /// `arithmetic`, for the lowest `int`.
    fn magnitude(self) -> ToolResult<Self>;
}

impl Checked for i64 {
    fn plus(self, other: Self) -> ToolResult<Self> {
        self.checked_add(other).ok_or_else(|| too_large(format_args!("{self} + {other}")))
    }

    fn minus(self, other: Self) -> ToolResult<Self> {
        self.checked_sub(other).ok_or_else(|| too_large(format_args!("{self} - {other}")))
    }

    fn times(self, other: Self) -> ToolResult<Self> {
        self.checked_mul(other).ok_or_else(|| too_large(format_args!("{self} * {other}")))
    }

    fn over(self, other: Self) -> ToolResult<Decimal> {
        Decimal::from(self).over(Decimal::from(other))
    }

    fn div(self, other: Self) -> ToolResult<Self> {
        if other == 0 {
            return Err(by_zero(format_args!("{self} div 0")));
        }
        let quotient = self.checked_div(other).ok_or_else(|| too_large(format_args!("{self} div {other}")))?;
        let uneven = self.checked_rem(other).is_some_and(|rest| rest != 0);
        // Never at the lowest int: a quotient that is not even is nearer to zero than that.
        Ok(if uneven && (self < 0) != (other < 0) { quotient - 1 } else { quotient })
    }

    fn modulo(self, other: Self) -> ToolResult<Self> {
        if other == 0 {
            return Err(by_zero(format_args!("{self} % 0")));
        }
        // The one case in which the remainder overflows is by -1, where it is 0.
        let rest = self.checked_rem(other).unwrap_or(0);
        Ok(if rest != 0 && (rest < 0) != (other < 0) { rest + other } else { rest })
    }

    fn negated(self) -> ToolResult<Self> {
        self.checked_neg().ok_or_else(|| too_large(format_args!("-({self})")))
    }

    fn magnitude(self) -> ToolResult<Self> {
        self.checked_abs().ok_or_else(|| too_large(format_args!("({self}).abs()")))
    }
}

#[cold]
fn too_large(expression: std::fmt::Arguments<'_>) -> ToolError {
    ToolError::arithmetic(format!("{expression} does not fit an int, which goes from {} to {}", i64::MIN, i64::MAX))
}

#[cold]
pub(super) fn by_zero(expression: std::fmt::Arguments<'_>) -> ToolError {
    ToolError::arithmetic(format!("{expression} divides by zero"))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn any_int() -> impl Strategy<Value = i64> {
        prop_oneof![
            any::<i64>(),
            -20_i64..20,
            Just(i64::MIN),
            Just(i64::MAX),
            (0_i64..3).prop_map(|n| i64::MAX - n),
            (0_i64..3).prop_map(|n| i64::MIN + n),
            (i64::MIN >> 31)..(i64::MAX >> 31),
        ]
    }

    fn fits(wide: i128) -> Option<i64> {
        i64::try_from(wide).ok()
    }

    proptest! {
        #[test]
        fn ints_agree_with_wide_arithmetic_or_fail(a in any_int(), b in any_int()) {
            let (x, y) = (i128::from(a), i128::from(b));
            prop_assert_eq!(a.plus(b).ok(), fits(x + y));
            prop_assert_eq!(a.minus(b).ok(), fits(x - y));
            prop_assert_eq!(a.times(b).ok(), fits(x * y));
            prop_assert_eq!(a.negated().ok(), fits(-x));
            prop_assert_eq!(a.magnitude().ok(), fits(x.abs()));
            let floor = (y != 0).then(|| x.div_euclid(y) - i128::from(y < 0 && x.rem_euclid(y) != 0));
            prop_assert_eq!(a.div(b).ok(), floor.and_then(fits));
            prop_assert_eq!(a.modulo(b).ok(), floor.and_then(|q| fits(x - q * y)));
        }
    }

    #[test]
    fn failures_show_the_calculation() {
        let said = [
            i64::MAX.plus(1),
            i64::MIN.minus(1),
            i64::MAX.times(-2),
            i64::MIN.negated(),
            i64::MIN.magnitude(),
            i64::MIN.div(-1),
            5.div(0),
            5.modulo(0),
        ]
        .map(|result| result.unwrap_err().to_string());
        insta::assert_debug_snapshot!(said);
        insta::assert_snapshot!(5_i64.over(0).unwrap_err(), @"arithmetic: 5 / 0 divides by zero");
    }
}
