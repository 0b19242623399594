//! Numbers that keep their text.

use std::fmt;

use crate::value::decimal::{Decimal, Lexeme};
use crate::value::text::Text;

/// A JSON number, exact.
///
/// ```
/// use silo_runtime::value::json::{Json, Limits, Number};
/// let received = Json::parse("[5.0, 1e3, 9007199254740993]", Limits::default())?;
/// assert_eq!(received.to_string(), "[5.0,1e3,9007199254740993]");
/// let ints: Vec<_> = received.as_array().unwrap_or_default().iter().map(Json::as_int).collect();
/// assert_eq!(ints, [Some(5), Some(1000), Some(9007199254740993)]);
/// # Ok::<(), silo_runtime::value::json::JsonError>(())
/// ```
#[derive(Clone)]
pub enum Number {
    /// A whole number that fits 64 bits, written in the usual way.
    Int(i64),
    /// Any other number of up to 28 digits, written in its one spelling.
    Decimal(Decimal),
    /// A number written in any other way, such as `1e3`, `5.0`, `-0`, or one of too many digits: the text as received.
    Lexical(Text),
}

impl Number {
    /// Reads a text that is one JSON number from end to end.
    pub fn parse(text: &str) -> Option<Self> {
        let lexeme = Lexeme::read(text)?;
        if lexeme.is_canonical() {
            if let Some(int) = lexeme.to_int() {
                return Some(Self::Int(int));
            }
            if let Some(decimal) = lexeme.to_decimal() {
                return Some(Self::Decimal(decimal));
            }
        }
        Some(Self::Lexical(text.into()))
    }

    /// The value as an int, if it is a whole number that fits 64 bits: `5`, `5.0` and `5e0` are all 5.
    pub fn as_int(&self) -> Option<i64> {
        match self {
            Self::Int(int) => Some(*int),
            Self::Decimal(decimal) => decimal.to_int(),
            Self::Lexical(text) => Lexeme::read(text)?.to_int(),
        }
    }

    /// The value as a decimal, if it fits 28 digits exactly.
    pub fn as_decimal(&self) -> Option<Decimal> {
        match self {
            Self::Int(int) => Some(Decimal::from(*int)),
            Self::Decimal(decimal) => Some(*decimal),
            Self::Lexical(text) => Lexeme::read(text)?.to_decimal(),
        }
    }

    /// Whether it is a whole number, of whatever size and however written.
    pub fn is_whole(&self) -> bool {
        match self {
            Self::Int(_) => true,
            Self::Decimal(decimal) => decimal.is_whole(),
            Self::Lexical(text) => Lexeme::read(text).is_some_and(Lexeme::is_whole),
        }
    }
}

/// Equal if written the same.
impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Int(a), Self::Int(b)) => a == b,
            (Self::Lexical(a), Self::Lexical(b)) => a == b,
            (Self::Decimal(a), Self::Decimal(b)) => a == b,
            (Self::Int(int), Self::Decimal(decimal)) | (Self::Decimal(decimal), Self::Int(int)) => decimal == int,
            (Self::Lexical(_), _) | (_, Self::Lexical(_)) => false,
        }
    }
}

impl Eq for Number {}

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Int(int) => fmt::Display::fmt(int, f),
            Self::Decimal(decimal) => fmt::Display::fmt(decimal, f),
            Self::Lexical(text) => f.write_str(text),
        }
    }
}

impl fmt::Debug for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl From<i64> for Number {
    fn from(int: i64) -> Self {
        Self::Int(int)
    }
}

impl From<Decimal> for Number {
    fn from(decimal: Decimal) -> Self {
        decimal.to_int().map_or(Self::Decimal(decimal), Self::Int)
    }
}
