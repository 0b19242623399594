//! Reading: the evaluation of expressions that change nothing. Everything is borrowed for as long as the reader lives, so that
//! a field of a row costs an index and no copy.

use super::Interpreted;
use super::context::Context;
use super::frame::Frame;
use super::stop::{Eval, Stop};
use super::view::{Scoped, View};
use crate::ir::{Body, Expr, ExprId, FunctionId, Slot, Type};
use silo_runtime::ids::{FieldId, RecordId};
use silo_runtime::keys;
use silo_runtime::limits::Meter;
use silo_runtime::model::RecordShape;
use silo_runtime::store::Store;
use silo_runtime::value::dynamic::{DynRow, Record, RowRef, Value, WorldName};
use silo_runtime::value::{Text, ToolError};
use std::sync::Arc;

/// What code reads: its world or worlds, its frame, its budget.
#[derive(Clone, Copy)]
pub(super) struct Reader<'a> {
    /// The environment.
    pub env: &'a Interpreted,
    /// The function.
    pub function: FunctionId,
    /// Its code.
    pub body: &'a Body,
    /// Its locals.
    pub frame: &'a Frame,
    /// The world of a tool or a rule; `initial` in a verifier.
    pub initial: &'a Store,
    /// What rules and verifiers see beside it.
    pub context: &'a Context<'a>,
    /// The world that the function's own state is read from.
    pub here: WorldName,
    /// The budget.
    pub meter: &'a Meter,
    /// Values of parts of the expression that have already been evaluated, because they or a part before them change the world.
    pub done: &'a [(ExprId, Value)],
}

impl<'a> Reader<'a> {
    /// The expression with this id.
    pub(super) fn expr(&self, id: ExprId) -> Eval<&'a Expr> {
        self.body.expr(id).ok_or_else(|| Stop::broken("an expression has no place in its body"))
    }

    /// A world.
    pub(super) fn store(&self, world: WorldName) -> Eval<&'a Store> {
        match world {
            WorldName::Initial => Ok(self.initial),
            other => self.context.world(other),
        }
    }

    /// Takes steps from the budget.
    #[inline]
    pub(super) fn charge(&self, steps: usize) -> Eval<()> {
        charge(self.meter, steps)
    }

    /// What stands in a slot.
    pub(super) fn local<'t>(&self, scope: Scoped<'a, 't>, slot: Slot) -> Eval<View<'a, 't>>
    where
        'a: 't,
    {
        if let Some(scope) = scope
            && let Some(view) = scope.find(slot)
        {
            return Ok(view.reborrow());
        }
        if let Some(lazy) = self.frame.lazy(slot) {
            return self.lazy(lazy);
        }
        Ok(View::Ref(self.frame.get(slot)?))
    }

    /// The value of a verifier's binding, evaluated when first asked for. A binding that failed fails each who reads it.
    fn lazy(&self, lazy: &'a super::frame::Lazy) -> Eval<View<'a, 'a>> {
        if lazy.result.get().is_none() {
            let result = self.eval(None, lazy.code);
            // Bindings read only earlier ones, so that nobody has set it meanwhile.
            let _ = lazy.result.set(result);
        }
        match lazy.result.get() {
            Some(Ok(value)) => Ok(View::Ref(value)),
            Some(Err(stop)) => Err(stop.clone()),
            None => Err(Stop::broken("a binding has no value")),
        }
    }

    /// The row that a reference is to, in the world that the reference is read in.
    pub(super) fn find(&self, row: &RowRef) -> Eval<&'a Arc<DynRow>> {
        let found = self.store(row.world)?.row(row.entity, &row.key);
        found.ok_or_else(|| dangling(&row.key))
    }

    /// The row that an expression is or refers to.
    pub(super) fn row(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<(&'a Arc<DynRow>, WorldName)> {
        self.row_of(&self.view(scope, id)?)
    }

    /// The row that a value is or refers to.
    pub(super) fn row_of(&self, view: &View<'a, '_>) -> Eval<(&'a Arc<DynRow>, WorldName)> {
        match view {
            View::Row(row, world) => Ok((row, *world)),
            View::Ref(Value::Row(row)) | View::Own(Value::Row(row)) => Ok((self.find(row)?, row.world)),
            _ => Err(Stop::broken("a row was expected")),
        }
    }

    /// The shape of a record type.
    pub(super) fn shape(&self, id: RecordId) -> Eval<&'a Arc<RecordShape>> {
        self.env.program.model.record(id).ok_or_else(|| Stop::broken("a record has no shape"))
    }

    /// The shape of an expression that is a record, or a list of records.
    pub(super) fn shape_of(&self, ty: &Type) -> Eval<&'a Arc<RecordShape>> {
        match ty {
            Type::Record(id) => self.shape(*id),
            Type::List(item) | Type::Optional(item) => self.shape_of(item),
            _ => Err(Stop::broken("a record was expected")),
        }
    }
}

/// A stored field of a row. References in it are read in the row's world; a nested table comes as it is stored.
pub(super) fn field_of_row(row: &DynRow, world: WorldName, field: FieldId) -> Eval<View<'_, '_>> {
    let value = row.values.get(field.index()).ok_or_else(|| Stop::broken("a row lacks a field"))?;
    Ok(match (world, value) {
        (WorldName::Initial, value) => View::Ref(value),
        (world, Value::Row(_) | Value::List(_) | Value::Map(_) | Value::Record(_)) => View::Own(moved(value, world)),
        (_, value) => View::Ref(value),
    })
}

/// What reading through a reference to a row that was removed fails with.
#[cold]
pub(super) fn dangling(key: &Text) -> Stop {
    ToolError::dangling(&keys::visible(key)).into()
}

/// Takes steps from a budget.
#[inline]
pub(super) fn charge(meter: &Meter, steps: usize) -> Eval<()> {
    if meter.take(steps as u64) { Ok(()) } else { Err(Stop::spent()) }
}

/// A record of a shape.
pub(super) fn record(shape: &Arc<RecordShape>, values: Vec<Value>) -> Value {
    Value::Record(Arc::new(Record { shape: Arc::clone(shape), values }))
}

/// A value whose references are read in another world.
pub(super) fn moved(value: &Value, world: WorldName) -> Value {
    match value {
        Value::Row(row) => Value::Row(RowRef { world, ..row.clone() }),
        Value::List(items) => Value::List(Arc::new(items.iter().map(|item| moved(item, world)).collect())),
        Value::Map(entries) => {
            Value::Map(Arc::new(entries.iter().map(|(key, value)| (key.clone(), moved(value, world))).collect()))
        }
        Value::Record(parts) => record(&parts.shape, parts.values.iter().map(|part| moved(part, world)).collect()),
        other => other.clone(),
    }
}
