//! Inserting rows: keys made and checked, rows of nested tables put in after their owner.

use super::bounds::check_fields;
use super::fault::{StoreFault, ValuePlace};
use super::index::{Home, MAX_NESTING};
use super::{CounterKey, Store, TablePlace};
use crate::diff::PathStep;
use crate::ids::FieldId;
use crate::keys::{Frame, KeyPattern, local_identity, local_in_table, may_be_key};
use crate::model::EntityShape;
use crate::schema::Schema;
use crate::value::dynamic::{DynRow, Memo, NestedRows, Owner, RowRef, Value, WorldName};
use crate::value::{Text, ToolError, ToolResult};
use crate::wire;
use std::sync::Arc;

/// Why a row was not inserted, and which row: the way from the row that was given to a row of its nested tables.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct InsertFault {
    pub(super) fault: StoreFault,
    /// For each level of nesting the field and the position of the row in what was given for it.
    pub(super) nested: Vec<(FieldId, usize)>,
}

impl From<StoreFault> for InsertFault {
    fn from(fault: StoreFault) -> Self {
        Self { fault, nested: Vec::new() }
    }
}

impl Store {
    /// Inserts a row: one value a field of the entity, in order. Null for the key where a pattern makes it. The value of a
    /// field that is a table is null (no rows), a list of records with one value a field of *its* entity, or rows, which are
    /// copied as new ones.
    ///
    /// # Errors
    /// `conflict`, if a row of the entity has the key; `invalid_state`, if a limit of a type would be broken, or if the owner
    /// of a nested table was removed; `invalid_input`, if the key is missing or cannot be one.
    pub fn insert(&mut self, table: &TablePlace, values: Vec<Value>) -> ToolResult<RowRef> {
        values.iter().try_for_each(wire::bearable)?;
        match self.insert_row(table, values) {
            Ok(row) => Ok(row),
            Err(found) => Err(found.fault.to_error(&self.seed.model)),
        }
    }

    pub(super) fn insert_row(&mut self, table: &TablePlace, mut values: Vec<Value>) -> Result<RowRef, InsertFault> {
        let shape = self.entity_of(table).cloned().ok_or(StoreFault::NoSuchPlace)?;
        values.resize(shape.fields.len(), Value::Null);
        let drafts = take_drafts(&shape, &mut values);
        let key = self.give_key(table, &shape, &mut values)?;
        let member = wire::chosen_case(shape.tag, &values);
        check_fields(&shape.fields, &values, member, &self.seed.model)
            .map_err(|breach| StoreFault::Breach { at: self.place_in(table, &key.visible), breach })?;
        self.put(table, shape.clone(), &key, values)?;
        for (field, rows) in drafts {
            let nested = TablePlace::Nested { entity: shape.id, key: key.identity.clone(), field };
            for (index, values) in rows.into_iter().enumerate() {
                if let Err(mut found) = self.insert_row(&nested, values) {
                    found.nested.insert(0, (field, index));
                    return Err(found);
                }
            }
        }
        Ok(RowRef { world: WorldName::default(), entity: shape.id, key: key.identity })
    }

