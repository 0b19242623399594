//! Changing rows and state fields in their place.

use super::bounds::{check, check_count, check_field, check_map_key, check_new, index_step, under};
use super::edit::{Edit, Step, apply, no_part, position};
use super::fault::{Breach, StoreFault, ValuePlace};
use super::index::Address;
use super::{Store, TablePlace};
use crate::diff::PathStep;
use crate::ids::{EntityId, FieldId, StateId};
use crate::keys::{KeyPart, KeyPattern};
use crate::model::{EntityShape, Model};
use crate::schema::Schema;
use crate::value::dynamic::{DynRow, Value};
use crate::value::{Text, ToolError, ToolResult};
use crate::wire;

/// What a change starts from.
#[derive(Clone, Debug)]
pub enum Target {
    /// A row; the first step is one of its fields.
    Row(EntityId, Text),
    /// A state field that is no table.
    State(StateId),
}

impl Store {
    /// Changes a part of a row or of a state field. What is stored is checked against its schema.
    ///
    /// # Errors
    /// `invalid_state`, if the row was removed, the way leads through null, the field is fixed once its row is inserted (keys,
    /// what they are made of, what chooses the case), or a limit would be broken; `not_found` for an element or entry that is
    /// not there.
    pub fn change(&mut self, target: &Target, steps: &[Step], edit: Edit) -> ToolResult<()> {
        if let Edit::Set(value) | Edit::Push(value) = &edit {
            wire::bearable(value)?;
        }
        let done = match target {
            Target::Row(entity, key) => self.change_row(*entity, key, steps, edit),
            Target::State(state) => self.change_scalar(*state, steps, edit),
        };
        done.map_err(|fault| fault.to_error(&self.seed.model))
    }

    /// Sets a field of a row.
    ///
    /// # Errors
    /// As [`Store::change`].
    pub fn set(&mut self, entity: EntityId, key: &str, field: FieldId, value: Value) -> ToolResult<()> {
        self.change(&Target::Row(entity, key.into()), &[Step::Field(field)], Edit::Set(value))
    }

    /// Sets a state field that is no table.
    ///
    /// # Errors
    /// `invalid_state`, if a limit of its type would be broken.
    pub fn set_scalar(&mut self, state: StateId, value: Value) -> ToolResult<()> {
        self.change(&Target::State(state), &[], Edit::Set(value))
    }

    /// Removes a row; the rows of its tables go with it. References to it dangle from now on.
    ///
    /// # Errors
    /// `invalid_state`, if it was removed already.
    pub fn remove(&mut self, entity: EntityId, key: &str) -> ToolResult<()> {
        let taken = self.locate(entity, key).and_then(|address| self.take(&address));
        if taken.is_none() {
            return Err(self.dangling(entity, key));
        }
        self.index.remove(entity, key);
        Ok(())
    }

    fn change_row(&mut self, entity: EntityId, key: &str, steps: &[Step], edit: Edit) -> Result<(), StoreFault> {
        let removed = || StoreFault::Removed { entity, key: key.into() };
        let address = self.locate(entity, key).ok_or_else(removed)?;
        let row = self.at(&address).ok_or_else(removed)?;
        let (Some(Step::Field(id)), rest) = (steps.first(), steps.get(1..).unwrap_or_default()) else {
            return Err(StoreFault::NoSuchPlace);
        };
        let (Some(field), Some(value)) = (row.shape.fields.get(id.index()), row.values.get(id.index())) else {
            return Err(StoreFault::NoSuchPlace);
        };
        let step = PathStep::Field(*id, field.wire.clone());
        if is_fixed(&row.shape, *id) {
            return Err(StoreFault::Fixed { at: self.place_of(&address, row, Some(step)) });
        }
        let member = wire::chosen_case(row.shape.tag, &row.values);
        let model = &self.seed.model;
        let checked = match (rest, &edit) {
            ([], Edit::Set(new)) => check_field(field, new, member, model).map(|()| false).map_err(Refusal::Breach),
            _ if !field.in_case(member) => Err(Refusal::Breach(no_case())),
            _ => check_edit(field.schema_in(member), value, rest, &edit, model),
        };
        let recheck = checked.map_err(|refusal| refusal.at(self.place_of(&address, row, Some(step.clone()))))?;
        let schema = recheck.then(|| field.schema_in(member).clone());
        let changed = self.at_mut(&address).and_then(|row| row.values.get_mut(id.index()));
        let value = changed.ok_or_else(removed)?;
        apply(value, rest, edit).map_err(StoreFault::Nowhere)?;
        let Some(schema) = schema else { return Ok(()) };
        let row = self.at(&address).ok_or_else(removed)?;
        let value = row.values.get(id.index()).ok_or_else(removed)?;
        check(&schema, value, &self.seed.model)
            .map_err(|breach| StoreFault::Breach { at: self.place_of(&address, row, Some(step)), breach })
    }

