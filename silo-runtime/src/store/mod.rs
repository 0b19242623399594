//! The state of an interpreted environment: one shared [`Seed`] and what a world changed since.
//!
//! A [`Store`] holds tables of [`DynRow`]s and the state fields that are no table. Making one, copying one and comparing two
//! cost what changed, never what the seed weighs. Nested tables live in their owner's row; one index per entity, over the
//! seed and what was added, finds any row by its key.
//!
//! Changing methods check everything they store against its schema and say what is wrong as the agent sees it. They may
//! leave traces of a change that failed, such as a key used up: the caller keeps a copy of the world, as cheap as a pointer,
//! and goes back to it.
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing, clippy::string_slice)]

mod bounds;
mod change;
mod edit;
mod fault;
mod index;
mod insert;
mod seed;
mod small_map;
mod written;

#[cfg(test)]
pub(crate) mod tests;

pub use change::Target;
pub use edit::{Edit, Step, apply};
pub use fault::{Breach, StoreFault};
pub use seed::{Seed, SeedBuilder, SeedFault, SeedPlace};

use crate::diff::{Diff, Order, Touched, between, touched};
use crate::ids::{EntityId, FieldId, StateId};
use crate::keys::local_in_table;
use crate::model::{EntityShape, Model};
use crate::schema::Schema;
use crate::table::{Delta, TableRef};
use crate::value::dynamic::{DynRow, NestedRows, Value};
use crate::value::{Text, ToolError, ToolResult};
use crate::world::State;
use index::Index;
use small_map::SmallMap;
use std::any::Any;
use std::sync::Arc;
use written::Written;

/// The state of a world of an interpreted environment.
#[derive(Clone)]
pub struct Store {
    seed: Arc<Seed>,
    /// What changed of each table.
    tables: Written<Delta<DynRow>>,
    /// State fields that are no table.
    scalars: Written<Value>,
    /// Where the rows live that were inserted since.
    index: Index,
    /// The highest number used in generated keys, where it is above the seed's.
    highest: SmallMap<CounterKey, i64>,
    /// How many rows of nested tables were inserted, the seed's included.
    births: u32,
}

/// What numbers in keys are counted by: the entity, and what stands before the number. For `key local` the owner comes first.
type CounterKey = (EntityId, Text);

/// A table: a state field, or a nested table of a row.
#[derive(Clone, Debug, PartialEq)]
pub enum TablePlace {
    /// A state field.
    State(StateId),
    /// A table in a row.
    Nested {
        /// The owner's entity.
        entity: EntityId,
        /// The owner's identity.
        key: Text,
        /// The owner's field.
        field: FieldId,
    },
}

/// Reading.
impl Store {
    /// A world in which nothing has changed.
    pub fn new(seed: Arc<Seed>) -> Self {
        let births = seed.births;
        Self {
            seed,
            tables: Written::default(),
            scalars: Written::default(),
            index: Index::default(),
            highest: SmallMap::default(),
            births,
        }
    }

    /// What the environment declares.
    pub fn model(&self) -> &Arc<Model> {
        &self.seed.model
    }

    /// The seed.
    pub fn seed(&self) -> &Arc<Seed> {
        &self.seed
    }

    /// The row of an entity with this identity, in whatever table it is.
    pub fn row(&self, entity: EntityId, key: &str) -> Option<&Arc<DynRow>> {
        self.find(entity, key, 0)
    }

    /// The row that a reference leads to.
    ///
    /// # Errors
    /// `invalid_state`, if it was removed.
    pub fn read(&self, entity: EntityId, key: &str) -> ToolResult<&Arc<DynRow>> {
        self.row(entity, key).ok_or_else(|| self.dangling(entity, key))
    }

    /// The row of one table that people know by this key: `t[k]`, `t.get(k)`. Rows of other tables are not found.
    pub fn row_in(&self, table: &TablePlace, key: &str) -> Option<&Arc<DynRow>> {
        match table {
            TablePlace::State(state) => {
                let shape = self.table_shape(*state)?;
                let identity;
                let key = if shape.local {
                    identity = local_in_table(*state, key);
                    &*identity
                } else {
                    key
                };
                let address = self.locate(shape.id, key)?;
                (address.state == *state && address.path.is_empty()).then(|| self.at(&address)).flatten()
            }
            TablePlace::Nested { entity, key: owner, field } => self.nested(*entity, owner, *field)?.get(key),
        }
    }

