//! The weight of a value that goes to or comes from an agent.

use crate::value::json::{Json, Number};

/// About how many bytes a value has in compact JSON: exact but for escapes. Cheap: nothing is written.
pub(super) fn bytes(json: &Json) -> usize {
    match json {
        Json::Null | Json::Bool(_) => 4,
        Json::Number(Number::Lexical(text)) => text.len(),
        Json::Number(_) => 8,
        Json::String(text) => text.len() + 2,
        Json::Array(items) => items.iter().map(|item| bytes(item) + 1).sum::<usize>() + 2,
        Json::Object(members) => members.iter().map(|(name, value)| name.len() + bytes(value) + 4).sum::<usize>() + 2,
    }
}
