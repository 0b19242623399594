//! Making JSON of other values.

use std::sync::Arc;

use super::{Json, Number, Object};
use crate::value::date::{Date, DateTime};
use crate::value::decimal::Decimal;
use crate::value::text::Text;

impl From<bool> for Json {
    fn from(value: bool) -> Self {
        Self::Bool(value)
    }
}

impl From<i64> for Json {
    fn from(int: i64) -> Self {
        Self::Number(Number::Int(int))
    }
}

impl From<i32> for Json {
    fn from(int: i32) -> Self {
        Self::from(i64::from(int))
    }
}

impl From<u32> for Json {
    fn from(int: u32) -> Self {
        Self::from(i64::from(int))
    }
}

impl From<u64> for Json {
    fn from(int: u64) -> Self {
        Self::from(Decimal::from(int))
    }
}

impl From<usize> for Json {
    /// A count of things in memory.
    fn from(count: usize) -> Self {
        Self::from(u64::try_from(count).unwrap_or(u64::MAX))
    }
}

impl From<Number> for Json {
    fn from(number: Number) -> Self {
        Self::Number(number)
    }
}

impl From<Decimal> for Json {
    fn from(decimal: Decimal) -> Self {
        Self::Number(decimal.into())
    }
}

impl From<Date> for Json {
    fn from(date: Date) -> Self {
        Self::from(date.to_string())
    }
}

impl From<DateTime> for Json {
    fn from(instant: DateTime) -> Self {
        Self::from(instant.to_string())
    }
}

impl From<&str> for Json {
    fn from(text: &str) -> Self {
        Self::String(text.into())
    }
}

impl From<String> for Json {
    fn from(text: String) -> Self {
        Self::String(text.into())
    }
}

impl From<Text> for Json {
    fn from(text: Text) -> Self {
        Self::String(text)
    }
}

impl From<&Text> for Json {
    fn from(text: &Text) -> Self {
        Self::String(Arc::clone(text))
    }
}

impl From<Object> for Json {
    fn from(object: Object) -> Self {
        Self::Object(Arc::new(object))
    }
}

impl From<Vec<Json>> for Json {
    fn from(elements: Vec<Json>) -> Self {
        Self::Array(Arc::new(elements))
    }
}

impl<T: Into<Json>> From<Option<T>> for Json {
    /// `None` is `null`.
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl FromIterator<Json> for Json {
    /// An array.
    fn from_iter<I: IntoIterator<Item = Json>>(elements: I) -> Self {
        Self::from(elements.into_iter().collect::<Vec<_>>())
    }
}
