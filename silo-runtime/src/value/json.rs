//! JSON as the engine keeps it: numbers exact to the digit, members in the order written, names unique.
//!
//! Cloning any value is O(1), so that outputs are copied out of a world by cloning.

mod convert;
mod error;
mod locate;
mod number;
mod object;
mod parse;
#[cfg(test)]
mod tests;
mod write;

use std::sync::Arc;

pub use error::JsonError;
pub use locate::{Located, Member, Node, Place, Span};
pub use number::Number;
pub use object::Object;
pub use parse::Limits;
pub use write::{ArrayWriter, ObjectWriter, write_string};

use super::text::Text;

/// A JSON value.
///
/// Two values are equal if they are written the same: `5` and `5.0` are different numbers here, though both are the int 5.
///
/// ```
/// use silo_runtime::value::json::{Json, Limits};
/// let input = Json::parse(r#"{"limit": 20, "price": 1.50}"#, Limits::default())?;
/// assert_eq!(input.get("limit"), Some(&Json::from(20)));
/// assert_eq!(input.to_string(), r#"{"limit":20,"price":1.50}"#);
/// # Ok::<(), silo_runtime::value::json::JsonError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Default)]
pub enum Json {
    /// `null`.
    #[default]
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number, with its exact text.
    Number(Number),
    /// A string.
    String(Text),
    /// An array.
    Array(Arc<Vec<Json>>),
    /// An object.
    Object(Arc<Object>),
}

impl Json {
    /// Reads one JSON text. One leading byte order mark is skipped.
    ///
    /// # Errors
    /// [`JsonError`] with the place and the reason: a text that is not JSON, a name used twice in an object, an escaped
    /// lone surrogate, nesting or size over the limits.
    pub fn parse(text: &str, limits: Limits) -> Result<Self, JsonError> {
        parse::plain(text, limits)
    }

    /// Builds an object; of equal names the last wins, in the place of the first.
    ///
    /// ```
    /// use silo_runtime::value::Json;
    /// let seat = Json::object([("row", Json::from(12)), ("letter", "C".into())]);
    /// assert_eq!(seat.to_string(), r#"{"row":12,"letter":"C"}"#);
    /// ```
    pub fn object<N: Into<Text>, V: Into<Self>>(members: impl IntoIterator<Item = (N, V)>) -> Self {
        Self::from(members.into_iter().map(|(name, value)| (name.into(), value.into())).collect::<Object>())
    }

    /// Builds an array.
    pub fn array<V: Into<Self>>(elements: impl IntoIterator<Item = V>) -> Self {
        elements.into_iter().map(Into::into).collect()
    }

    /// The member of that name, if this is an object that has it.
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.as_object()?.get(name)
    }

    /// Whether this is `null`.
    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }

    /// The value of `true` or `false`.
    pub fn as_bool(&self) -> Option<bool> {
        if let Self::Bool(value) = self { Some(*value) } else { None }
    }

    /// The number.
    pub fn as_number(&self) -> Option<&Number> {
        if let Self::Number(number) = self { Some(number) } else { None }
    }

    /// The number as an int, if it is a whole one that fits: also `5.0` and `5e0`.
    pub fn as_int(&self) -> Option<i64> {
        self.as_number()?.as_int()
    }

    /// The string.
    pub fn as_str(&self) -> Option<&str> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The string, shared.
    pub fn as_text(&self) -> Option<&Text> {
        if let Self::String(text) = self { Some(text) } else { None }
    }

    /// The elements of an array.
    pub fn as_array(&self) -> Option<&[Self]> {
        if let Self::Array(elements) = self { Some(elements) } else { None }
    }

    /// The members of an object.
    pub fn as_object(&self) -> Option<&Object> {
        if let Self::Object(object) = self { Some(object) } else { None }
    }

    /// What sort of value it is, with its article: `a string`, `null`.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::String(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }
}
