//! Equality, order and hashing of values.

use silo_runtime::model::Model;
use silo_runtime::value::Decimal;
use silo_runtime::value::dynamic::Value;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

/// Whether two values are equal: rows by entity and key, in any world; records, lists and maps deeply.
pub(super) fn equal(model: &Model, left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => Arc::ptr_eq(a, b) || a == b,
        (Value::Enum(of, member), Value::Text(text)) | (Value::Text(text), Value::Enum(of, member)) => model
            .enum_shape(*of)
            .and_then(|shape| shape.members.get(usize::from(*member)))
            .is_some_and(|name| name == text),
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| equal(model, a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| equal(model, a, b)))
        }
        (Value::Record(a), Value::Record(b)) => {
            Arc::ptr_eq(a, b)
                || (a.values.len() == b.values.len()
                    && a.shape.fields.iter().zip(&a.values).all(|(field, value)| {
                        let other = b.shape.fields.iter().zip(&b.values).find(|(other, _)| other.name == field.name);
                        other.is_some_and(|(_, other)| equal(model, value, other))
                    }))
        }
        _ => plain_equal(left, right),
    }
}

fn plain_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Null, Value::Null) => true,
        (Value::Bool(a), Value::Bool(b)) => a == b,
        (Value::Int(a), Value::Int(b)) => a == b,
        (Value::Decimal(a), Value::Decimal(b)) => a == b,
        (Value::Int(a), Value::Decimal(b)) | (Value::Decimal(b), Value::Int(a)) => Decimal::from(*a) == *b,
        (Value::Date(a), Value::Date(b)) => a == b,
        (Value::DateTime(a), Value::DateTime(b)) => a == b,
        (Value::Enum(a, x), Value::Enum(b, y)) => a == b && x == y,
        (Value::Row(a), Value::Row(b)) => a.entity == b.entity && (Arc::ptr_eq(&a.key, &b.key) || a.key == b.key),
        _ => false,
    }
}

/// How two values are ordered: numbers, text by code points, dates, instants, enums as declared, false before true.
pub(super) fn order(left: &Value, right: &Value) -> Option<Ordering> {
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => Some(a.cmp(b)),
        (Value::Decimal(a), Value::Decimal(b)) => Some(a.cmp(b)),
        (Value::Int(a), Value::Decimal(b)) => Some(Decimal::from(*a).cmp(b)),
        (Value::Decimal(a), Value::Int(b)) => Some(a.cmp(&Decimal::from(*b))),
        // Bytes of UTF-8 are ordered as the code points they spell.
        (Value::Text(a), Value::Text(b)) => Some(a.cmp(b)),
        (Value::Date(a), Value::Date(b)) => Some(a.cmp(b)),
        (Value::DateTime(a), Value::DateTime(b)) => Some(a.cmp(b)),
        (Value::Enum(a, x), Value::Enum(b, y)) if a == b => Some(x.cmp(y)),
        (Value::Bool(a), Value::Bool(b)) => Some(a.cmp(b)),
        (Value::Row(a), Value::Row(b)) if a.entity == b.entity => Some(a.key.cmp(&b.key)),
        _ => None,
    }
}

/// A value as the key of a group, compared as [`equal`] does within one type.
#[derive(Clone, Debug)]
pub(super) struct Keyed(pub Value);

impl PartialEq for Keyed {
    fn eq(&self, other: &Self) -> bool {
        keyed_equal(&self.0, &other.0)
    }
}

impl Eq for Keyed {}

fn keyed_equal(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Text(a), Value::Text(b)) => Arc::ptr_eq(a, b) || a == b,
        (Value::List(a), Value::List(b)) => {
            a.len() == b.len() && a.iter().zip(b.iter()).all(|(a, b)| keyed_equal(a, b))
        }
        (Value::Map(a), Value::Map(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| keyed_equal(a, b)))
        }
        (Value::Record(a), Value::Record(b)) => {
            a.values.len() == b.values.len() && a.values.iter().zip(&b.values).all(|(a, b)| keyed_equal(a, b))
        }
        _ => plain_equal(left, right),
    }
}

impl Hash for Keyed {
    fn hash<H: Hasher>(&self, state: &mut H) {
        hash(&self.0, state);
    }
}

fn hash<H: Hasher>(value: &Value, state: &mut H) {
    match value {
        Value::Null => 0_u8.hash(state),
        Value::Bool(value) => value.hash(state),
        // An int equals the decimal of the same value, and so hashes like it.
        Value::Int(value) => Decimal::from(*value).hash(state),
        Value::Decimal(value) => value.hash(state),
        Value::Date(value) => value.hash(state),
        Value::DateTime(value) => value.hash(state),
        Value::Text(text) => text.hash(state),
        Value::Enum(_, member) => member.hash(state),
        Value::Row(row) => row.key.hash(state),
        Value::List(items) => items.iter().for_each(|item| hash(item, state)),
        // Equal maps may differ in order.
        Value::Map(entries) => entries.len().hash(state),
        Value::Record(record) => record.values.iter().for_each(|value| hash(value, state)),
        Value::Rows(rows) => rows.len().hash(state),
    }
}
