//! What an agent gets instead of a result: a code, a message and perhaps details.

use std::borrow::Cow;
use std::fmt;
use std::ops::{Deref, DerefMut};

use super::json::Json;
use super::text::Text;

/// The result of something an agent can see fail.
pub type ToolResult<T> = Result<T, ToolError>;

/// What kind of failure it was: one word in `snake_case`, the agent's to branch on.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Code(Cow<'static, str>);

impl Code {
    /// Nothing goes by that key, position or name.
    pub const NOT_FOUND: Self = Self(Cow::Borrowed("not_found"));
    /// The world is not in a state that allows it.
    pub const INVALID_STATE: Self = Self(Cow::Borrowed("invalid_state"));
    /// The input does not fit what the tool takes.
    pub const INVALID_INPUT: Self = Self(Cow::Borrowed("invalid_input"));
    /// The caller may not do this.
    pub const NOT_ALLOWED: Self = Self(Cow::Borrowed("not_allowed"));
    /// A limit on size, steps or calls was reached.
    pub const LIMIT_EXCEEDED: Self = Self(Cow::Borrowed("limit_exceeded"));
    /// It would contradict what is there.
    pub const CONFLICT: Self = Self(Cow::Borrowed("conflict"));
    /// A calculation has no exact result within the limits of its type.
    pub const ARITHMETIC: Self = Self(Cow::Borrowed("arithmetic"));
    /// There is no tool of that name.
    pub const TOOL_NOT_FOUND: Self = Self(Cow::Borrowed("tool_not_found"));
    /// The run is over; no call is executed any more.
    pub const RUN_ENDED: Self = Self(Cow::Borrowed("run_ended"));

    /// A code of an environment's own.
    pub fn new(code: impl Into<Cow<'static, str>>) -> Self {
        Self(code.into())
    }

    /// The word itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl PartialEq<str> for Code {
    fn eq(&self, other: &str) -> bool {
        self.0 == other
    }
}

impl PartialEq<&str> for Code {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl From<&'static str> for Code {
    fn from(code: &'static str) -> Self {
        Self::new(code)
    }
}

impl From<String> for Code {
    fn from(code: String) -> Self {
        Self::new(code)
    }
}

/// Why a call, a method or a look-up failed, as the agent sees it. One pointer wide; its parts are read as fields.
///
/// ```
/// use silo_runtime::value::{Code, ToolError};
/// let error = ToolError::invalid_state("OPP-001 is won.");
/// assert_eq!(error.code, Code::INVALID_STATE);
/// assert_eq!(error.to_json().to_string(), r#"{"code":"invalid_state","message":"OPP-001 is won."}"#);
/// ```
#[derive(Clone, PartialEq)]
pub struct ToolError(Box<ErrorParts>);

/// The parts of a [`ToolError`].
#[derive(Clone, Debug, PartialEq)]
pub struct ErrorParts {
    /// What kind of failure.
    pub code: Code,
    /// What happened, for the agent to read.
    pub message: String,
    /// Data that goes with it.
    pub details: Option<Json>,
    /// The key that was looked for, where that is what failed. Not part of what the agent gets: it lets the session add a
    /// suggestion, from those keys only that this agent has been shown.
    pub unknown_key: Option<UnknownKey>,
}

/// A key that no row has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownKey {
    /// The name of the entity whose row was looked for.
    pub entity: Text,
    /// The key that was given.
    pub key: Text,
}

impl ToolError {
    /// An error with a code of any kind.
    pub fn new(code: impl Into<Code>, message: impl Into<String>) -> Self {
        Self(Box::new(ErrorParts { code: code.into(), message: message.into(), details: None, unknown_key: None }))
    }

    /// [`Code::NOT_FOUND`].
    pub fn not_found(message: impl Into<String>) -> Self {
        Self::new(Code::NOT_FOUND, message)
    }

    /// [`Code::INVALID_STATE`].
    pub fn invalid_state(message: impl Into<String>) -> Self {
        Self::new(Code::INVALID_STATE, message)
    }

    /// [`Code::ARITHMETIC`].
    pub fn arithmetic(message: impl Into<String>) -> Self {
        Self::new(Code::ARITHMETIC, message)
    }

