//! What differs between two worlds of one seed.
//!
//! A [`Diff`] is data: every row added or removed and every field changed is one [`Difference`], with a path of ids and the
//! values on both sides. Grading, artifacts and invariants all read it. It is found by reading what the two worlds changed,
//! never by reading the seed.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

mod between;
mod coverage;
mod json;
mod path;
mod touched;
mod value;

#[cfg(test)]
mod tests;

pub use between::between;
pub use coverage::{Only, OnlyStep, uncovered};
pub use path::PathStep;
pub use touched::{Touched, touched};
pub use value::same;

use crate::ids::StateId;
use crate::keys::{local_identity, local_in_table};
use crate::model::Model;
use crate::schema::Schema;
use crate::value::Text;
use crate::value::dynamic::{DynRow, RowRef, Value, WorldName};
use crate::value::json::Json;
use crate::wire;
use path::path_text;
use std::sync::Arc;

/// Whether the order of rows counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Order {
    /// A row that was removed and inserted again differs if its content or its place does: what happened from one world to a
    /// later one.
    #[default]
    Counts,
    /// Rows are compared by key alone: whether two worlds that went different ways hold the same.
    Ignored,
}

/// What differs between two worlds, in the world's own order; a row inserted anew is told where it was before.
#[derive(Clone, Debug, Default)]
pub struct Diff {
    /// The differences: by state field, then by row, then by field.
    pub differences: Vec<Difference>,
}

/// One difference. A row or an entry that was removed and inserted again elsewhere is two, one after the other.
#[derive(Clone, Debug)]
pub struct Difference {
    /// The state field.
    pub state: StateId,
    /// The way into it; for a table the row's key comes first, and stands alone where the whole row was added or removed.
    pub path: Vec<PathStep>,
    /// What was there; nothing for what was added.
    pub from: Option<Held>,
    /// What is there; nothing for what was removed.
    pub to: Option<Held>,
}

/// A value on one side of a difference. It is turned into JSON only where somebody asks.
#[derive(Clone, Debug)]
pub enum Held {
    /// A value of a dynamic row or state field.
    Value(Value),
    /// A dynamic row.
    Row(Arc<DynRow>),
    /// A value of a typed row, or a typed row.
    Json(Json),
}

/// What happened to a row, an entry, an element or a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// It has another value.
    Changed,
}

impl Held {
    /// As it stands on the wire.
    pub fn to_json(&self, model: &Model) -> Json {
        match self {
            Self::Value(value) => wire::to_json(value, model),
            Self::Row(row) => wire::row_to_json(row, model),
            Self::Json(json) => json.clone(),
        }
    }
}

impl Difference {
    /// What happened at the end of the path.
    pub fn kind(&self) -> ChangeKind {
        match (&self.from, &self.to) {
            (None, _) => ChangeKind::Added,
            (_, None) => ChangeKind::Removed,
            _ => ChangeKind::Changed,
        }
    }

    /// The key of the row that was added, removed or changed, where the state field is a table.
    pub fn row(&self) -> Option<&Text> {
        match self.path.first() {
            Some(PathStep::Key(key)) => Some(key),
            _ => None,
        }
    }
}

impl Difference {
    /// The row of the state table that the difference is about, as it was before; as it is now where it was added.
    pub fn row_ref(&self, model: &Model) -> Option<RowRef> {
        self.row_at(model, 1)
    }

    /// The row so many tables deep on the way to what differs: 1 is that of the state's table, 2 that of a table in it. Read in
    /// the world before, or where the row itself was added, in the one after.
    pub fn row_at(&self, model: &Model, tables: usize) -> Option<RowRef> {
        let Schema::Table { mut entity, .. } = model.state_field(self.state)?.schema else { return None };
        let mut key = self.row()?.clone();
        if model.entity(entity)?.local {
            key = local_in_table(self.state, &key);
        }
        let mut end = 1;
        for _ in 1..tables {
            let (Some(PathStep::Field(field, _)), Some(PathStep::Key(inner))) =
                (self.path.get(end), self.path.get(end + 1))
            else {
                return None;
            };
            let Schema::Table { entity: nested, .. } = model.entity(entity)?.fields.get(field.index())?.schema else {
                return None;
            };
            let local = model.entity(nested)?.local;
            key = if local { local_identity(&key, *field, inner) } else { inner.clone() };
            entity = nested;
            end += 2;
        }
        let added = self.path.len() == end && self.kind() == ChangeKind::Added;
        let world = if added { WorldName::Final } else { WorldName::Initial };
        Some(RowRef { world, entity, key })
    }
}

impl Diff {
    /// Whether the worlds are the same.
    pub fn is_empty(&self) -> bool {
        self.differences.is_empty()
    }

    /// The keys of the rows of a table to which something happened, each once, in order. `Changed` gives the rows that both
    /// worlds have.
    pub fn rows(&self, state: StateId, kind: ChangeKind) -> Vec<Text> {
        let mut keys: Vec<Text> = Vec::new();
        for difference in self.differences.iter().filter(|difference| difference.state == state) {
            let Some(key) = difference.row() else { continue };
            let of_row = if difference.path.len() == 1 { difference.kind() } else { ChangeKind::Changed };
            if of_row == kind && keys.last() != Some(key) {
                keys.push(key.clone());
            }
        }
        keys
    }
}
