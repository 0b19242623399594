//! The limits of types, checked whenever a value is stored.

use super::fault::Breach;
use crate::diff::{PathStep, same};
use crate::ids::FieldId;
use crate::model::{Field, Model};
use crate::schema::{MapKey, Schema};
use crate::value::Text;
use crate::value::dynamic::Value;
use crate::value::json::Json;
use crate::value::text::shorten;
use crate::wire;
use std::collections::BTreeSet;
use std::fmt::Display;

/// Longest value shown in a message.
const SHOWN: usize = 60;

/// Checks a value against a schema. Types are the compiler's business; what it cannot know is checked here: bounds, lengths,
/// patterns, uniqueness, members that do not exist in a case.
pub(super) fn check(schema: &Schema, value: &Value, model: &Model) -> Result<(), Breach> {
    match (schema, value) {
        (Schema::Optional(inner), value) if !matches!(value, Value::Null) => check(inner, value, model),
        (Schema::Int { min, max }, Value::Int(number)) => within(*number, *min, *max),
        (Schema::Decimal { min, max }, Value::Decimal(number)) => within(*number, *min, *max),
        (Schema::String { min_length, max_length, pattern }, Value::Text(text)) => {
            check_length(text, *min_length, *max_length)?;
            match pattern {
                Some(pattern) if !pattern.matches(text) => {
                    breach(format!("must match `{}`, but would be {}", pattern.source(), shown(value, model)))
                }
                _ => Ok(()),
            }
        }
        (Schema::List { item, unique, .. }, Value::List(items)) => {
            check_count(schema, items.len())?;
            for (index, element) in items.iter().enumerate() {
                check(item, element, model).map_err(|found| under(index_step(index), found))?;
            }
            if *unique { check_unique(items, model) } else { Ok(()) }
        }
        (Schema::Map { key, value: of }, Value::Map(entries)) => {
            for (name, entry) in entries.iter() {
                check_map_key(*key, name, model)?;
                check(of, entry, model).map_err(|found| under(PathStep::Key(name.clone()), found))?;
            }
            Ok(())
        }
        (Schema::Record(id), Value::Record(record)) => {
            // The declared record has the limits; a value made elsewhere may bear a looser shape of the same members.
            let shape = model.record(*id).unwrap_or(&record.shape);
            let member = wire::chosen_case(shape.tag, &record.values);
            check_fields(&shape.fields, &record.values, member, model)
        }
        (Schema::Enum(of), Value::Enum(is, _)) if of == is => Ok(()),
        (Schema::Entity(of), Value::Row(row)) if *of == row.entity => Ok(()),
        (Schema::AnyEntity(of), Value::Row(row)) if of.contains(&row.entity) => Ok(()),
        (Schema::AnyOf(schemas), _) if schemas.iter().any(|schema| check(schema, value, model).is_ok()) => Ok(()),
        (Schema::Optional(_), Value::Null)
        | (Schema::Bool, Value::Bool(_))
        | (Schema::True, Value::Bool(true))
        | (Schema::Date, Value::Date(_))
        | (Schema::DateTime, Value::DateTime(_))
        | (Schema::Table { .. }, Value::Rows(_)) => Ok(()),
        (_, Value::Null) => breach("must not be null".to_owned()),
        _ => breach(format!("cannot be {}, which is of another type", shown(value, model))),
    }
}

/// Checks the values of a record or row, field by field.
pub(super) fn check_fields(
    fields: &[Field],
    values: &[Value],
    member: Option<u16>,
    model: &Model,
) -> Result<(), Breach> {
    for (index, field) in fields.iter().enumerate() {
        let value = values.get(index).unwrap_or(&Value::Null);
        check_field(field, value, member, model)
            .map_err(|found| under(PathStep::Field(FieldId::from(index), field.wire.clone()), found))?;
    }
    Ok(())
}

/// Checks one field in the case that the tag's member chooses.
pub(super) fn check_field(field: &Field, value: &Value, member: Option<u16>, model: &Model) -> Result<(), Breach> {
    match (field.in_case(member), value) {
        (true, _) => check(field.schema_in(member), value, model),
        (false, Value::Null) => Ok(()),
        (false, _) => breach("does not exist in this case".to_owned()),
    }
}