    /// Checks the key, or makes one, and sets it in the row.
    fn give_key(
        &mut self,
        table: &TablePlace,
        shape: &EntityShape,
        values: &mut [Value],
    ) -> Result<NewKey, StoreFault> {
        let entity = shape.id;
        let owner = self.owner_key(table)?;
        let frame = match &shape.pattern {
            KeyPattern::Given => None,
            KeyPattern::Integer => Some(Frame { before: Text::default(), width: Some(0), after: Text::default() }),
            KeyPattern::Text(parts) => Some(
                Frame::new(parts, values, &owner, &self.seed.model)
                    .map_err(|field| StoreFault::KeyPart { entity, field })?,
            ),
        };
        let given: Option<Text> = match values.get(shape.key.index()) {
            // An integer's one spelling is its key, whatever it was given as.
            Some(Value::Text(text)) => match (&shape.pattern, text.parse::<i64>()) {
                (KeyPattern::Integer, Ok(number)) => Some(number.to_string().into()),
                _ => Some(text.clone()),
            },
            Some(Value::Int(number)) => Some(number.to_string().into()),
            _ => None,
        };
        let visible = match (given, &frame) {
            (Some(found), Some(frame)) if frame.width.is_none() && *found != *frame.before => {
                return Err(StoreFault::KeyMismatch { entity, expected: frame.before.clone(), found });
            }
            (Some(key), _) => key,
            (None, Some(frame)) if frame.width.is_none() => frame.before.clone(),
            (None, Some(frame)) => self.next_key(table, shape, frame)?,
            (None, None) => return Err(StoreFault::KeyMissing { entity }),
        };
        if !may_be_key(&visible) {
            return Err(StoreFault::KeyText { entity, key: visible });
        }
        let identity = identity_in(table, shape, &visible);
        if self.row(entity, &identity).is_some() {
            return Err(StoreFault::Duplicate { entity, key: identity });
        }
        if let Some(number) = frame.as_ref().and_then(|frame| number_in(&shape.pattern, frame, &visible)) {
            let counter = counter_in(table, shape, frame.map(|frame| frame.before).unwrap_or_default());
            self.count_up_to(counter, number);
        }
        if let Some(value) = values.get_mut(shape.key.index()) {
            *value = match (&shape.pattern, visible.parse()) {
                (KeyPattern::Integer, Ok(number)) => Value::Int(number),
                _ => Value::Text(visible.clone()),
            };
        }
        Ok(NewKey { visible, identity })
    }

    /// The key that people see of the row that owns the table; empty for a state table.
    fn owner_key(&self, table: &TablePlace) -> Result<Text, StoreFault> {
        match table {
            TablePlace::State(_) => Ok(Text::default()),
            TablePlace::Nested { entity, key, .. } => match self.row(*entity, key) {
                Some(owner) => Ok(owner.visible_key()),
                None => Err(StoreFault::Removed { entity: *entity, key: key.clone() }),
            },
        }
    }

    /// The next key with a counter: one above the highest number ever used, or above that while rows elsewhere have the key.
    fn next_key(&self, table: &TablePlace, shape: &EntityShape, frame: &Frame) -> Result<Text, StoreFault> {
        let counter = counter_in(table, shape, frame.before.clone());
        let mut number = self.highest(&counter).unwrap_or(0);
        loop {
            number = number.checked_add(1).ok_or(StoreFault::KeysUsedUp { entity: shape.id })?;
            let key = frame.key(number);
            if self.row(shape.id, &identity_in(table, shape, &key)).is_none() {
                return Ok(key);
            }
        }
    }

    fn highest(&self, counter: &CounterKey) -> Option<i64> {
        self.highest.get(counter).or_else(|| self.seed.highest.get(counter)).copied()
    }

    fn count_up_to(&mut self, counter: CounterKey, number: i64) {
        if self.highest(&counter).is_none_or(|highest| highest < number) {
            self.highest.insert(counter, number);
        }
    }

