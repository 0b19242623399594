//! Where the parts of a value stand, whatever the value was written in.

use crate::diagnostics::{FileId, Span};
use silo_runtime::input::{PathSegment, Problem};
use silo_runtime::value::Text;
use silo_runtime::value::json::{self, Node};

/// The place of a value and of its parts, under their names on the wire.
#[derive(Clone, Debug)]
pub(crate) struct Places {
    /// The whole value.
    pub(crate) span: Span,
    /// Its parts.
    pub(crate) parts: Parts,
}

/// The parts of a value.
#[derive(Clone, Debug)]
pub(crate) enum Parts {
    /// It has none.
    None,
    /// Elements.
    Elements(Vec<Places>),
    /// Members: name, place of the name, value.
    Members(Vec<(Text, Span, Places)>),
}

impl Places {
    /// A value without parts.
    pub(crate) fn leaf(span: Span) -> Self {
        Self { span, parts: Parts::None }
    }

    /// The places of a JSON value in a file; `offset` is where its text begins in the file.
    pub(crate) fn of_json(located: &json::Located, file: FileId, offset: u32) -> Self {
        let parts = match &located.node {
            Node::Array(items) => Parts::Elements(items.iter().map(|item| Self::of_json(item, file, offset)).collect()),
            Node::Object(members) => Parts::Members(
                members
                    .iter()
                    .map(|member| {
                        let name = span_of(member.name_span, file, offset);
                        (member.name.clone(), name, Self::of_json(&member.value, file, offset))
                    })
                    .collect(),
            ),
            _ => Parts::None,
        };
        Self { span: span_of(located.span, file, offset), parts }
    }

    /// Where a part stands. Of a member that is missing, the beginning of what should hold it.
    pub(crate) fn find(&self, path: &[PathSegment]) -> Found {
        let mut here = self;
        let mut name = None;
        for (step, segment) in path.iter().enumerate() {
            let part = match (&here.parts, segment) {
                (Parts::Elements(items), PathSegment::Index(index)) => items.get(*index).map(|part| (None, part)),
                (Parts::Members(members), PathSegment::Name(wanted)) => {
                    members.iter().find(|(name, _, _)| name == wanted).map(|(_, span, part)| (Some(*span), part))
                }
                (Parts::Members(members), PathSegment::Index(index)) => {
                    members.get(*index).map(|(_, span, part)| (Some(*span), part))
                }
                _ => None,
            };
            let Some((part_name, part)) = part else {
                return Found { value: here.span, name, missing: step < path.len() };
            };
            here = part;
            name = part_name;
        }
        Found { value: here.span, name, missing: false }
    }
}

/// Where a part stands.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    /// The value; of a missing one, the value that should hold it.
    pub(crate) value: Span,
    /// Its name, if it is a member.
    pub(crate) name: Option<Span>,
    /// Whether it is not there.
    pub(crate) missing: bool,
}

impl Found {
    /// Where the fault stands: the value, or the name of a member that is itself what does not fit, such as a key of a map.
    pub(crate) fn wrong(&self, problem: &Problem) -> Span {
        let is_name = |name: &Text| match &problem.unknown_key {
            Some(unknown) => unknown.key == *name,
            None => problem.received.trim_matches('"') == &**name,
        };
        match (self.name, problem.at.last()) {
            (Some(span), Some(PathSegment::Name(name))) if is_name(name) => span,
            _ => self.value,
        }
    }
}

/// The span of a piece of a file's text.
pub(crate) fn span_of(span: json::Span, file: FileId, offset: u32) -> Span {
    Span::new(file, span.start.saturating_add(offset), span.end.saturating_add(offset))
}