/// Checks how many elements a list has.
pub(super) fn check_count(schema: &Schema, count: usize) -> Result<(), Breach> {
    let Schema::List { min_items, max_items, .. } = schema else { return Ok(()) };
    let limit = |limit: &Option<u32>| limit.map(|limit| limit as usize);
    match (limit(min_items), limit(max_items)) {
        (Some(min), _) if count < min => {
            breach(format!("must have at least {}, but would have {count}", elements(min)))
        }
        (_, Some(max)) if count > max => breach(format!("must have at most {}, but would have {count}", elements(max))),
        _ => Ok(()),
    }
}

/// Checks that no element stands in a list twice. They are compared by their JSON, so that long
/// lists do not take the square of their length.
fn check_unique(items: &[Value], model: &Model) -> Result<(), Breach> {
    let mut seen = BTreeSet::new();
    match items.iter().find(|item| !seen.insert(wire::to_json(item, model).to_string())) {
        Some(twice) => breach(twice_text(twice, model)),
        None => Ok(()),
    }
}

fn twice_text(item: &Value, model: &Model) -> String {
    format!("must not hold an element twice, but would hold {} twice", shown(item, model))
}

/// Checks that an element does not stand in a list already.
pub(super) fn check_new(items: &[Value], new: &Value, model: &Model) -> Result<(), Breach> {
    if items.iter().any(|item| same(item, new)) {
        return breach(twice_text(new, model));
    }
    Ok(())
}

/// Checks a key of a map.
pub(super) fn check_map_key(key: MapKey, name: &Text, model: &Model) -> Result<(), Breach> {
    match key {
        MapKey::Enum(of) => match model.enum_shape(of) {
            Some(shape) if !shape.members.contains(name) => {
                breach(format!("has no entry `{}`: it is no {}", shorten(name, SHOWN), shape.name))
            }
            _ => Ok(()),
        },
        MapKey::String | MapKey::Entity(_) => Ok(()),
    }
}

fn within<N: PartialOrd + Display + Copy>(number: N, min: Option<N>, max: Option<N>) -> Result<(), Breach> {
    match (min, max) {
        (Some(min), _) if number < min => breach(format!("must be at least {min}, but would be {number}")),
        (_, Some(max)) if number > max => breach(format!("must be at most {max}, but would be {number}")),
        _ => Ok(()),
    }
}

fn check_length(text: &str, min: Option<u32>, max: Option<u32>) -> Result<(), Breach> {
    if min.is_none() && max.is_none() {
        return Ok(());
    }
    let length = text.chars().count();
    match (min.map(|min| min as usize), max.map(|max| max as usize)) {
        (Some(min), _) if length < min => {
            breach(format!("must have at least {}, but would have {length}", characters(min)))
        }
        (_, Some(max)) if length > max => {
            breach(format!("must have at most {}, but would have {length}", characters(max)))
        }
        _ => Ok(()),
    }
}

fn characters(count: usize) -> String {
    if count == 1 { "1 character".to_owned() } else { format!("{count} characters") }
}

fn elements(count: usize) -> String {
    if count == 1 { "1 element".to_owned() } else { format!("{count} elements") }
}

fn shown(value: &Value, model: &Model) -> String {
    match wire::to_json(value, model) {
        Json::String(text) => format!("`{}`", shorten(&text, SHOWN)),
        other => format!("`{}`", shorten(&other.to_string(), SHOWN)),
    }
}

fn breach(message: String) -> Result<(), Breach> {
    Err(Breach { path: Vec::new(), message })
}

/// A breach in a part of a value.
pub(super) fn under(step: PathStep, mut found: Breach) -> Breach {
    found.path.insert(0, step);
    found
}

/// The step to an element. Positions beyond 32 bits cannot be reached.
pub(super) fn index_step(index: usize) -> PathStep {
    PathStep::Index(u32::try_from(index).unwrap_or(u32::MAX))
}
