//! Why a text is not acceptable JSON, and where.

use std::fmt;

use super::locate::{Place, Span};

/// Why a text could not be read as JSON.
///
/// ```
/// use silo_runtime::value::json::{Json, Limits};
/// let error = Json::parse(r#"{"id": 1, "id": 2}"#, Limits::default()).unwrap_err();
/// assert_eq!(error.to_string(), "`id` is given twice in one object");
/// assert_eq!((error.span().start, error.first().map(|span| span.start)), (10, Some(1)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JsonError(Box<Parts>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct Parts {
    message: String,
    span: Span,
    first: Option<Span>,
    path: String,
    /// Whether the path is worth telling.
    has_path: bool,
}

impl JsonError {
    pub(super) fn new(span: Span, message: impl Into<String>) -> Self {
        Self(Box::new(Parts { message: message.into(), span, first: None, path: String::new(), has_path: true }))
    }

    pub(super) fn twice(name: &str, second: Span, first: Span) -> Self {
        let name = crate::value::text::shorten(name, 60);
        let mut error = Self::new(second, format!("`{name}` is given twice in one object"));
        error.0.first = Some(first);
        error
    }

    /// The same error, which lies too deep for a path to help.
    pub(super) fn without_path(mut self) -> Self {
        self.0.has_path = false;
        self
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Where, in bytes of the text.
    pub fn span(&self) -> Span {
        self.0.span
    }

    /// For a name used twice: where it was used first.
    pub fn first(&self) -> Option<Span> {
        self.0.first
    }

    /// The path of the value the error lies in, such as `lines[0].qty`; empty for the whole text.
    pub fn path(&self) -> &str {
        &self.0.path
    }

    /// Line and column of the error in the text that was parsed.
    pub fn place(&self, text: &str) -> Place {
        Place::of(text, self.0.span.start)
    }

    pub(super) fn within_element(mut self, index: usize) -> Self {
        self.prefix(&format!("[{index}]"));
        self
    }

    pub(super) fn within_member(mut self, name: &str) -> Self {
        self.prefix(name);
        self
    }

    fn prefix(&mut self, step: &str) {
        if !self.0.has_path {
            return;
        }
        let path = &mut self.0.path;
        if !path.is_empty() && !path.starts_with('[') {
            path.insert(0, '.');
        }
        path.insert_str(0, step);
    }
}

impl fmt::Display for JsonError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.message)
    }
}

impl std::error::Error for JsonError {}
