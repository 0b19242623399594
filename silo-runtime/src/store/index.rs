//! Where rows live: from entity and key to the row, in whatever table it is.

use super::small_map::SmallMap;
use super::written::Written;
use super::{Seed, Store};
use crate::ids::{EntityId, FieldId, StateId};
use crate::keys::visible_part;
use crate::table::{Delta, Slot};
use crate::value::dynamic::{DynRow, Memo, Owner, Value};
use crate::value::{Text, ToolResult};
use indexmap::Equivalent;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// How deep tables may nest in tables.
pub(super) const MAX_NESTING: usize = 16;

/// Where a row lives, or lived: the row may have been removed since.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Home {
    /// In a state table.
    Table(StateId, Slot),
    /// In a table of another row.
    Nested(Arc<Owner>),
}

/// The homes of the rows that a world inserted.
#[derive(Clone, Debug, Default)]
pub(super) struct Index(SmallMap<RowId, Home>);

#[derive(Clone, Debug, PartialEq, Eq)]
struct RowId(EntityId, Text);

struct RowIdRef<'a>(EntityId, &'a str);

impl Hash for RowId {
    fn hash<H: Hasher>(&self, state: &mut H) {
        RowIdRef(self.0, &self.1).hash(state);
    }
}

impl Hash for RowIdRef<'_> {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.hash(state);
        self.1.hash(state);
    }
}

impl Equivalent<RowId> for RowIdRef<'_> {
    fn equivalent(&self, key: &RowId) -> bool {
        self.0 == key.0 && *self.1 == *key.1
    }
}

impl Index {
    fn get(&self, entity: EntityId, key: &str) -> Option<&Home> {
        self.0.get(&RowIdRef(entity, key))
    }

    pub(super) fn insert(&mut self, entity: EntityId, key: Text, home: Home) {
        self.0.insert(RowId(entity, key), home);
    }

    pub(super) fn remove(&mut self, entity: EntityId, key: &str) {
        self.0.remove(&RowIdRef(entity, key));
    }
}

/// The way to a row that may have to be copied on the way.
#[derive(Debug)]
pub(super) struct Address {
    /// The state table at the root.
    pub(super) state: StateId,
    /// The row in it.
    pub(super) slot: Slot,
    /// From there on down: the field that holds the next table, and the row's key in it.
    pub(super) path: Vec<(FieldId, Text)>,
}

impl Store {
    /// Where the row of this identity was last put, by this world or by the seed.
    fn home(&self, entity: EntityId, key: &str) -> Option<&Home> {
        self.index.get(entity, key).or_else(|| self.seed.home(entity, key))
    }

    pub(super) fn find(&self, entity: EntityId, key: &str, depth: usize) -> Option<&Arc<DynRow>> {
        match self.home(entity, key)? {
            Home::Table(state, slot) => self.table(*state).get(*slot),
            Home::Nested(_) if depth == MAX_NESTING => None,
            Home::Nested(owner) => {
                let holder = self.find(owner.entity, &owner.key, depth + 1)?;
                nested(holder, owner.field, visible_part(key))
            }
        }
    }

    /// The way to where the row of this identity was last put. The row may have been removed since.
    pub(super) fn locate(&self, entity: EntityId, key: &str) -> Option<Address> {
        let mut path = Vec::new();
        let (mut entity, mut key) = (entity, key);
        loop {
            match self.home(entity, key)? {
                Home::Table(state, slot) => {
                    path.reverse();
                    return Some(Address { state: *state, slot: *slot, path });
                }
                Home::Nested(_) if path.len() == MAX_NESTING => return None,
                Home::Nested(owner) => {
                    path.push((owner.field, visible_part(key).into()));
                    (entity, key) = (owner.entity, &owner.key);
                }
            }
        }
    }

    /// The row at an address, if it is still there.
    pub(super) fn at(&self, address: &Address) -> Option<&Arc<DynRow>> {
        let row = self.table(address.state).get(address.slot);
        address.path.iter().try_fold(row?, |row, (field, key)| nested(row, *field, key))
    }

    /// The row at an address to change: it and its owners are copied where others share them.
    pub(super) fn at_mut(&mut self, address: &Address) -> Option<&mut DynRow> {
        self.at(address)?;
        let Self { seed, tables, .. } = self;
        let delta = delta_of(seed, tables, address.state)?;
        let mut row = Arc::make_mut(delta.get_mut(seed.base(address.state), address.slot)?);
        // What was computed of a row is of no use once it, or a row in it, is changed.
        row.memo = Memo::default();
        for (field, key) in &address.path {
            let Value::Rows(rows) = row.values.get_mut(field.index())? else { return None };
            row = Arc::make_mut(Arc::make_mut(rows).get_mut(key)?);
            row.memo = Memo::default();
        }
        Some(row)
    }

    /// Removes the row at an address.
    pub(super) fn take(&mut self, address: &Address) -> Option<Arc<DynRow>> {
        let Some(((field, key), owner)) = address.path.split_last() else {
            self.at(address)?;
            let Self { seed, tables, .. } = self;
            return delta_of(seed, tables, address.state)?.remove(seed.base(address.state), address.slot);
        };
        self.at(address)?;
        let owner = Address { state: address.state, slot: address.slot, path: owner.to_vec() };
        let Value::Rows(rows) = self.at_mut(&owner)?.values.get_mut(field.index())? else { return None };
        Arc::make_mut(rows).shift_remove(key)
    }

    /// Appends a row to a state table.
    pub(super) fn push(&mut self, state: StateId, row: DynRow) -> ToolResult<Option<Slot>> {
        let Self { seed, tables, .. } = self;
        delta_of(seed, tables, state).map(|delta| delta.push(Arc::new(row))).transpose()
    }
}

/// What a world changed of a state table, to change more.
fn delta_of<'a>(seed: &Seed, tables: &'a mut Written<Delta<DynRow>>, state: StateId) -> Option<&'a mut Delta<DynRow>> {
    seed.model.state_field(state)?;
    tables.get_or_insert_with(state, || Delta::new(seed.base(state)))
}

fn nested<'a>(row: &'a DynRow, field: FieldId, key: &str) -> Option<&'a Arc<DynRow>> {
    match row.values.get(field.index())? {
        Value::Rows(rows) => rows.get(key),
        _ => None,
    }
}
