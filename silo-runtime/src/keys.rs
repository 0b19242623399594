//! Keys of rows: their identity, their patterns, and how the next one is made.

pub(crate) mod faults;
mod frame;

pub use frame::Frame;

use crate::ids::{FieldId, StateId};
use crate::model::Model;
use crate::value::Text;
use crate::value::dynamic::Value;

/// How the keys of an entity are made.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyPattern {
    /// `key`: must be given.
    Given,
    /// `key int`: an integer; one above the highest ever used when left out.
    Integer,
    /// `key "OPP-000"`, `key "{parent}-L0"`, `key "STK-{product}-{warehouse}"`.
    Text(Vec<KeyPart>),
}

/// A part of a key pattern.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyPart {
    /// Text as it stands.
    Literal(Text),
    /// The key of the owner row.
    Parent,
    /// The text of a field, which is read-only then.
    Field(FieldId),
    /// The counter, padded with zeros to this width; at most one a pattern, its last run of zeros.
    Counter(u8),
}

/// Separates the parts of a `key local` identity. Keys hold no control characters, so that it cannot clash.
const SEPARATOR: char = '\u{1f}';

/// The identity of a row whose key is unique only within its owner (`key local`): the owner's identity, the field that holds
/// the table, and the key.
pub fn local_identity(owner: &str, field: FieldId, key: &str) -> Text {
    format!("{owner}{SEPARATOR}{}{SEPARATOR}{key}", field.0).into()
}

/// The identity of such a row where the table is a state field.
pub fn local_in_table(state: StateId, key: &str) -> Text {
    // No row has an empty key, so that no row's table can be mistaken for a state field.
    local_identity("", FieldId(state.0), key)
}

/// The key that people see of a row's identity.
pub fn visible(identity: &Text) -> Text {
    match identity.rsplit_once(SEPARATOR) {
        Some((_, key)) => key.into(),
        None => identity.clone(),
    }
}

/// The key that people see, as a part of a row's identity.
pub fn visible_part(identity: &str) -> &str {
    identity.rsplit_once(SEPARATOR).map_or(identity, |(_, key)| key)
}

/// Whether a text may be a key: not empty, no control characters.
pub fn may_be_key(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

/// The key that a pattern without a counter makes of a row's fields; nothing where one is needed that is not there.
pub fn composed(pattern: &KeyPattern, values: &[Value], parent: Option<&Text>, model: &Model) -> Option<Text> {
    let KeyPattern::Text(parts) = pattern else { return None };
    let mut key = String::new();
    for part in parts {
        match part {
            KeyPart::Literal(text) => key.push_str(text),
            KeyPart::Parent => key.push_str(parent?),
            KeyPart::Field(field) => key.push_str(&part_text(values.get(field.index())?, model)?),
            KeyPart::Counter(_) => return None,
        }
    }
    Some(key.into())
}

/// A field's value as part of a key.
pub fn part_text(value: &Value, model: &Model) -> Option<Text> {
    match value {
        Value::Text(text) => Some(text.clone()),
        Value::Row(row) => Some(visible(&row.key)),
        Value::Enum(of, member) => model.member(*of, *member),
        Value::Bool(truth) => Some(truth.to_string().into()),
        Value::Int(number) => Some(number.to_string().into()),
        Value::Decimal(number) => Some(number.to_string().into()),
        Value::Date(date) => Some(date.to_string().into()),
        Value::DateTime(instant) => Some(instant.to_string().into()),
        _ => None,
    }
}
