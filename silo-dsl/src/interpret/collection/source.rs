//! Where the elements of a chain come from.

use super::super::reader::Reader;
use super::super::stop::{Eval, Stop};
use super::super::view::{Scoped, View, reference};
use super::stage::is_stage;
use crate::ir::{Expr, ExprId, ExprKind, Type};
use silo_runtime::ids::{EntityId, StateId};
use silo_runtime::keys;
use silo_runtime::store::TablePlace;
use silo_runtime::table;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{DynRow, NestedRows, Value, WorldName};
use std::slice;
use std::sync::Arc;
use std::vec;

/// The elements of a list or table, in order, read where they are.
pub(in super::super) enum Source<'a, 't> {
    /// The rows of a state table.
    Table(table::Iter<'a, DynRow>, WorldName),
    /// The rows of a nested table.
    Nested(indexmap::map::Values<'a, Text, Arc<DynRow>>, WorldName),
    /// The elements of a list that stands somewhere.
    List(slice::Iter<'t, Value>),
    /// The elements of a list that was made.
    Made(vec::IntoIter<Value>),
    /// What a method before has passed on.
    Views(vec::IntoIter<View<'a, 't>>),
}

impl<'a, 't> Iterator for Source<'a, 't> {
    type Item = View<'a, 't>;

    #[inline]
    fn next(&mut self) -> Option<View<'a, 't>> {
        match self {
            Self::Table(rows, world) => rows.next().map(|row| View::Row(row, *world)),
            Self::Nested(rows, world) => rows.next().map(|row| View::Row(row, *world)),
            Self::List(items) => items.next().map(View::Ref),
            Self::Made(items) => items.next().map(View::Own),
            Self::Views(items) => items.next(),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        match self {
            Self::Table(rows, _) => rows.size_hint(),
            Self::Nested(rows, _) => rows.size_hint(),
            Self::List(items) => items.size_hint(),
            Self::Made(items) => items.size_hint(),
            Self::Views(items) => items.size_hint(),
        }
    }

    fn count(self) -> usize {
        self.size_hint().0
    }
}

/// A table whose rows are looked up by key.
pub(in super::super) enum Table<'a> {
    /// A table in the state of a world.
    State(StateId, WorldName),
    /// A table in a row.
    Nested(&'a NestedRows, WorldName),
    /// The rows that a table had when it was bound to a name.
    Bound(Vec<View<'a, 'static>>),
}

impl<'a> Table<'a> {
    /// The row with a key, if the table has it.
    pub(in super::super) fn get(&self, reader: &Reader<'a>, key: &Text) -> Eval<Option<View<'a, 'static>>> {
        let key = keys::visible(key);
        Ok(match self {
            Self::State(state, world) => {
                let found = reader.store(*world)?.row_in(&TablePlace::State(*state), &key);
                found.map(|row| View::Row(row, *world))
            }
            Self::Nested(rows, world) => rows.get(&key).map(|row| View::Row(row, *world)),
            Self::Bound(rows) => {
                let found = rows.iter().find(|row| row.row_key().is_some_and(|other| keys::visible(other) == key));
                found.cloned()
            }
        })
    }
}

impl<'a> Reader<'a> {
    /// The elements that an expression gives.
    pub(in super::super) fn source<'t>(&self, scope: Scoped<'a, 't>, id: ExprId) -> Eval<Source<'a, 't>>
    where
        'a: 't,
    {
        let expr = self.expr(id)?;
        if !self.done.is_empty() && self.done.iter().any(|(done, _)| *done == id) {
            return elements(self.view(scope, id)?);
        }
        match &expr.kind {
            ExprKind::State(state) if is_table(&expr.ty) => self.rows(*state, self.here),
            ExprKind::WorldState(world, state) if is_table(&expr.ty) => self.rows(*state, *world),
            ExprKind::Field { base, field } if is_table(&expr.ty) => {
                let base = self.view(scope, *base)?;
                if let Some(Value::Record(_)) = base.value() {
                    return elements(self.field(base, *field)?);
                }
                let (row, world) = self.row_of(&base)?;
                match row.values.get(field.index()) {
                    Some(Value::Rows(rows)) => Ok(Source::Nested(rows.values(), world)),
                    _ => Err(Stop::broken("a nested table is missing")),
                }
            }
            ExprKind::Method { receiver, method, args } if is_stage(*method) => {
                Ok(Source::Views(self.stage(scope, expr, *receiver, *method, args)?.into_iter()))
            }
            ExprKind::Where { receiver, fields } => {
                Ok(Source::Views(self.matching(scope, expr, *receiver, fields)?.into_iter()))
            }
            ExprKind::Narrowed(inner) => self.source(scope, *inner),
            ExprKind::Coerce(inner) if is_table(&self.expr(*inner)?.ty) => self.source(scope, *inner),
            // A list literal of a closure needs no list to hold its elements.
            ExprKind::List(items) => {
                let items = items.iter().map(|item| self.view(scope, *item)).collect::<Eval<Vec<_>>>()?;
                Ok(Source::Views(items.into_iter()))
            }
            _ => elements(self.view(scope, id)?),
        }
    }

    fn rows<'t>(&self, state: StateId, world: WorldName) -> Eval<Source<'a, 't>>
    where
        'a: 't,
    {
        Ok(Source::Table(self.store(world)?.table(state).iter(), world))
    }

    /// The value of a state field; a table is the list of the rows it has now.
    pub(in super::super) fn state(&self, world: WorldName, state: StateId) -> Eval<View<'a, 'a>> {
        let store = self.store(world)?;
        if self.is_table_field(state) {
            let rows = self.rows(state, world)?.map(View::into_value).collect();
            return Ok(View::Own(Value::List(Arc::new(rows))));
        }
        Ok(match (world, store.scalar(state)) {
            (WorldName::Initial, value) => View::Ref(value),
            (world, value @ (Value::Row(_) | Value::List(_) | Value::Map(_) | Value::Record(_))) => {
                View::Own(super::super::reader::moved(value, world))
            }
            (_, value) => View::Ref(value),
        })
    }

    fn is_table_field(&self, state: StateId) -> bool {
        self.env.table_entity(state).is_some()
    }

    /// A table to look up rows in.
    pub(in super::super) fn table(&self, scope: Scoped<'a, '_>, id: ExprId) -> Eval<Table<'a>> {
        let expr = self.expr(id)?;
        match &expr.kind {
            ExprKind::State(state) => Ok(Table::State(*state, self.here)),
            ExprKind::WorldState(world, state) => Ok(Table::State(*state, *world)),
            ExprKind::Field { base, field } => {
                let base = self.view(scope, *base)?;
                if let Some(Value::Record(_)) = base.value() {
                    let rows = elements(self.field(base, *field)?)?;
                    return Ok(Table::Bound(rows.map(View::kept).collect()));
                }
                let (row, world) = self.row_of(&base)?;
                match row.values.get(field.index()) {
                    Some(Value::Rows(rows)) => Ok(Table::Nested(rows, world)),
                    _ => Err(Stop::broken("a nested table is missing")),
                }
            }
            ExprKind::Narrowed(inner) => self.table(scope, *inner),
            _ => Ok(Table::Bound(self.source(scope, id)?.map(View::kept).collect())),
        }
    }

    /// The name of the entity whose rows a table holds.
    pub(in super::super) fn entity_name(&self, table: ExprId) -> &'a str {
        let entity = self.expr(table).ok().and_then(|expr| entity_of(&expr.ty));
        entity.and_then(|id| self.env.program.model.entity(id)).map_or("row", |shape| &shape.name)
    }
}

fn is_table(ty: &Type) -> bool {
    matches!(ty.required(), Type::Table(_))
}

/// The entity of rows, or of lists or tables of them.
pub(in super::super) fn entity_of(ty: &Type) -> Option<EntityId> {
    match ty.required() {
        Type::Table(entity) | Type::Entity(entity) => Some(*entity),
        Type::List(item) => entity_of(item),
        _ => None,
    }
}

/// The elements of a list that a view is.
fn elements<'a, 't>(view: View<'a, 't>) -> Eval<Source<'a, 't>> {
    match view {
        View::Ref(Value::List(items)) => Ok(Source::List(items.iter())),
        View::Own(Value::List(items)) => {
            let items = Arc::try_unwrap(items).unwrap_or_else(|shared| shared.to_vec());
            Ok(Source::Made(items.into_iter()))
        }
        // The rows of a table that was copied into a record, which are read where the record's world was.
        View::Ref(Value::Rows(rows)) => Ok(Source::Made(references(rows).into_iter())),
        View::Own(Value::Rows(rows)) => Ok(Source::Made(references(&rows).into_iter())),
        View::Ref(Value::Map(entries)) => {
            let keys: Vec<_> = entries.keys().map(|key| Value::Text(key.clone())).collect();
            Ok(Source::Made(keys.into_iter()))
        }
        View::Own(Value::Map(entries)) => {
            let keys: Vec<_> = entries.keys().map(|key| Value::Text(key.clone())).collect();
            Ok(Source::Made(keys.into_iter()))
        }
        _ => Err(Stop::broken("a list was expected")),
    }
}

fn references(rows: &NestedRows) -> Vec<Value> {
    rows.values().map(|row| reference(row, WorldName::Initial)).collect()
}

/// Whether an expression is a table where it is stored, so that rows are looked up and not searched for.
pub(in super::super) fn is_stored_table(expr: &Expr) -> bool {
    let stored = matches!(expr.kind, ExprKind::State(_) | ExprKind::WorldState(..) | ExprKind::Field { .. });
    stored && is_table(&expr.ty)
}
