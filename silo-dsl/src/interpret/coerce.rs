//! Conversions that the checker inserts: int to decimal, enum to string, table to list, record to record.

use super::reader::{Reader, record};
use super::stop::{Eval, Stop};
use super::view::Scoped;
use crate::ir::{ExprId, Type};
use silo_runtime::model::{Field, Model};
use silo_runtime::schema::Schema;
use silo_runtime::value::Text;
use silo_runtime::value::dynamic::{Record, Value};
use std::sync::Arc;

impl<'a> Reader<'a> {
    /// The value of an expression, converted to a type.
    pub(super) fn coerce(&self, scope: Scoped<'a, '_>, inner: ExprId, to: &Type) -> Eval<Value> {
        if matches!(self.expr(inner)?.ty.required(), Type::Table(_)) {
            return self.list(scope, inner);
        }
        convert(&self.env.program.model, self.eval(scope, inner)?, to)
    }
}

/// A value of a type.
fn convert(model: &Model, value: Value, to: &Type) -> Eval<Value> {
    match (value, to.required()) {
        (Value::Int(number), Type::Decimal) => Ok(Value::Decimal(number.into())),
        (Value::Enum(of, member), Type::Text) => member_text(model, of, member),
        (Value::List(items), Type::List(item)) => {
            let items = items.iter().map(|value| convert(model, value.clone(), item)).collect::<Eval<_>>()?;
            Ok(Value::List(Arc::new(items)))
        }
        (Value::List(items), Type::Table(entity)) => {
            let shape = model.entity(*entity).ok_or_else(|| Stop::broken("an entity has no shape"))?;
            drafts(model, &items, &shape.fields)
        }
        (Value::Map(entries), Type::Map(_, item)) => {
            let entries = entries.iter().map(|(key, value)| Ok((key.clone(), convert(model, value.clone(), item)?)));
            Ok(Value::Map(Arc::new(entries.collect::<Eval<_>>()?)))
        }
        (Value::Record(from), Type::Record(to)) => fit_record(model, &from, *to),
        (value, _) => Ok(value),
    }
}

/// A value of a schema: what stands in a record that is converted as a whole.
fn fit(model: &Model, value: &Value, to: &Schema) -> Eval<Value> {
    match (value, to) {
        (_, Schema::Optional(inner)) if !matches!(value, Value::Null) => fit(model, value, inner),
        (Value::Int(number), Schema::Decimal { .. }) => Ok(Value::Decimal((*number).into())),
        (Value::Enum(of, member), Schema::String { .. }) => member_text(model, *of, *member),
        (Value::List(items), Schema::List { item, .. }) => {
            let items = items.iter().map(|value| fit(model, value, item)).collect::<Eval<_>>()?;
            Ok(Value::List(Arc::new(items)))
        }
        (Value::List(items), Schema::Table { entity, .. }) => {
            let shape = model.entity(*entity).ok_or_else(|| Stop::broken("an entity has no shape"))?;
            drafts(model, items, &shape.fields)
        }
        (Value::Map(entries), Schema::Map { value: item, .. }) => {
            let entries = entries.iter().map(|(key, value)| Ok((key.clone(), fit(model, value, item)?)));
            Ok(Value::Map(Arc::new(entries.collect::<Eval<_>>()?)))
        }
        (Value::Record(from), Schema::Record(to)) => fit_record(model, from, *to),
        (value, _) => Ok(value.clone()),
    }
}

/// A record of another shape: its members by name, defaults where it has none.
fn fit_record(model: &Model, from: &Arc<Record>, to: silo_runtime::ids::RecordId) -> Eval<Value> {
    let shape = model.record(to).ok_or_else(|| Stop::broken("a record has no shape"))?;
    if Arc::ptr_eq(shape, &from.shape) {
        return Ok(Value::Record(Arc::clone(from)));
    }
    Ok(record(shape, fields(model, from, &shape.fields)?))
}

/// New rows of a table, one record a row with a value for each field of the entity.
fn drafts(model: &Model, items: &[Value], to: &[Field]) -> Eval<Value> {
    let rows = items.iter().map(|item| match item {
        Value::Record(from) => Ok(record(&from.shape, fields(model, from, to)?)),
        other => Ok(other.clone()),
    });
    Ok(Value::List(Arc::new(rows.collect::<Eval<_>>()?)))
}

/// The values of a record for these fields.
fn fields(model: &Model, from: &Record, to: &[Field]) -> Eval<Vec<Value>> {
    let value = |field: &Field| {
        let found = from.shape.fields.iter().zip(&from.values).find(|(member, _)| member.name == field.name);
        match (found, &field.default) {
            (Some((_, Value::Null)), Some(default)) if !matches!(field.schema, Schema::Optional(_)) => {
                Ok(default.clone())
            }
            (Some((_, value)), _) => fit(model, value, &field.schema),
            (None, Some(default)) => Ok(default.clone()),
            (None, None) => Ok(Value::Null),
        }
    };
    to.iter().map(value).collect()
}

fn member_text(model: &Model, of: silo_runtime::ids::EnumId, member: u16) -> Eval<Value> {
    let text: Option<Text> = model.member(of, member);
    text.map(Value::Text).ok_or_else(|| Stop::broken("an enum lacks a member"))
}