    /// The rows of a state table in the order of their insertion. Another state field has none.
    pub fn table(&self, state: StateId) -> TableRef<'_, DynRow> {
        TableRef::new(self.seed.base(state), self.tables.get(state))
    }

    /// The rows of a nested table, by key in the order of their insertion.
    fn nested(&self, entity: EntityId, owner: &str, field: FieldId) -> Option<&NestedRows> {
        match self.row(entity, owner)?.values.get(field.index())? {
            Value::Rows(rows) => Some(rows),
            _ => None,
        }
    }

    /// How many rows a table has; none if its owner was removed.
    pub fn len(&self, table: &TablePlace) -> usize {
        match table {
            TablePlace::State(state) => self.table(*state).len(),
            TablePlace::Nested { entity, key, field } => self.nested(*entity, key, *field).map_or(0, NestedRows::len),
        }
    }

    /// The rows of a table as they are now, to loop over while the table changes.
    pub fn rows(&self, table: &TablePlace) -> Vec<Arc<DynRow>> {
        match table {
            TablePlace::State(state) => self.table(*state).iter().cloned().collect(),
            TablePlace::Nested { entity, key, field } => {
                self.nested(*entity, key, *field).map(|rows| rows.values().cloned().collect()).unwrap_or_default()
            }
        }
    }

    /// The value of a state field that is no table; null for a table.
    pub fn scalar(&self, state: StateId) -> &Value {
        self.scalars.get(state).unwrap_or_else(|| self.seed.scalar(state))
    }

    /// The identities of all rows of an entity: those of its state tables in the model's order, then those of nested tables
    /// by owner.
    pub fn keys(&self, entity: EntityId) -> Vec<Text> {
        let mut keys = Vec::new();
        for state in (0..self.seed.model.state.len()).map(StateId::from) {
            if let Some(shape) = self.table_shape(state) {
                if shape.id == entity {
                    keys.extend(self.table(state).iter().map(|row| row.key.clone()));
                } else if self.seed.nests(shape.id) {
                    self.table(state).iter().for_each(|row| nested_keys(row, entity, &mut keys));
                }
            }
        }
        keys
    }

    /// The entity whose rows a table holds.
    pub fn entity_of(&self, table: &TablePlace) -> Option<&Arc<EntityShape>> {
        match table {
            TablePlace::State(state) => self.table_shape(*state),
            TablePlace::Nested { entity, field, .. } => {
                let schema = &self.seed.model.entity(*entity)?.fields.get(field.index())?.schema;
                self.shape_of(schema)
            }
        }
    }

    fn table_shape(&self, state: StateId) -> Option<&Arc<EntityShape>> {
        self.shape_of(&self.seed.model.state_field(state)?.schema)
    }

    fn shape_of(&self, schema: &Schema) -> Option<&Arc<EntityShape>> {
        match schema {
            Schema::Table { entity, .. } => self.seed.model.entity(*entity),
            _ => None,
        }
    }

    /// The state fields that this store or another of the same seed has written, in the model's order.
    pub(crate) fn written_with(&self, other: &Self) -> Vec<StateId> {
        let both = [self, other].into_iter();
        let mut states: Vec<_> = both.flat_map(|store| store.tables.states().chain(store.scalars.states())).collect();
        states.sort_unstable();
        states.dedup();
        states
    }

    fn dangling(&self, entity: EntityId, key: &str) -> ToolError {
        StoreFault::Removed { entity, key: key.into() }.to_error(&self.seed.model)
    }
}

/// Adds the identities of an entity's rows in the nested tables of a row.
fn nested_keys(row: &DynRow, entity: EntityId, keys: &mut Vec<Text>) {
    for value in &row.values {
        let Value::Rows(rows) = value else { continue };
        for row in rows.values() {
            if row.shape.id == entity {
                keys.push(row.key.clone());
            }
            nested_keys(row, entity, keys);
        }
    }
}

impl State for Store {
    fn as_any(&self) -> &dyn Any {
        self
    }

    fn as_any_mut(&mut self) -> &mut dyn Any {
        self
    }

    fn fork(&self) -> Arc<dyn State> {
        Arc::new(self.clone())
    }

    fn diff(&self, before: &dyn State, order: Order) -> Diff {
        let before = before.as_any().downcast_ref::<Self>();
        before.map(|before| between(before, self, order)).unwrap_or_default()
    }

    fn touched(&self, before: &dyn State) -> Touched {
        before.as_any().downcast_ref::<Self>().map(|before| touched(before, self)).unwrap_or_default()
    }
}