    fn change_scalar(&mut self, state: StateId, steps: &[Step], edit: Edit) -> Result<(), StoreFault> {
        let Self { seed, scalars, .. } = self;
        let model = &seed.model;
        let schema = match model.state_field(state).map(|field| &field.schema) {
            None | Some(Schema::Table { .. }) => return Err(StoreFault::NoSuchPlace),
            Some(schema) => schema,
        };
        let at = || ValuePlace { state: Some(state), path: Vec::new() };
        let Some(value) = scalars.get_or_insert_with(state, || seed.scalar(state).clone()) else {
            return Err(StoreFault::NoSuchPlace);
        };
        let recheck = check_edit(schema, value, steps, &edit, model).map_err(|refusal| refusal.at(at()))?;
        apply(value, steps, edit).map_err(StoreFault::Nowhere)?;
        if recheck {
            check(schema, value, model).map_err(|breach| StoreFault::Breach { at: at(), breach })?;
        }
        Ok(())
    }

    /// Where a row stands, and a field of it, as messages name it.
    pub(super) fn place_of(&self, address: &Address, row: &DynRow, step: Option<PathStep>) -> ValuePlace {
        let mut path = Vec::new();
        let mut at = self.table(address.state).get(address.slot);
        for (field, key) in &address.path {
            let Some(owner) = at else { break };
            path.push(PathStep::Key(owner.visible_key()));
            path.extend(owner.shape.fields.get(field.index()).map(|it| PathStep::Field(*field, it.wire.clone())));
            at = match owner.values.get(field.index()) {
                Some(Value::Rows(rows)) => rows.get(key),
                _ => None,
            };
        }
        path.push(PathStep::Key(row.visible_key()));
        path.extend(step);
        ValuePlace { state: Some(address.state), path }
    }

    /// The table in which a row lives; nothing once it was removed.
    pub fn table_of(&self, row: &DynRow) -> Option<TablePlace> {
        match &row.owner {
            Some(owner) => {
                Some(TablePlace::Nested { entity: owner.entity, key: owner.key.clone(), field: owner.field })
            }
            None => self.locate(row.shape.id, &row.key).map(|address| TablePlace::State(address.state)),
        }
    }
}

/// Whether a field never changes after its row is inserted: the key, what it is made of, what chooses the case. Tables
/// change by their rows.
fn is_fixed(shape: &EntityShape, field: FieldId) -> bool {
    let in_key = match &shape.pattern {
        KeyPattern::Text(parts) => parts.contains(&KeyPart::Field(field)),
        KeyPattern::Given | KeyPattern::Integer => false,
    };
    let table = shape.fields.get(field.index()).is_some_and(|field| matches!(field.schema, Schema::Table { .. }));
    shape.key == field || shape.tag == Some(field) || in_key || table
}

/// Why an edit is refused, before the place of the whole value is known.
enum Refusal {
    Breach(Breach),
    Fixed(Vec<PathStep>),
    Nowhere(ToolError),
}

