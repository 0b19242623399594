//! The way out: values as JSON, under their names on the wire. References are keys, whatever the world they are read in.

use crate::ids::FieldId;
use crate::keys::{self, KeyPattern};
use crate::model::{Field, Model};
use crate::schema::{Schema, TableWire};
use crate::value::dynamic::{DynRow, NestedRows, RowRef, Value};
use crate::value::json::{Json, Object};
use crate::value::{Text, ToolError, ToolResult};
use std::sync::Arc;

/// A value as it stands on the wire.
pub fn to_json(value: &Value, model: &Model) -> Json {
    match value {
        Value::Null => Json::Null,
        Value::Bool(value) => Json::from(*value),
        Value::Int(value) => Json::from(*value),
        Value::Decimal(value) => Json::from(*value),
        Value::Date(value) => Json::from(value.to_string()),
        Value::DateTime(value) => Json::from(value.to_string()),
        Value::Text(text) => Json::String(text.clone()),
        Value::Enum(of, member) => model.member(*of, *member).map_or(Json::Null, Json::String),
        Value::Row(row) => reference(row, model),
        Value::List(items) => items.iter().map(|item| to_json(item, model)).collect::<Vec<_>>().into(),
        Value::Map(entries) => {
            entries.iter().map(|(key, value)| (key.clone(), to_json(value, model))).collect::<Object>().into()
        }
        Value::Record(record) if record.shape.is_uniform() => {
            uniform(record.shape.wire_names(), &record.shape.fields, &record.values, model)
        }
        Value::Record(record) => members(&record.shape.fields, record.shape.tag, &record.values, model),
        Value::Rows(rows) => table(rows, TableWire::Array, model),
    }
}

/// The weight that a value may have where it leaves or is kept: about its bytes as JSON. Values share their parts, so that a few
/// assignments can make one that would fill the memory once it is written out.
pub const HEAVIEST: usize = 16 << 20;

/// Looks whether a value, written out, stays below [`HEAVIEST`]. Walks no further than that.
///
/// # Errors
/// `limit_exceeded`, if it does not.
pub fn bearable(value: &Value) -> ToolResult<()> {
    let mut left = HEAVIEST;
    let too_heavy =
        || ToolError::limit_exceeded(format!("a value of more than {HEAVIEST} bytes is too large to keep or to show"));
    weigh(value, &mut left).ok_or_else(too_heavy)
}

fn weigh(value: &Value, left: &mut usize) -> Option<()> {
    let own = if let Value::Text(text) = value { text.len() + 1 } else { 1 };
    *left = left.checked_sub(own)?;
    match value {
        Value::List(items) => items.iter().try_for_each(|item| weigh(item, left)),
        Value::Map(entries) => entries.iter().try_for_each(|(key, value)| {
            *left = left.checked_sub(key.len())?;
            weigh(value, left)
        }),
        Value::Record(record) => record.values.iter().try_for_each(|value| weigh(value, left)),
        Value::Rows(rows) => {
            rows.values().try_for_each(|row| row.values.iter().try_for_each(|value| weigh(value, left)))
        }
        _ => Some(()),
    }
}

/// A whole row as it stands on the wire: its stored fields, those of other cases left out.
pub fn row_to_json(row: &DynRow, model: &Model) -> Json {
    members(&row.shape.fields, row.shape.tag, &row.values, model)
}

/// The key of a row, as its entity writes keys.
fn reference(row: &RowRef, model: &Model) -> Json {
    match model.entity(row.entity) {
        Some(entity) if entity.pattern == KeyPattern::Integer => {
            let key = keys::visible(&row.key);
            key.parse::<i64>().map_or(Json::String(key), Json::from)
        }
        Some(entity) if !entity.local => Json::String(row.key.clone()),
        _ => Json::String(keys::visible(&row.key)),
    }
}

/// A value at a place whose schema says how a table is written there.
fn placed(value: &Value, schema: &Schema, model: &Model) -> Json {
    match (value, schema) {
        (Value::Rows(rows), Schema::Table { wire, .. }) => table(rows, *wire, model),
        _ => to_json(value, model),
    }
}

fn table(rows: &NestedRows, wire: TableWire, model: &Model) -> Json {
    // Rows of an entity without cases share their names.
    let shape = rows.values().next().map(|row| &row.shape);
    let names: Option<Arc<[Text]>> = shape
        .filter(|shape| shape.fields.iter().all(Field::is_always_written))
        .map(|shape| shape.fields.iter().map(|field| field.wire.clone()).collect());
    let row = |row: &DynRow| match &names {
        Some(names) => uniform(names, &row.shape.fields, &row.values, model),
        None => row_to_json(row, model),
    };
    match wire {
        TableWire::Array => rows.values().map(|it| row(it)).collect::<Vec<_>>().into(),
        TableWire::Object => rows.values().map(|it| (keys::visible(&it.key), row(it))).collect::<Object>().into(),
    }
}

/// Members all of which are written.
fn uniform(names: &Arc<[Text]>, fields: &[Field], values: &[Value], model: &Model) -> Json {
    let values = fields.iter().zip(values).map(|(field, value)| placed(value, &field.schema, model));
    Object::shared(names, values.collect()).into()
}

fn members(fields: &[Field], tag: Option<FieldId>, values: &[Value], model: &Model) -> Json {
    let member = chosen_case(tag, values);
    let present = fields
        .iter()
        .zip(values)
        .filter(|(field, value)| field.in_case(member) && !(field.omit_null && matches!(value, Value::Null)));
    // Names are unique within a shape, so that nobody need look for them twice.
    let (names, values): (Vec<Text>, Vec<Json>) =
        present.map(|(field, value)| (field.wire.clone(), placed(value, field.schema_in(member), model))).unzip();
    Object::shared(&names.into(), values).into()
}

/// The member of the tag's enum that a record or row has.
pub fn chosen_case(tag: Option<FieldId>, values: &[Value]) -> Option<u16> {
    match values.get(tag?.index())? {
        Value::Enum(_, member) => Some(*member),
        _ => None,
    }
}