    /// [`Code::INVALID_INPUT`].
    pub fn invalid_input(message: impl Into<String>) -> Self {
        Self::new(Code::INVALID_INPUT, message)
    }

    /// [`Code::LIMIT_EXCEEDED`].
    pub fn limit_exceeded(message: impl Into<String>) -> Self {
        Self::new(Code::LIMIT_EXCEEDED, message)
    }

    /// [`Code::NOT_ALLOWED`].
    pub fn not_allowed(message: impl Into<String>) -> Self {
        Self::new(Code::NOT_ALLOWED, message)
    }

    /// [`Code::CONFLICT`].
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(Code::CONFLICT, message)
    }

    /// The same error with data to go with it.
    #[must_use]
    pub fn with_details(mut self, details: impl Into<Json>) -> Self {
        self.0.details = Some(details.into());
        self
    }

    /// The parts, owned.
    pub fn into_parts(self) -> ErrorParts {
        *self.0
    }

    /// `{ "code": …, "message": …, "details"?: … }`, what the agent receives.
    pub fn to_json(&self) -> Json {
        let head = [("code", Json::from(self.code.as_str())), ("message", Json::from(self.message.as_str()))];
        Json::object(head.into_iter().chain(self.details.clone().map(|details| ("details", details))))
    }
}

/// The failures of look-ups and of `!`, said the same way by every back end.
impl ToolError {
    /// `t[k]`: no row of `entity` has that key.
    pub fn no_row(entity: &str, key: &str) -> Self {
        let mut error = Self::not_found(format!("there is no {entity} `{}`", super::text::shorten(key, 60)));
        error.unknown_key = Some(UnknownKey { entity: entity.into(), key: key.into() });
        error
    }

    /// `m[k]`: the map has no such key.
    pub fn no_entry(key: &str) -> Self {
        Self::not_found(format!("there is no entry `{}`", super::text::shorten(key, 60)))
    }

    /// `xs[i]`: the list has no such position.
    pub fn no_element(index: i64, count: usize) -> Self {
        let held = match count {
            0 => "the list is empty".to_owned(),
            1 => "the list has one element, at position 0".to_owned(),
            _ => format!("the list has {count} elements, at positions 0 to {}", count - 1),
        };
        Self::not_found(format!("there is no element at position {index}: {held}"))
    }

    /// `x!`: the value is null. `what` is the expression as the author wrote it.
    pub fn null_asserted(what: &str) -> Self {
        Self::invalid_state(format!("`{}` is null", super::text::shorten(what, 60)))
    }

    /// Reading through a reference whose row was removed.
    pub fn dangling(key: &str) -> Self {
        Self::invalid_state(format!("{} was removed", super::text::shorten(key, 60)))
    }
}

impl Deref for ToolError {
    type Target = ErrorParts;

    fn deref(&self) -> &ErrorParts {
        &self.0
    }
}

impl DerefMut for ToolError {
    fn deref_mut(&mut self) -> &mut ErrorParts {
        &mut self.0
    }
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("code", &self.code)
            .field("message", &self.message)
            .field("details", &self.details)
            .finish()
    }
}

impl std::error::Error for ToolError {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_error_is_one_pointer_wide() {
        assert_eq!(size_of::<ToolResult<()>>(), size_of::<usize>());
    }

    #[test]
    fn details_follow_the_message() {
        let error = ToolError::conflict("no").with_details(Json::object([("seat", Json::from(3))]));
        assert_eq!(error.to_json().to_string(), r#"{"code":"conflict","message":"no","details":{"seat":3}}"#);
        assert_eq!(error.to_string(), "conflict: no");
    }

    #[test]
    fn look_ups_say_what_is_there() {
        let said = [
            ToolError::no_row("User", "USR-999"),
            ToolError::no_entry("a"),
            ToolError::no_element(4, 3),
            ToolError::no_element(-1, 1),
            ToolError::no_element(0, 0),
            ToolError::null_asserted("team.results.find(..)"),
            ToolError::dangling("USR-004"),
        ]
        .map(|error| error.to_string());
        insta::assert_debug_snapshot!(said);
    }
}
