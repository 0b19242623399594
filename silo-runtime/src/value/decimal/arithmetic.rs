//! Calculating with decimals: exact, or an error.

use super::{DIGITS, Decimal, LIMIT};
use crate::value::checked::{Checked, by_zero};
use crate::value::error::{ToolError, ToolResult};

impl Checked for Decimal {
    fn plus(self, other: Self) -> ToolResult<Self> {
        let places = self.scale().max(other.scale());
        // With different places the last digit of the finer one is the last of the sum, so a coarser sum has lost it.
        self.0
            .checked_add(other.0)
            .filter(|sum| sum.scale() >= places || sum.is_zero())
            .and_then(Self::checked)
            .ok_or_else(|| inexact(self, "+", other))
    }

    fn minus(self, other: Self) -> ToolResult<Self> {
        let places = self.scale().max(other.scale());
        self.0
            .checked_sub(other.0)
            .filter(|difference| difference.scale() >= places || difference.is_zero())
            .and_then(Self::checked)
            .ok_or_else(|| inexact(self, "-", other))
    }

    fn times(self, other: Self) -> ToolResult<Self> {
        if self.0.is_zero() || other.0.is_zero() {
            return Ok(Self::ZERO);
        }
        let places = self.scale() + other.scale();
        if let Some(product) = self.0.checked_mul(other.0).filter(|product| product.scale() == places) {
            return Self::checked(product).ok_or_else(|| inexact(self, "*", other));
        }
        product(self, other).ok_or_else(|| inexact(self, "*", other))
    }

    fn over(self, other: Self) -> ToolResult<Self> {
        if other.0.is_zero() {
            return Err(by_zero(format_args!("{self} / 0")));
        }
        quotient(self, other).ok_or_else(|| too_large(self, "/", other))
    }

    fn div(self, other: Self) -> ToolResult<Self> {
        if other.0.is_zero() {
            return Err(by_zero(format_args!("{self} div 0")));
        }
        let (towards_zero, rest) = divide(self, other);
        let below = rest != 0 && self.is_negative() != other.is_negative();
        towards_zero
            .and_then(|whole| whole.checked_add(u128::from(below)))
            .and_then(|whole| signed(self.is_negative() != other.is_negative(), whole))
            .and_then(|whole| Self::new(whole, 0))
            .ok_or_else(|| too_large(self, "div", other))
    }

    fn modulo(self, other: Self) -> ToolResult<Self> {
        if other.0.is_zero() {
            return Err(by_zero(format_args!("{self} % 0")));
        }
        let (_, rest) = divide(self, other);
        let rest = signed(self.is_negative(), rest)
            .and_then(|rest| Self::new(rest, self.scale().max(other.scale())))
            .ok_or_else(|| inexact(self, "%", other))?;
        if rest != Self::ZERO && self.is_negative() != other.is_negative() {
            return rest.plus(other).map_err(|_| inexact(self, "%", other));
        }
        Ok(rest)
    }

    fn negated(self) -> ToolResult<Self> {
        Ok(-self)
    }

    fn magnitude(self) -> ToolResult<Self> {
        Ok(self.abs())
    }
}

impl std::ops::Neg for Decimal {
    type Output = Self;

    fn neg(self) -> Self {
        if self.0.is_zero() { self } else { Self(-self.0) }
    }
}

/// A product that does not fit at first sight: with the factors 2 and 5 that make its last zeros taken out it may.
fn product(a: Decimal, b: Decimal) -> Option<Decimal> {
    let (mut x, mut y) = (a.mantissa().unsigned_abs(), b.mantissa().unsigned_abs());
    let mut places = i64::from(a.scale()) + i64::from(b.scale());
    loop {
        if x % 10 == 0 {
            x /= 10;
        } else if y % 10 == 0 {
            y /= 10;
        } else if x % 5 == 0 && y % 2 == 0 {
            (x, y) = (x / 5, y / 2);
        } else if x % 2 == 0 && y % 5 == 0 {
            (x, y) = (x / 2, y / 5);
        } else {
            break;
        }
        places -= 1;
    }
    let mantissa = signed(a.is_negative() != b.is_negative(), x.checked_mul(y)?)?;
    placed(mantissa, places)
}

