//! Worlds of Rust structs: the tables that environments written in Rust, or emitted as Rust, are made of.
//!
//! An author's state has one `Arc` of [`SeedTable`]s and, for each, the [`Changes`] of one world. [`Table`] reads the two as
//! one, [`TableMut`] writes. Rows refer to each other by [`Key`]; copying a world costs what it changed.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

mod diff;
mod key;
mod table;

#[cfg(test)]
mod tests;

pub use diff::{compare, compare_scalar, touched};
pub use key::Key;
pub use table::{Changes, SeedTable, Table, TableMut};

use crate::ids::FieldId;
use crate::keys::KeyPattern;
use crate::value::Text;
use crate::value::json::{Json, Object};

/// A struct whose values are rows of a table.
pub trait Entity: Clone + Send + Sync + 'static {
    /// The entity's name, as messages say it.
    const NAME: &'static str;

    /// The names of the stored fields on the wire, in declared order. Ids of fields count through them.
    const FIELDS: &'static [&'static str];

    /// The key.
    fn key(&self) -> &Key<Self>;

    /// Gives a new row its key.
    fn set_key(&mut self, key: Key<Self>);

    /// How keys are made.
    fn pattern() -> KeyPattern;

    /// The text of a field that the key is made of.
    fn key_part(&self, field: FieldId) -> Option<Text> {
        let _ = field;
        None
    }

    /// The stored fields on the wire, one for each of [`Entity::FIELDS`].
    fn to_values(&self) -> Vec<Json>;

    /// The whole row on the wire.
    fn to_json(&self) -> Json {
        let names = Self::FIELDS.iter().map(|name| Text::from(*name));
        names.zip(self.to_values()).collect::<Object>().into()
    }
}
