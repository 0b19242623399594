//! Assignments: changes of locals, of rows and of state, in their place.

use super::number::{self, Number};
use super::run::Machine;
use super::stop::{Eval, Stop};
use super::view::{Scoped, View};
use crate::ir::{Arith, ExprId, MutateOp, NumberKind, Place, PlaceRoot, PlaceStep, Slot};
use silo_runtime::ids::FieldId;
use silo_runtime::store::{Edit, Step, Target, apply};
use silo_runtime::value::ToolError;
use silo_runtime::value::dynamic::Value;

/// A place, its indexes and keys evaluated.
struct Resolved {
    root: Root,
    steps: Vec<Step>,
}

/// Where a place starts.
enum Root {
    Local(Slot),
    World(Target),
}

impl<'m> Machine<'m> {
    /// `place = value`.
    pub(super) fn assign(&mut self, scope: Scoped<'m, '_>, place: &'m Place, value: ExprId) -> Eval<()> {
        let at = self.resolve(scope, place)?;
        let value = self.eval(scope, value)?;
        self.edit(at, Edit::Set(value))
    }

    /// `place += value`, `place -= value`.
    pub(super) fn adjust(
        &mut self,
        scope: Scoped<'m, '_>,
        place: &'m Place,
        subtract: bool,
        value: ExprId,
    ) -> Eval<()> {
        let at = self.resolve(scope, place)?;
        let by = number::number(&View::Own(self.eval(scope, value)?))?;
        let old = number::number(&View::Ref(self.stored(&at)?))?;
        let kind = if matches!(old, Number::Int(_)) { NumberKind::Int } else { NumberKind::Decimal };
        let op = if subtract { Arith::Subtract } else { Arith::Add };
        let new = number::step(op, kind, old, by)?.into_value();
        self.edit(at, Edit::Set(new))
    }

    /// `xs.push(x)` and its like.
    pub(super) fn mutate(&mut self, scope: Scoped<'m, '_>, place: &'m Place, op: &MutateOp) -> Eval<Value> {
        let at = self.resolve(scope, place)?;
        let edit = match op {
            MutateOp::Push(value) => Edit::Push(self.eval(scope, *value)?),
            MutateOp::RemoveAt(index) => Edit::RemoveAt(number::int(&View::Own(self.eval(scope, *index)?))?),
            MutateOp::RemoveKey(key) => {
                let key = View::Own(self.eval(scope, *key)?);
                Edit::RemoveKey(self.reader().key_text(&key)?)
            }
            MutateOp::Clear => Edit::Clear,
        };
        self.edit(at, edit)?;
        Ok(Value::Null)
    }

    /// `row.update({ a?, b: v })`: what is null of the members with `?` is left alone.
    pub(super) fn update(
        &mut self,
        scope: Scoped<'m, '_>,
        row: ExprId,
        fields: &[(FieldId, ExprId, bool)],
    ) -> Eval<Value> {
        let row = self.row_ref(scope, row)?;
        let mut changes = Vec::with_capacity(fields.len());
        for (field, value, optional) in fields {
            let value = self.eval(scope, *value)?;
            if !(*optional && matches!(value, Value::Null)) {
                changes.push((*field, value));
            }
        }
        let store = self.store_mut()?;
        if changes.is_empty() {
            store.read(row.entity, &row.key)?;
        }
        for (field, value) in changes {
            store.set(row.entity, &row.key, field, value)?;
        }
        Ok(Value::Null)
    }

    /// Evaluates what a place is made of, from left to right.
    fn resolve(&mut self, scope: Scoped<'m, '_>, place: &'m Place) -> Eval<Resolved> {
        let root = match &place.root {
            PlaceRoot::Local(slot) => Root::Local(*slot),
            PlaceRoot::State(state) => Root::World(Target::State(*state)),
            PlaceRoot::Row(row, _) => {
                let row = self.row_ref(scope, *row)?;
                Root::World(Target::Row(row.entity, row.key))
            }
        };
        let mut steps = Vec::with_capacity(place.steps.len());
        for step in &place.steps {
            steps.push(match step {
                PlaceStep::Field(field, _) => Step::Field(*field),
                PlaceStep::Index(index) => Step::Index(number::int(&View::Own(self.eval(scope, *index)?))?),
                PlaceStep::Key(key) => {
                    let key = View::Own(self.eval(scope, *key)?);
                    Step::Key(self.reader().key_text(&key)?)
                }
            });
        }
        Ok(Resolved { root, steps })
    }

    fn edit(&mut self, at: Resolved, edit: Edit) -> Eval<()> {
        match at.root {
            Root::Local(slot) => apply(self.frame.get_mut(slot)?, &at.steps, edit)?,
            Root::World(target) => self.store_mut()?.change(&target, &at.steps, edit)?,
        }
        Ok(())
    }

    /// What stands in a place now.
    fn stored(&self, at: &Resolved) -> Eval<&Value> {
        let (mut value, mut steps) = match &at.root {
            Root::Local(slot) => (self.frame.get(*slot)?, at.steps.as_slice()),
            Root::World(Target::State(state)) => (self.store().scalar(*state), at.steps.as_slice()),
            Root::World(Target::Row(entity, key)) => {
                let row = self.store().read(*entity, key)?;
                let Some((Step::Field(field), rest)) = at.steps.split_first() else {
                    return Err(Stop::broken("a place in a row starts with none of its fields"));
                };
                let value = row.values.get(field.index()).ok_or_else(|| Stop::broken("a row lacks a field"))?;
                (value, rest)
            }
        };
        while let Some((step, rest)) = steps.split_first() {
            value = part(value, step)?;
            steps = rest;
        }
        Ok(value)
    }
}

/// A part of a value.
fn part<'v>(value: &'v Value, step: &Step) -> Eval<&'v Value> {
    match (value, step) {
        (Value::Record(record), Step::Field(field)) => {
            record.values.get(field.index()).ok_or_else(|| Stop::broken("a record lacks a field"))
        }
        (Value::List(items), Step::Index(index)) => {
            let found = usize::try_from(*index).ok().and_then(|index| items.get(index));
            found.ok_or_else(|| ToolError::no_element(*index, items.len()).into())
        }
        (Value::Map(entries), Step::Key(key)) => entries.get(key).ok_or_else(|| ToolError::no_entry(key).into()),
        _ => Err(Stop::broken("a place leads through something without parts")),
    }
}
