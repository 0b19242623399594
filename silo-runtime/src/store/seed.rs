//! The seed: what every world of an environment starts from.

use super::bounds::check;
use super::fault::{StoreFault, ValuePlace};
use super::index::Home;
use super::insert::InsertFault;
use super::small_map::SmallMap;
use super::{CounterKey, Store, TablePlace};
use crate::ids::{EntityId, FieldId, StateId};
use crate::model::Model;
use crate::schema::Schema;
use crate::table::{Base, Delta, TableRef};
use crate::value::Text;
use crate::value::dynamic::{DynRow, Value};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// What every world of an environment starts from. It is never changed; all worlds share it.
#[derive(Debug)]
pub struct Seed {
    pub(super) model: Arc<Model>,
    /// The rows of each state field that is a table.
    bases: Vec<Base<DynRow>>,
    /// The value of each state field that is not.
    scalars: Vec<Value>,
    /// For each entity where its rows live, nested ones too.
    homes: Vec<FxHashMap<Text, Home>>,
    /// The highest number used in keys.
    pub(super) highest: SmallMap<CounterKey, i64>,
    /// How many rows nested tables have.
    pub(super) births: u32,
    empty: Base<DynRow>,
    null: Value,
}

impl Seed {
    /// The model whose state this is.
    pub fn model(&self) -> &Arc<Model> {
        &self.model
    }

    pub(super) fn base(&self, state: StateId) -> &Base<DynRow> {
        self.bases.get(state.index()).unwrap_or(&self.empty)
    }

    pub(super) fn scalar(&self, state: StateId) -> &Value {
        self.scalars.get(state.index()).unwrap_or(&self.null)
    }

    pub(super) fn home(&self, entity: EntityId, key: &str) -> Option<&Home> {
        self.homes.get(entity.index())?.get(key)
    }

    /// Whether the rows of an entity hold tables.
    pub(super) fn nests(&self, entity: EntityId) -> bool {
        self.model
            .entity(entity)
            .is_some_and(|shape| shape.fields.iter().any(|field| matches!(field.schema, Schema::Table { .. })))
    }

    fn empty(model: Arc<Model>) -> Self {
        Self {
            model,
            bases: Vec::new(),
            scalars: Vec::new(),
            homes: Vec::new(),
            highest: SmallMap::default(),
            births: 0,
            empty: Base::default(),
            null: Value::Null,
        }
    }

    fn file(&mut self, row: &DynRow, home: Home) {
        if let Some(homes) = self.homes.get_mut(row.shape.id.index()) {
            homes.insert(row.key.clone(), home);
        }
        for value in &row.values {
            let Value::Rows(rows) = value else { continue };
            for row in rows.values() {
                if let Some(owner) = &row.owner {
                    self.file(row, Home::Nested(owner.clone()));
                }
            }
        }
    }
}

/// A row of the data that a seed is made from.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedPlace {
    /// The state field.
    pub state: StateId,
    /// The position among the rows given for it.
    pub row: usize,
    /// For a row of a nested table the way to it: a field, and the position among the rows given for it.
    pub nested: Vec<(FieldId, usize)>,
}

/// Why a row of the data cannot stand in the seed.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedFault {
    /// Why.
    pub fault: StoreFault,
    /// Which row; for a state field that is no table, row 0.
    pub at: SeedPlace,
    /// For a key that is used twice, the row that has it.
    pub first: Option<SeedPlace>,
}

/// Makes a seed from rows in order.
pub struct SeedBuilder {
    store: Store,
    /// For each state field how many rows were given.
    given: Vec<usize>,
    /// For each state field and row of the table which of the rows given it is.
    rows: Vec<Vec<usize>>,
}

impl SeedBuilder {
    /// A seed without rows, all state fields null.
    pub fn new(model: Arc<Model>) -> Self {
        let fields = model.state.len();
        let store = Store::new(Arc::new(Seed::empty(model)));
        Self { store, given: vec![0; fields], rows: vec![Vec::new(); fields] }
    }