/// Long division, up to ten digits at a time, until 28 digits or 28 places are full.
fn quotient(a: Decimal, b: Decimal) -> Option<Decimal> {
    let (dividend, divisor) = (a.mantissa().unsigned_abs(), b.mantissa().unsigned_abs());
    let limit = LIMIT.unsigned_abs();
    let shift = i64::from(b.scale()) - i64::from(a.scale());
    let most = shift + i64::from(DIGITS);
    let (mut digits, mut rest) = (dividend.checked_div(divisor)?, dividend.checked_rem(divisor)?);
    let mut taken = 0_i64;
    while rest != 0 && taken < most && digits < limit / 10 {
        let room = if digits == 0 { DIGITS } else { DIGITS - 1 - digits.ilog10() };
        let step = room.min(10).min(u32::try_from(most - taken).unwrap_or(10));
        let unit = 10_u128.pow(step);
        // Below 10^28 · 10^10, which u128 holds.
        let scaled = rest * unit;
        digits = digits * unit + scaled / divisor;
        rest = scaled % divisor;
        taken += i64::from(step);
    }
    let half_even = match (rest * 2).cmp(&divisor) {
        std::cmp::Ordering::Less => false,
        std::cmp::Ordering::Equal => digits % 2 == 1,
        std::cmp::Ordering::Greater => true,
    };
    digits += u128::from(half_even);
    let mantissa = signed(a.is_negative() != b.is_negative(), digits)?;
    let places = taken - shift;
    // Digits are missing before the point: zeros if the division came out even, and else the quotient is too large.
    if places < 0 && rest != 0 { None } else { placed(mantissa, places) }
}

/// `mantissa` / 10^`places`, where a negative number of places adds zeros.
fn placed(mantissa: i128, places: i64) -> Option<Decimal> {
    if let Ok(places) = u32::try_from(places) {
        return Decimal::new(mantissa, places);
    }
    let zeros = u32::try_from(places.unsigned_abs()).ok().filter(|zeros| *zeros <= DIGITS)?;
    Decimal::new(mantissa.checked_mul(10_i128.pow(zeros))?, 0)
}

/// The whole quotient of the magnitudes, `None` if it is far too large, and the rest in units of the finer place.
fn divide(a: Decimal, b: Decimal) -> (Option<u128>, u128) {
    let (dividend, divisor) = (a.mantissa().unsigned_abs(), b.mantissa().unsigned_abs());
    if a.scale() >= b.scale() {
        // Below 10^28 · 10^28; where that does not fit, it is above the dividend in any case.
        let Some(divisor) = divisor.checked_mul(10_u128.pow(a.scale() - b.scale())) else { return (Some(0), dividend) };
        return (dividend.checked_div(divisor), dividend.checked_rem(divisor).unwrap_or(0));
    }
    let mut left = b.scale() - a.scale();
    let (mut whole, mut rest) = (dividend.checked_div(divisor), dividend.checked_rem(divisor).unwrap_or(0));
    while left > 0 {
        let step = left.min(10);
        let unit = 10_u128.pow(step);
        let scaled = rest * unit;
        let next = scaled.checked_div(divisor);
        whole = whole.and_then(|whole| whole.checked_mul(unit)).and_then(|whole| whole.checked_add(next?));
        rest = scaled.checked_rem(divisor).unwrap_or(0);
        left -= step;
    }
    (whole, rest)
}

fn signed(negative: bool, magnitude: u128) -> Option<i128> {
    let magnitude = i128::try_from(magnitude).ok()?;
    Some(if negative { -magnitude } else { magnitude })
}

#[cold]
fn inexact(a: Decimal, operator: &str, b: Decimal) -> ToolError {
    ToolError::arithmetic(format!("{a} {operator} {b} cannot be kept exactly: a decimal holds {DIGITS} digits"))
}

#[cold]
fn too_large(a: Decimal, operator: &str, b: Decimal) -> ToolError {
    ToolError::arithmetic(format!("{a} {operator} {b} does not fit a decimal, which holds {DIGITS} digits"))
}
