//! Paths into a state field.

use crate::ids::FieldId;
use crate::value::Text;
use crate::value::json::Json;
use std::fmt;

/// A step from a value into one of its parts.
#[derive(Clone, Debug, PartialEq)]
pub enum PathStep {
    /// A field of a row or record: its slot and its name on the wire.
    Field(FieldId, Text),
    /// A row by its key, an entry of a map.
    Key(Text),
    /// An element of a list.
    Index(u32),
}

impl fmt::Display for PathStep {
    /// `.name`, `.key`, `[3]`; a key that could be misread as something else in brackets and quotes.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Field(_, name) => write!(f, ".{name}"),
            Self::Key(key) if is_plain(key) => write!(f, ".{key}"),
            Self::Key(key) => write!(f, "[{}]", Json::String(key.clone())),
            Self::Index(index) => write!(f, "[{index}]"),
        }
    }
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && !key.contains(|c: char| c.is_control() || c.is_whitespace() || ".[]\"`:".contains(c))
}

/// A path as text, without the dot in front.
pub(super) fn path_text(path: &[PathStep]) -> String {
    use fmt::Write;
    let mut text = String::new();
    for step in path {
        // Writing to a string does not fail.
        let _ = write!(text, "{step}");
    }
    match text.strip_prefix('.') {
        Some(stripped) => stripped.to_owned(),
        None => text,
    }
}
