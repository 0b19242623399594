//! A JSON text with the place of every value and name: what seed data is checked in.

use std::fmt;
use std::sync::Arc;

use super::object::Names;
use super::parse::{self, Limits};
use super::{Json, JsonError, Number, Object};
use crate::value::text::Text;

/// A piece of a text, in bytes from its beginning. The end is exclusive.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

impl Span {
    /// The span between two places.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.start, self.end)
    }
}

/// Line and column, both from 1; the column counts Unicode scalar values. A line ends in LF or CRLF.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The line.
    pub line: u32,
    /// The column.
    pub column: u32,
}

impl Place {
    /// The place of a byte of a text; past the end it is the end. A leading byte order mark takes no column.
    pub fn of(text: &str, offset: u32) -> Self {
        let offset = usize::try_from(offset).unwrap_or(usize::MAX).min(text.len());
        let mut place = Self { line: 1, column: 1 };
        for (at, c) in text.char_indices().take_while(|(at, _)| *at < offset) {
            match c {
                '\n' => place = Self { line: place.line.saturating_add(1), column: 1 },
                '\u{feff}' if at == 0 => {}
                _ => place.column = place.column.saturating_add(1),
            }
        }
        place
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {}, column {}", self.line, self.column)
    }
}

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    /// From the first byte of the value to its last.
    pub span: Span,
    /// The value.
    pub node: Node,
}

/// A value whose parts know where they stand.
#[derive(Clone, Debug, PartialEq)]
pub enum Node {
    /// `null`.
    Null,
    /// `true` or `false`.
    Bool(bool),
    /// A number.
    Number(Number),
    /// A string.
    String(Text),
    /// An array.
    Array(Vec<Located>),
    /// An object, in the order written; names are unique.
    Object(Vec<Member>),
}

/// A member of an object.
#[derive(Clone, Debug, PartialEq)]
pub struct Member {
    /// The name.
    pub name: Text,
    /// Where the name stands, quotes included.
    pub name_span: Span,
    /// The value.
    pub value: Located,
}

impl Located {
    /// Reads one JSON text as [`Json::parse`] does.
    ///
    /// # Errors
    /// As [`Json::parse`].
    pub fn parse(text: &str, limits: Limits) -> Result<Self, JsonError> {
        parse::located(text, limits)
    }

    /// The value of the member of that name.
    pub fn get(&self, name: &str) -> Option<&Self> {
        let Node::Object(members) = &self.node else { return None };
        members.iter().find(|member| *member.name == *name).map(|member| &member.value)
    }

    /// The part a JSON pointer (RFC 6901) names: `/users`, `/users/0/name`; the empty pointer is the whole.
    pub fn pointer(&self, pointer: &str) -> Option<&Self> {
        if pointer.is_empty() {
            return Some(self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(self, |at, step| match &at.node {
            Node::Array(elements) if step == "0" || !step.starts_with(['0', '+']) => {
                elements.get(step.parse::<usize>().ok()?)
            }
            Node::Object(_) => at.get(&step.replace("~1", "/").replace("~0", "~")),
            _ => None,
        })
    }

    /// The plain value.
    pub fn to_json(&self) -> Json {
        match &self.node {
            Node::Null => Json::Null,
            Node::Bool(value) => Json::Bool(*value),
            Node::Number(number) => Json::Number(number.clone()),
            Node::String(text) => Json::String(Arc::clone(text)),
            Node::Array(elements) => elements.iter().map(Self::to_json).collect(),
            Node::Object(members) => {
                let names = members.iter().map(|member| Arc::clone(&member.name)).collect();
                let values = members.iter().map(|member| member.value.to_json()).collect();
                Json::from(Object::from_parts(Names::Own(names), values))
            }
        }
    }

    /// What sort of value it is, with its article, as [`Json::kind`] says it.
    pub fn kind(&self) -> &'static str {
        match self.node {
            Node::Null => "null",
            Node::Bool(_) => "a boolean",
            Node::Number(_) => "a number",
            Node::String(_) => "a string",
            Node::Array(_) => "an array",
            Node::Object(_) => "an object",
        }
    }
}