    /// Stores a checked row.
    fn put(
        &mut self,
        table: &TablePlace,
        shape: Arc<EntityShape>,
        key: &NewKey,
        values: Vec<Value>,
    ) -> Result<(), StoreFault> {
        let entity = shape.id;
        let identity = key.identity.clone();
        let home = match table {
            TablePlace::State(state) => {
                let row = DynRow { shape, key: identity.clone(), owner: None, values, memo: Memo::default() };
                let slot = self.push(*state, row).map_err(StoreFault::TooLarge)?;
                Home::Table(*state, slot.ok_or(StoreFault::NoSuchPlace)?)
            }
            TablePlace::Nested { entity: of, key: owner_key, field } => {
                let removed = || StoreFault::Removed { entity: *of, key: owner_key.clone() };
                let address = self.locate(*of, owner_key).ok_or_else(removed)?;
                if address.path.len() + 1 >= MAX_NESTING {
                    return Err(StoreFault::TooLarge(ToolError::limit_exceeded("tables nest too deep")));
                }
                self.births = self.births.saturating_add(1);
                let owner = Arc::new(Owner { entity: *of, key: owner_key.clone(), field: *field, birth: self.births });
                let row =
                    DynRow { shape, key: identity.clone(), owner: Some(owner.clone()), values, memo: Memo::default() };
                let holder = self.at_mut(&address).ok_or_else(removed)?;
                match holder.values.get_mut(field.index()) {
                    Some(Value::Rows(rows)) => _ = Arc::make_mut(rows).insert(key.visible.clone(), Arc::new(row)),
                    _ => return Err(StoreFault::NoSuchPlace),
                }
                Home::Nested(owner)
            }
        };
        self.index.insert(entity, identity, home);
        Ok(())
    }

    /// Where a new row is to stand, as messages name it.
    fn place_in(&self, table: &TablePlace, key: &Text) -> ValuePlace {
        let mut place = match table {
            TablePlace::State(state) => ValuePlace { state: Some(*state), path: Vec::new() },
            TablePlace::Nested { entity, key, field } => {
                let owner = self.locate(*entity, key).and_then(|address| Some((self.at(&address)?, address)));
                match owner {
                    Some((row, address)) => {
                        let step = row.shape.fields.get(field.index());
                        let step = step.map(|it| PathStep::Field(*field, it.wire.clone()));
                        self.place_of(&address, row, step)
                    }
                    None => ValuePlace::default(),
                }
            }
        };
        place.path.push(PathStep::Key(key.clone()));
        place
    }
}

/// The key of a new row.
struct NewKey {
    /// As people see it.
    visible: Text,
    /// Among all rows of the entity.
    identity: Text,
}

/// Takes the rows of nested tables out of a new row, leaving empty tables.
fn take_drafts(shape: &EntityShape, values: &mut [Value]) -> Vec<(FieldId, Vec<Vec<Value>>)> {
    let mut drafts = Vec::new();
    for (index, (field, value)) in shape.fields.iter().zip(values).enumerate() {
        if !matches!(field.schema, Schema::Table { .. }) {
            continue;
        }
        let given = std::mem::replace(value, Value::Rows(Arc::new(NestedRows::default())));
        let rows: Vec<Vec<Value>> = match given {
            Value::List(records) => records.iter().map(draft).collect(),
            Value::Rows(rows) => rows.values().map(|row| row.values.clone()).collect(),
            _ => continue,
        };
        if !rows.is_empty() {
            drafts.push((FieldId::from(index), rows));
        }
    }
    drafts
}

fn draft(record: &Value) -> Vec<Value> {
    match record {
        Value::Record(record) => record.values.clone(),
        _ => Vec::new(),
    }
}

/// The identity of a row with this key in a table.
fn identity_in(table: &TablePlace, shape: &EntityShape, visible: &Text) -> Text {
    if shape.local { local_in(table, visible) } else { visible.clone() }
}

/// What the numbers of a table's keys are counted by.
fn counter_in(table: &TablePlace, shape: &EntityShape, before: Text) -> CounterKey {
    (shape.id, if shape.local { local_in(table, &before) } else { before })
}

fn local_in(table: &TablePlace, key: &str) -> Text {
    match table {
        TablePlace::State(state) => local_in_table(*state, key),
        TablePlace::Nested { key: owner, field, .. } => local_identity(owner, *field, key),
    }
}

/// The number in a key that counts for the keys after it.
fn number_in(pattern: &KeyPattern, frame: &Frame, key: &str) -> Option<i64> {
    match pattern {
        KeyPattern::Integer => key.parse().ok(),
        KeyPattern::Given | KeyPattern::Text(_) => frame.number(key),
    }
}