impl Refusal {
    fn at(self, mut at: ValuePlace) -> StoreFault {
        match self {
            Self::Breach(breach) => StoreFault::Breach { at, breach },
            Self::Fixed(path) => {
                at.path.extend(path);
                StoreFault::Fixed { at }
            }
            Self::Nowhere(error) => StoreFault::Nowhere(error),
        }
    }

    fn under(self, step: PathStep) -> Self {
        match self {
            Self::Breach(breach) => Self::Breach(under(step, breach)),
            Self::Fixed(mut path) => {
                path.insert(0, step);
                Self::Fixed(path)
            }
            Self::Nowhere(error) => Self::Nowhere(error),
        }
    }
}

fn no_case() -> Breach {
    Breach { path: Vec::new(), message: "does not exist in this case".to_owned() }
}

/// Checks an edit of a value of this schema before it is made. Says whether the value must be looked at again afterwards,
/// because the way leads through a list whose elements must differ.
fn check_edit(schema: &Schema, value: &Value, steps: &[Step], edit: &Edit, model: &Model) -> Result<bool, Refusal> {
    if let (Schema::Optional(inner), false) = (schema, steps.is_empty() && matches!(edit, Edit::Set(_))) {
        return check_edit(inner, value, steps, edit, model);
    }
    let Some((step, rest)) = steps.split_first() else {
        return check_end(schema, value, edit, model).map(|()| false);
    };
    match (schema, value, step) {
        (Schema::Record(_), Value::Record(record), Step::Field(id)) => {
            let field = record.shape.fields.get(id.index()).ok_or_else(|| Refusal::Nowhere(no_part()))?;
            let name = PathStep::Field(*id, field.wire.clone());
            if record.shape.tag == Some(*id) {
                return Err(Refusal::Fixed(vec![name]));
            }
            let member = wire::chosen_case(record.shape.tag, &record.values);
            if !field.in_case(member) {
                return Err(Refusal::Breach(under(name, no_case())));
            }
            let part = record.values.get(id.index()).unwrap_or(&Value::Null);
            check_edit(field.schema_in(member), part, rest, edit, model).map_err(|refusal| refusal.under(name))
        }
        (Schema::List { item, unique, .. }, Value::List(items), Step::Index(index)) => {
            let at = position(*index, items.len()).map_err(Refusal::Nowhere)?;
            let part = items.get(at).unwrap_or(&Value::Null);
            let below = check_edit(item, part, rest, edit, model).map_err(|refusal| refusal.under(index_step(at)))?;
            Ok(below || *unique)
        }
        (Schema::Map { key, value: of }, Value::Map(entries), Step::Key(name)) => {
            check_map_key(*key, name, model).map_err(Refusal::Breach)?;
            let part = match entries.get(name) {
                None if rest.is_empty() && matches!(edit, Edit::Set(_)) => &Value::Null,
                None => return Err(Refusal::Nowhere(ToolError::no_entry(name))),
                Some(part) => part,
            };
            check_edit(of, part, rest, edit, model).map_err(|refusal| refusal.under(PathStep::Key(name.clone())))
        }
        // Whatever else leads nowhere is found, and said, when the edit is made.
        _ => Ok(false),
    }
}

fn check_end(schema: &Schema, value: &Value, edit: &Edit, model: &Model) -> Result<(), Refusal> {
    match (schema, value, edit) {
        (_, _, Edit::Set(new)) => check(schema, new, model),
        (Schema::List { item, unique, .. }, Value::List(items), Edit::Push(new)) => {
            check_count(schema, items.len() + 1)
                .and_then(|()| check(item, new, model).map_err(|found| under(index_step(items.len()), found)))
                .and_then(|()| match unique {
                    true => check_new(items, new, model),
                    false => Ok(()),
                })
        }
        (Schema::List { .. }, Value::List(items), Edit::RemoveAt(index)) => {
            position(*index, items.len()).map_err(Refusal::Nowhere)?;
            check_count(schema, items.len().saturating_sub(1))
        }
        (Schema::List { .. }, _, Edit::Clear) => check_count(schema, 0),
        _ => Ok(()),
    }
    .map_err(Refusal::Breach)
}
