//! Reading a number: the grammar of JSON, exactly.

use std::fmt;
use std::str::FromStr;

use super::{DIGITS, Decimal};
use crate::value::text::shorten;

/// Why a text is not a decimal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotDecimal {
    /// It is not a number as JSON writes one, such as `-12.5` or `1e3`.
    NotANumber(String),
    /// It is a number, but takes more than 28 digits.
    TooLong(String),
}

impl fmt::Display for NotDecimal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotANumber(text) if text.is_empty() => {
                f.write_str("expected a number such as -12.5, found an empty text")
            }
            Self::NotANumber(text) => write!(f, "expected a number such as -12.5, found `{}`", shorten(text, 60)),
            Self::TooLong(text) => {
                write!(f, "`{}` does not fit a decimal, which holds {DIGITS} digits exactly", shorten(text, 60))
            }
        }
    }
}

impl std::error::Error for NotDecimal {}

impl FromStr for Decimal {
    type Err = NotDecimal;

    /// Reads a number in the grammar of JSON: `-12.50`, `1e3`; not `+1`, `.5`, `1.`, `007`, `1_000`, ` 1`, `NaN`.
    fn from_str(text: &str) -> Result<Self, NotDecimal> {
        let lexeme = Lexeme::read(text).ok_or_else(|| NotDecimal::NotANumber(shorten(text, 60)))?;
        lexeme.to_decimal().ok_or_else(|| NotDecimal::TooLong(shorten(text, 60)))
    }
}

/// A number taken apart: ±digits × 10^exponent, with zeros stripped from both ends of the digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Lexeme {
    negative: bool,
    /// The digits, or `None` if there are more than fit 28.
    digits: Option<u128>,
    /// Saturates far outside what any number can use.
    exponent: i64,
    /// Whether the text was the one spelling of the value: no exponent, no needless zero, no `-0`.
    canonical: bool,
}

impl Lexeme {
    /// Takes a text apart that is one JSON number from end to end.
    pub(crate) fn read(text: &str) -> Option<Self> {
        let mut bytes = text.as_bytes();
        let negative = bytes.first() == Some(&b'-');
        if negative {
            bytes = bytes.get(1..)?;
        }
        let (whole, rest) = split_digits(bytes);
        if whole.is_empty() || (whole.len() > 1 && whole.first() == Some(&b'0')) {
            return None;
        }
        let (fraction, rest) = match rest.split_first() {
            Some((b'.', rest)) => split_digits(rest),
            _ => (&[][..], rest),
        };
        if fraction.is_empty() && text.as_bytes().contains(&b'.') {
            return None;
        }
        let (written_exponent, has_exponent) = match rest.split_first() {
            None => (0, false),
            Some((b'e' | b'E', rest)) => (read_exponent(rest)?, true),
            Some(_) => return None,
        };
        let canonical = !has_exponent && fraction.last() != Some(&b'0');
        Some(Self::assemble(negative, whole, fraction, written_exponent, canonical))
    }

    fn assemble(negative: bool, whole: &[u8], fraction: &[u8], written_exponent: i64, canonical: bool) -> Self {
        let mut value: u128 = 0;
        let mut used: u32 = 0;
        let mut zeros: u32 = 0;
        let mut too_long = false;
        for digit in whole.iter().chain(fraction) {
            let digit = u128::from(digit - b'0');
            if digit == 0 {
                // Held back: zeros at the end become part of the exponent.
                zeros = if value == 0 { 0 } else { zeros.saturating_add(1) };
                continue;
            }
            used = used.saturating_add(zeros).saturating_add(1);
            if used > DIGITS {
                too_long = true;
                zeros = 0;
                continue;
            }
            value = value * 10_u128.pow(zeros + 1) + digit;
            zeros = 0;
        }
        let places = i64::try_from(fraction.len()).unwrap_or(i64::MAX);
        let exponent = written_exponent.saturating_sub(places).saturating_add(i64::from(zeros));
        let zero = value == 0 && !too_long;
        Self {
            negative: negative && !zero,
            digits: (!too_long).then_some(value),
            exponent: if zero { 0 } else { exponent },
            canonical: canonical && !(negative && zero),
        }
    }

    /// Whether the text was the one spelling of its value.
    pub(crate) fn is_canonical(self) -> bool {
        self.canonical
    }

    /// Whether the value is a whole number, of whatever size.
    pub(crate) fn is_whole(self) -> bool {
        self.exponent >= 0
    }

    /// The exact value, if it fits.
    pub(crate) fn to_decimal(self) -> Option<Decimal> {
        let (mantissa, scale) = self.scaled(DIGITS)?;
        Decimal::new(mantissa, scale)
    }

    /// The exact value, if it is a whole number that fits: `5`, `5.0` and `5e0` are all 5.
    pub(crate) fn to_int(self) -> Option<i64> {
        match self.scaled(19)? {
            (mantissa, 0) => i64::try_from(mantissa).ok(),
            _ => None,
        }
    }

    /// Mantissa and places after the point, where the zeros before the point number `most` at the most.
    fn scaled(self, most: u32) -> Option<(i128, u32)> {
        let digits = i128::try_from(self.digits?).ok()?;
        let signed = if self.negative { -digits } else { digits };
        if self.exponent >= 0 {
            let zeros = u32::try_from(self.exponent).ok().filter(|zeros| *zeros <= most)?;
            Some((signed.checked_mul(10_i128.pow(zeros))?, 0))
        } else {
            let places = u32::try_from(self.exponent.unsigned_abs()).ok().filter(|places| *places <= DIGITS)?;
            Some((signed, places))
        }
    }
}

/// The leading digits and what follows them.
fn split_digits(bytes: &[u8]) -> (&[u8], &[u8]) {
    let count = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
    bytes.split_at_checked(count).unwrap_or((bytes, &[]))
}

/// The exponent's value, saturating; `None` if it is not one.
fn read_exponent(bytes: &[u8]) -> Option<i64> {
    let (negative, digits) = match bytes.split_first()? {
        (b'-', rest) => (true, rest),
        (b'+', rest) => (false, rest),
        _ => (false, bytes),
    };
    if digits.is_empty() || !digits.iter().all(u8::is_ascii_digit) {
        return None;
    }
    // Far from the ends of i64, so that adding and subtracting places saturates nowhere that matters.
    let magnitude =
        digits.iter().fold(0_i64, |sum, digit| (sum * 10 + i64::from(digit - b'0')).min(1_000_000_000_000_000));
    Some(if negative { -magnitude } else { magnitude })
}