    /// Adds a row to a state table, with the rows of its nested tables: values as for [`Store::insert`]. Gives the row's
    /// identity.
    ///
    /// # Errors
    /// The fault and the row at fault. Further rows may be added, to find their faults too.
    pub fn row(&mut self, state: StateId, values: Vec<Value>) -> Result<Text, SeedFault> {
        let position = self.given.get(state.index()).copied().unwrap_or_default();
        let before = self.store.table(state).len();
        let inserted = self.store.insert_row(&TablePlace::State(state), values);
        if let Some(given) = self.given.get_mut(state.index()) {
            *given += 1;
        }
        if self.store.table(state).len() > before {
            self.rows.get_mut(state.index()).into_iter().for_each(|rows| rows.push(position));
        }
        inserted.map(|row| row.key).map_err(|InsertFault { fault, nested }| {
            let first = match &fault {
                StoreFault::Duplicate { entity, key } => self.place(*entity, key),
                _ => None,
            };
            SeedFault { fault, at: SeedPlace { state, row: position, nested }, first }
        })
    }

    /// Sets a state field that is no table.
    ///
    /// # Errors
    /// A limit of its type that is broken.
    pub fn scalar(&mut self, state: StateId, value: Value) -> Result<(), SeedFault> {
        let fault = |fault| SeedFault { fault, at: SeedPlace { state, row: 0, nested: Vec::new() }, first: None };
        let model = self.store.model().clone();
        let field = model.state_field(state).ok_or_else(|| fault(StoreFault::NoSuchPlace))?;
        let at = ValuePlace { state: Some(state), path: Vec::new() };
        check(&field.schema, &value, &model).map_err(|breach| fault(StoreFault::Breach { at, breach }))?;
        if let Some(held) = self.store.scalars.get_or_insert_with(state, Value::default) {
            *held = value;
        }
        Ok(())
    }

    /// Whether a row of the entity has this key so far.
    pub fn contains(&self, entity: EntityId, key: &str) -> bool {
        self.store.row(entity, key).is_some()
    }

    /// The keys of an entity's rows so far.
    pub fn keys(&self, entity: EntityId) -> Vec<Text> {
        self.store.keys(entity)
    }

    /// The row that has a key.
    fn place(&self, entity: EntityId, key: &str) -> Option<SeedPlace> {
        let address = self.store.locate(entity, key)?;
        let table = self.store.table(address.state);
        // Nothing is removed while a seed is made, so that a row's slot is its position in the table.
        let row = *self.rows.get(address.state.index())?.get(address.slot.index())?;
        let mut at = table.get(address.slot)?;
        let mut nested = Vec::new();
        for (field, key) in &address.path {
            let Value::Rows(rows) = at.values.get(field.index())? else { return None };
            let (index, _, row) = rows.get_full(key)?;
            nested.push((*field, index));
            at = row;
        }
        Some(SeedPlace { state: address.state, row, nested })
    }

    /// The seed.
    pub fn finish(self) -> Seed {
        let Store { seed, mut tables, mut scalars, highest, births, .. } = self.store;
        let model = seed.model.clone();
        let mut made = Seed { highest, births, ..Seed::empty(model.clone()) };
        made.homes = model.entities.iter().map(|_| FxHashMap::default()).collect();
        let states = || (0..model.state.len()).map(StateId::from);
        made.scalars = states().map(|state| scalars.take(state).unwrap_or_default()).collect();
        made.bases = states().map(|state| tables.take(state).map_or_else(Base::default, Delta::into_base)).collect();
        let bases = std::mem::take(&mut made.bases);
        for (state, base) in bases.iter().enumerate() {
            for (slot, row) in base.iter() {
                made.file(row, Home::Table(StateId::from(state), slot));
            }
        }
        made.bases = bases;
        made
    }
}

/// The rows of a state table in the seed.
impl Seed {
    /// The rows of a state table in order.
    pub fn table(&self, state: StateId) -> TableRef<'_, DynRow> {
        TableRef::new(self.base(state), None)
    }
}
