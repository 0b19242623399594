//! Exact decimal numbers.
//!
//! A decimal holds up to 28 digits, of which up to 28 may stand after the point. Each value has one spelling: no trailing
//! zeros after the point, no `-0`, no exponent. Sums, differences and products that would lose a digit fail; quotients
//! round half-even at the 28th digit.

mod arithmetic;
mod parse;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::fmt;

use rust_decimal::{Decimal as Raw, RoundingStrategy};

pub(crate) use parse::Lexeme;
pub use parse::NotDecimal;

use super::error::{ToolError, ToolResult};

/// How many digits a decimal holds, and how many of them may stand after the point.
pub const DIGITS: u32 = 28;

/// 10^28: the first mantissa that is too large.
const LIMIT: i128 = 10_i128.pow(DIGITS);

/// An exact decimal number.
///
/// ```
/// use silo_runtime::value::{Checked, Decimal};
/// let sum = "0.1".parse::<Decimal>()?.plus("0.2".parse()?)?;
/// assert_eq!(sum.to_string(), "0.3");
/// assert_eq!("140000.00".parse::<Decimal>()?.to_string(), "140000");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
// Invariants: normalised (no trailing zeros after the point, zero is positive), fewer than 29 digits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Decimal(Raw);

impl Decimal {
    /// 0.
    pub const ZERO: Self = Self(Raw::ZERO);
    /// 1.
    pub const ONE: Self = Self(Raw::ONE);
    /// The largest decimal, 28 nines.
    pub const MAX: Self = Self(Raw::from_parts(0x0fff_ffff, 0x3e25_0261, 0x204f_ce5e, false, 0));
    /// The lowest decimal.
    pub const MIN: Self = Self(Raw::from_parts(0x0fff_ffff, 0x3e25_0261, 0x204f_ce5e, true, 0));

    /// `mantissa` / 10^`scale`; `None` if that takes more than 28 digits.
    ///
    /// ```
    /// use silo_runtime::value::Decimal;
    /// assert_eq!(Decimal::new(1250, 3).map(|d| d.to_string()).as_deref(), Some("1.25"));
    /// assert_eq!(Decimal::new(1, 29), None);
    /// ```
    pub fn new(mut mantissa: i128, mut scale: u32) -> Option<Self> {
        while scale > 0 && mantissa % 10 == 0 {
            mantissa /= 10;
            scale = if mantissa == 0 { 0 } else { scale - 1 };
        }
        if mantissa <= -LIMIT || mantissa >= LIMIT {
            return None;
        }
        Raw::try_from_i128_with_scale(mantissa, scale).ok().map(Self)
    }

    /// `mantissa` / 10^`scale` where the caller knows that no zero ends it and that up to 18 digits make it up.
    pub(crate) fn from_normal(mantissa: i64, scale: u32) -> Self {
        debug_assert!(scale <= 18 && (scale == 0 || mantissa % 10 != 0));
        Self(Raw::try_new(mantissa, scale).unwrap_or_default())
    }

    /// The digits as a whole number; together with [`Self::scale`] the exact value.
    pub fn mantissa(self) -> i128 {
        self.0.mantissa()
    }

    /// How many digits stand after the point.
    pub fn scale(self) -> u32 {
        self.0.scale()
    }

    /// Whether it is a whole number.
    pub fn is_whole(self) -> bool {
        self.0.scale() == 0
    }

    /// Whether it is below zero.
    pub fn is_negative(self) -> bool {
        self.0.is_sign_negative()
    }

    /// The same number as an `int`, if it is whole and fits.
    pub fn to_int(self) -> Option<i64> {
        if self.is_whole() { i64::try_from(self.0.mantissa()).ok() } else { None }
    }

    /// The distance from zero.
    #[must_use]
    pub fn abs(self) -> Self {
        Self(self.0.abs())
    }

    /// The largest whole number that is not above this one.
    #[must_use]
    pub fn floor(self) -> Self {
        self.to_whole(RoundingStrategy::ToNegativeInfinity)
    }

    /// The smallest whole number that is not below this one.
    #[must_use]
    pub fn ceil(self) -> Self {
        self.to_whole(RoundingStrategy::ToPositiveInfinity)
    }

    /// Rounded to `places` digits after the point, half away from zero: 2.345 to 2.35, -2.345 to -2.35. A negative number
    /// of places rounds to tens, hundreds and so on.
    ///
    /// # Errors
    /// `arithmetic`, if rounding up to tens or more takes a 29th digit.
    pub fn round(self, places: i64) -> ToolResult<Self> {
        if places < 0 {
            return self.round_to_tens(places.unsigned_abs());
        }
        let places = u32::try_from(places).unwrap_or(u32::MAX);
        if places >= self.scale() {
            return Ok(self);
        }
        // Rounding up needs no new digit that the ones dropped did not hold.
        Ok(Self::normal(self.0.round_dp_with_strategy(places, RoundingStrategy::MidpointAwayFromZero)))
    }

    /// Rounded to a whole number, half away from zero.
    #[must_use]
    pub fn round_whole(self) -> Self {
        self.to_whole(RoundingStrategy::MidpointAwayFromZero)
    }

    fn to_whole(self, strategy: RoundingStrategy) -> Self {
        if self.is_whole() { self } else { Self::normal(self.0.round_dp_with_strategy(0, strategy)) }
    }

    fn round_to_tens(self, tens: u64) -> ToolResult<Self> {
        let Some(unit) = u32::try_from(tens).ok().filter(|tens| *tens <= DIGITS).map(|tens| 10_i128.pow(tens)) else {
            return Ok(Self::ZERO);
        };
        let whole = self.0.trunc().mantissa();
        // Digits after the point never decide: with them or without, the half is reached by the whole part alone.
        let half_up = (whole.abs() + unit / 2) / unit * unit * whole.signum();
        Self::new(half_up, 0)
            .ok_or_else(|| ToolError::arithmetic(format!("{self} rounded to {unit}s does not fit a decimal")))
    }

    /// Restores the invariant after an operation that kept within 28 digits.
    fn normal(raw: Raw) -> Self {
        let mut raw = if raw.scale() == 0 { raw } else { raw.normalize() };
        if raw.is_zero() {
            raw.set_sign_positive(true);
        }
        Self(raw)
    }

    /// Restores the invariant; `None` if the number has more than 28 digits.
    fn checked(raw: Raw) -> Option<Self> {
        let normal = Self::normal(raw);
        let mantissa = normal.0.mantissa();
        (-LIMIT < mantissa && mantissa < LIMIT).then_some(normal)
    }
}

impl From<i64> for Decimal {
    fn from(int: i64) -> Self {
        Self(Raw::from(int))
    }
}

impl From<i32> for Decimal {
    fn from(int: i32) -> Self {
        Self(Raw::from(int))
    }
}

impl From<u64> for Decimal {
    fn from(int: u64) -> Self {
        Self(Raw::from(int))
    }
}

impl PartialEq<i64> for Decimal {
    fn eq(&self, other: &i64) -> bool {
        *self == Self::from(*other)
    }
}

impl PartialOrd<i64> for Decimal {
    fn partial_cmp(&self, other: &i64) -> Option<Ordering> {
        self.partial_cmp(&Self::from(*other))
    }
}

impl fmt::Display for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

impl fmt::Debug for Decimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
