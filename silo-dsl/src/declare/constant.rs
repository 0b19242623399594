//! Constants: what limits, defaults, settings, `const` and the beginning of state may be written with. Literals, other constants,
//! arithmetic, and lists, records and maps of these; evaluated here, before any code is checked.

mod arithmetic;
mod evaluate;
mod json;

use super::types::Names;
use crate::diagnostics::Span;
use crate::syntax::tree;
use silo_runtime::value::{Date, DateTime, Decimal, Text};
use std::cell::Cell;

/// A constant and where it is written.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Located {
    pub(crate) value: Constant,
    /// Where it is written; of a named constant, where the name is used.
    pub(crate) span: Span,
}

/// A constant without a type: a string may still be an enum's member or a key.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Constant {
    Null,
    Bool(bool),
    Int(i64),
    Decimal(Decimal),
    Date(Date),
    DateTime(DateTime),
    Text(Text),
    List(Vec<Located>),
    Record(Vec<Member>),
    Map(Vec<Member>),
}

/// A member of a record or an entry of a map.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Member {
    pub(crate) name: Text,
    pub(crate) name_span: Span,
    pub(crate) value: Located,
}

impl Constant {
    /// What sort of value it is, with its article.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a bool",
            Self::Int(_) => "a whole number",
            Self::Decimal(_) => "a decimal",
            Self::Date(_) => "a date",
            Self::DateTime(_) => "a datetime",
            Self::Text(_) => "a string",
            Self::List(_) => "a list",
            Self::Record(_) => "a record",
            Self::Map(_) => "a map",
        }
    }
}

/// How many parts constants may have, all together: names can be used again and again.
const BUDGET: u32 = 2_000_000;

/// The `const` items of a project by name, to be evaluated where they are used.
#[derive(Debug)]
pub(crate) struct Constants<'t> {
    by_name: Names<&'t tree::Const>,
    /// How many more parts may be made.
    left: Cell<u32>,
}

impl Default for Constants<'_> {
    fn default() -> Self {
        Self { by_name: Names::default(), left: Cell::new(BUDGET) }
    }
}

impl<'t> Constants<'t> {
    /// Adds a `const`; of two with one name the first counts.
    pub(crate) fn add(&mut self, item: &'t tree::Const) {
        self.by_name.entry(std::sync::Arc::clone(&item.name.text)).or_insert(item);
    }
}
