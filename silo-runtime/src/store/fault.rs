//! Why a store refuses a change: as data, and as the agent sees it.

use crate::diff::PathStep;
use crate::ids::{EntityId, FieldId, StateId};
use crate::keys::{faults, visible};
use crate::model::Model;
use crate::value::{Text, ToolError};
use std::fmt::Write;

/// Why a store refuses a change.
#[derive(Clone, Debug, PartialEq)]
pub enum StoreFault {
    /// A row of the entity with this identity is there already.
    Duplicate {
        /// The entity.
        entity: EntityId,
        /// The row's identity.
        key: Text,
    },
    /// The row was removed, or never was.
    Removed {
        /// The entity.
        entity: EntityId,
        /// The row's identity.
        key: Text,
    },
    /// The key was left out and nothing makes one.
    KeyMissing {
        /// The entity.
        entity: EntityId,
    },
    /// The text cannot be a key.
    KeyText {
        /// The entity.
        entity: EntityId,
        /// The text.
        key: Text,
    },
    /// The key is made of a field that is null.
    KeyPart {
        /// The entity.
        entity: EntityId,
        /// The field.
        field: FieldId,
    },
    /// The key is not the one that the row's fields make.
    KeyMismatch {
        /// The entity.
        entity: EntityId,
        /// The key that the fields make.
        expected: Text,
        /// The key given.
        found: Text,
    },
    /// No higher number is left for another key.
    KeysUsedUp {
        /// The entity.
        entity: EntityId,
    },
    /// A field that never changes after the insertion: the key, what it is made of, what chooses the case, a table.
    Fixed {
        /// Where.
        at: ValuePlace,
    },
    /// A value breaks a limit of its type.
    Breach {
        /// The place whose value it is.
        at: ValuePlace,
        /// The limit.
        breach: Breach,
    },
    /// Tables nest too deep, or there are too many rows.
    TooLarge(ToolError),
    /// A step of the path leads nowhere: no such element, entry or row.
    Nowhere(ToolError),
    /// The model has no such table or field.
    NoSuchPlace,
}

/// Where a value stands, or is to stand.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ValuePlace {
    /// The state field, where it is known.
    pub state: Option<StateId>,
    /// The way into it, rows by key.
    pub path: Vec<PathStep>,
}

/// A limit that a value breaks, and where in the value.
#[derive(Clone, Debug, PartialEq)]
pub struct Breach {
    /// The way to it from the value that was stored.
    pub path: Vec<PathStep>,
    /// What must be and what would be: `must be at least 0, but would be -20`.
    pub message: String,
}

impl StoreFault {
    /// The error that the agent sees.
    pub fn to_error(&self, model: &Model) -> ToolError {
        let entity = |id: &EntityId| model.entity(*id).map_or("row", |shape| &*shape.name);
        let field = |of: &EntityId, field: &FieldId| {
            model.entity(*of).and_then(|shape| shape.fields.get(field.index())).map_or("key", |field| &*field.wire)
        };
        match self {
            Self::Duplicate { entity: of, key } => faults::taken(entity(of), &visible(key)),
            Self::Removed { key, .. } => ToolError::dangling(&visible(key)),
            Self::KeyMissing { entity: of } => {
                let key = model.entity(*of).map_or("key", |shape| field(of, &shape.key));
                faults::missing(entity(of), key)
            }
            Self::KeyText { entity: of, key } => faults::no_key(entity(of), key),
            Self::KeyPart { entity: of, field: part } => faults::part_missing(entity(of), field(of, part)),
            Self::KeyMismatch { entity: of, expected, found } => faults::mismatch(entity(of), expected, found),
            Self::KeysUsedUp { entity: of } => faults::used_up(entity(of)),
            Self::Fixed { at } => {
                ToolError::invalid_state(format!("`{}` is fixed once the row is inserted", at.text(model, &[])))
            }
            Self::Breach { at, breach } => {
                ToolError::invalid_state(format!("`{}` {}", at.text(model, &breach.path), breach.message))
            }
            Self::TooLarge(error) | Self::Nowhere(error) => error.clone(),
            Self::NoSuchPlace => ToolError::invalid_state("there is no such place in the world"),
        }
    }
}

impl ValuePlace {
    /// The place and a way on from it, in the names of the wire: `orders.SO-1.lines.L1.qty`.
    fn text(&self, model: &Model, rest: &[PathStep]) -> String {
        let state = self.state.and_then(|state| model.state_field(state));
        let mut text = state.map_or_else(String::new, |state| state.wire.to_string());
        for step in self.path.iter().chain(rest) {
            // Writing to a string does not fail.
            let _ = write!(text, "{step}");
        }
        match text.strip_prefix('.') {
            Some(stripped) => stripped.to_owned(),
            None => text,
        }
    }
}
