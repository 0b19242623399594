//! The one description of what a value may be: it gives the published JSON Schema, the decoder of inputs, answers and seed
//! data, and the problems that a decoder reports.

mod describe;
mod json_schema;

pub use json_schema::{Direction, json_schema};

use crate::ids::{EntityId, EnumId, RecordId};
use crate::methods::pattern::Pattern;
use crate::value::Decimal;
use std::sync::Arc;

/// What a value may be.
#[derive(Clone, Debug, PartialEq)]
pub enum Schema {
    /// `true` or `false`.
    Bool,
    /// Text; lengths count Unicode scalar values, a pattern must match all of it.
    String {
        /// Fewest characters.
        min_length: Option<u32>,
        /// Most characters.
        max_length: Option<u32>,
        /// What the whole text must match.
        pattern: Option<Arc<Pattern>>,
    },
    /// A 64-bit integer.
    Int {
        /// Lower bound, included.
        min: Option<i64>,
        /// Upper bound, included.
        max: Option<i64>,
    },
    /// An exact decimal.
    Decimal {
        /// Lower bound, included.
        min: Option<Decimal>,
        /// Upper bound, included.
        max: Option<Decimal>,
    },
    /// A calendar date.
    Date,
    /// An instant.
    DateTime,
    /// A member of an enum.
    Enum(EnumId),
    /// A record, closed.
    Record(RecordId),
    /// A reference: the key of a row.
    Entity(EntityId),
    /// A reference to a row of one of several entities, readable only by its key (a field that every case declares).
    AnyEntity(Vec<EntityId>),
    /// A list.
    List {
        /// What its elements may be.
        item: Box<Schema>,
        /// Fewest elements.
        min_items: Option<u32>,
        /// Most elements.
        max_items: Option<u32>,
        /// Whether no two elements may be equal.
        unique: bool,
    },
    /// A map.
    Map {
        /// What its keys are.
        key: MapKey,
        /// What its values may be.
        value: Box<Schema>,
    },
    /// The rows of a table.
    Table {
        /// Whose rows.
        entity: EntityId,
        /// How they stand in JSON.
        wire: TableWire,
    },
    /// The schema, or null.
    Optional(Box<Schema>),
    /// One of several shapes (the output of a tool with several `return`s).
    AnyOf(Vec<Schema>),
    /// Exactly `true`: the `ok` of a tool that returns nothing.
    True,
}

/// What the keys of a map are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MapKey {
    /// Any text.
    String,
    /// The members of an enum.
    Enum(EnumId),
    /// Keys of an entity's rows.
    Entity(EntityId),
}

/// How a table stands in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableWire {
    /// A list of rows.
    Array,
    /// An object from key to row.
    Object,
}

impl Schema {
    /// Text without limits.
    pub const TEXT: Self = Self::String { min_length: None, max_length: None, pattern: None };
    /// An integer without limits.
    pub const INT: Self = Self::Int { min: None, max: None };
    /// A decimal without limits.
    pub const DECIMAL: Self = Self::Decimal { min: None, max: None };

    /// The schema that also allows null; optional once however often it is asked for.
    #[must_use]
    pub fn optional(self) -> Self {
        match self {
            Self::Optional(_) => self,
            other => Self::Optional(Box::new(other)),
        }
    }
}
